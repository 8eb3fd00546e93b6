// SPDX-License-Identifier: BSD-3-Clause
// Inner elements on the vectors, outer ones on a small vector between, and what travels meanwhile.
#include <tessera/error.hpp>
#include <tessera/fem/distributed_operator.hpp>
#include <tessera/memory.hpp>

#include "listed_nodes.hpp"
#include "packed_numbers.hpp"
#include "split_elements.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tessera::fem {

namespace {

// The first half of the elements is computed while numbers come, the other while sums go.
std::vector<int> halves(std::size_t elements) {
  std::vector<int> part(elements, 1);
  std::fill_n(part.begin(), elements / 2, 0);
  return part;
}

template <class T>
T* numbers_in(const buffer& memory) {
  return static_cast<T*>(memory.data());
}

}  // namespace

template <class T>
struct distributed_operator<T>::state {
  owned_numbers numbers;
  halo_exchange<T> exchange;
  detail::split_elements split;
  detail::listed_nodes<T> inner_nodes, outer_nodes;  // what D may be computed from at each application
  std::optional<global_operator<T>> inner, outer;
  detail::packed_numbers between, sent;
  index_t received;

  // The small vectors: own numbers of outer elements, then received ones.
  buffer x, y, of_sent;

  state(const restriction& unknowns, const owned_numbers& n, const halo_exchange<T>& e)
      : numbers(n),
        exchange(e),
        split(unknowns, n),
        between(split.between, n.owned),
        sent(n.sent, n.owned),
        received(unknowns.size() - n.owned) {
    numbers.sent = {};  // the caller's
    const int given =
        int(bool(e.begin_gather)) + int(bool(e.end_gather)) + int(bool(e.begin_sum)) + int(bool(e.end_sum));
    if ((given != 0 && given != 4) || (given == 0 && sent.count() > 0))
      throw error("distributed_operator: " + std::to_string(sent.count()) + " numbers are sent, and " +
                      std::to_string(4 - given) + " functions of the exchange are empty",
                  status::null_pointer);
  }

  // After the operators: they know where they run.
  void make_memory() {
    const space_kind space = inner->space();
    x = buffer(space, bytes_of_small());
    y = buffer(space, bytes_of_small());
    of_sent = buffer(space, std::size_t(sent.count()) * sizeof(T));
  }
  std::size_t bytes_of_small() const { return (split.between.size() + std::size_t(received)) * sizeof(T); }

  patch_options in_halves(const std::vector<int>& part) const { return {.part = part, .parts = 2}; }
  T* received_in(const buffer& small) const { return numbers_in<T>(small) + split.between.size(); }
  T* to_send() const { return numbers_in<T>(of_sent); }

  void begin_gather(stream_view on) const {
    if (exchange.begin_gather) exchange.begin_gather(to_send(), received_in(x), on);
  }
  void end_gather(stream_view on) const {
    if (exchange.end_gather) exchange.end_gather(to_send(), received_in(x), on);
  }
  void begin_sum(stream_view on) const {
    if (exchange.begin_sum) exchange.begin_sum(received_in(y), to_send(), on);
  }
  // y of outer elements is added.
  void end_sum(T* to, stream_view on) const {
    between.add(y.space(), static_cast<const T*>(y.data()), to, on);
    if (exchange.end_sum) exchange.end_sum(received_in(y), to_send(), on);
    sent.add(y.space(), static_cast<const T*>(to_send()), to, on);
  }
  void apply_outer(const buffer& small_x, stream_view on) const {
    if (!split.outer.empty())
      outer->apply({.x = numbers_in<T>(small_x), .y = numbers_in<T>(y), .rows = constrained_rows::zero, .in = on});
  }

  void apply(const T* from, T* to, bool add, stream_view on) const {
    auto inner_elements =
        inner->begin({.x = from, .y = to, .add = add, .in = on});  // before others are told: it checks
    sent.pack(x.space(), from, to_send(), on);
    begin_gather(on);
    between.pack(x.space(), from, numbers_in<T>(x), on);
    inner_elements.run(0);
    end_gather(on);
    apply_outer(x, on);
    begin_sum(on);
    inner_elements.run(1);
    inner_elements.end();
    end_sum(to, on);
  }
};

template <class T>
distributed_operator<T>::distributed_operator(const element_nodes<T>& nodes, const restriction& unknowns,
                                              const owned_numbers& numbers, const element_operator_options& options,
                                              const halo_exchange<T>& exchange) {
  if (nodes.elements != unknowns.elements())
    throw error("distributed_operator: nodes of " + std::to_string(nodes.elements) + " elements, unknowns of " +
                    std::to_string(unknowns.elements()),
                status::shape_mismatch);
  auto made = std::make_shared<state>(unknowns, numbers, exchange);
  const auto in_callers_order = [&] { element_operator<T>(nodes, options); };
  if (nodes.coordinates == nullptr) in_callers_order();
  element_operator_options stored = options;
  stored.form = element_form::partial_assembly;
  const index_t points = element_operator<T>(nodes.dim, 0, nullptr, stored).kernel().points();
  const std::vector<int> part = halves(made->split.inner.size());
  const auto part_of = [&](const std::vector<index_t>& list, detail::listed_nodes<T>& kept, const restriction& r,
                           const patch_options& patches) {
    kept = {nodes, list, options, points};
    element_nodes<T> own = kept.of(nodes);
    own.elements = index_t(list.size());
    return global_operator<T>(own, r, options, patches);
  };
  detail::named_as_given(
      [&] {
        made->inner.emplace(part_of(made->split.inner, made->inner_nodes, made->split.of_inner, made->in_halves(part)));
        made->outer.emplace(part_of(made->split.outer, made->outer_nodes, made->split.of_outer, {}));
      },
      in_callers_order);
  made->make_memory();
  state_ = std::move(made);
}

template <class T>
distributed_operator<T>::distributed_operator(const compiled_function<T>& function, const T* D,
                                              const restriction& unknowns, const owned_numbers& numbers,
                                              const element_operator_options& options,
                                              const halo_exchange<T>& exchange) {
  auto made = std::make_shared<state>(unknowns, numbers, exchange);
  const auto in_callers_order = [&] { element_operator<T>(function, unknowns.elements(), D, options); };
  if (D == nullptr) in_callers_order();
  const evaluation<T> by = element_operator<T>(function, 0, nullptr, options).kernel();
  const std::vector<int> part = halves(made->split.inner.size());
  const auto part_of = [&](const std::vector<index_t>& list, const restriction& r, const patch_options& patches) {
    const std::vector<T> own =
        D == nullptr ? std::vector<T>()
                     : detail::in_order(std::span(list), unknowns.elements(), D, by.factors() * by.points());
    return global_operator<T>(function, own.data(), r, r, options, patches);
  };
  detail::named_as_given(
      [&] {
        made->inner.emplace(part_of(made->split.inner, made->split.of_inner, made->in_halves(part)));
        made->outer.emplace(part_of(made->split.outer, made->split.of_outer, {}));
      },
      in_callers_order);
  made->make_memory();
  state_ = std::move(made);
}

template <class T>
index_t distributed_operator<T>::size() const {
  return state_->numbers.owned;
}
template <class T>
space_kind distributed_operator<T>::space() const {
  return state_->inner->space();
}
template <class T>
index_t distributed_operator<T>::inner_elements() const {
  return index_t(state_->split.inner.size());
}
template <class T>
index_t distributed_operator<T>::outer_elements() const {
  return index_t(state_->split.outer.size());
}

template <class T>
void distributed_operator<T>::apply(const T* x, T* y, stream_view on) const {
  state_->apply(x, y, false, on);
}
template <class T>
void distributed_operator<T>::add(const T* x, T* y, stream_view on) const {
  state_->apply(x, y, true, on);
}

template <class T>
void distributed_operator<T>::apply_received(const T* values, T* y, stream_view on) const {
  const state& s = *state_;
  if (s.received > 0 && values == nullptr)
    throw error("distributed_operator::apply_received: values is a null pointer", status::null_pointer);
  if (size() > 0 && y == nullptr)
    throw error("distributed_operator::apply_received: y is a null pointer", status::null_pointer);
  if (space() == space_kind::gpu) on.synchronize();
  const buffer x(space(), s.bytes_of_small()), zeros(space(), std::size_t(size()) * sizeof(T));
  copy_memory(s.received_in(x), values, std::size_t(s.received) * sizeof(T));
  copy_memory(y, zeros.data(), zeros.bytes());
  s.apply_outer(x, on);
  s.begin_sum(on);
  s.end_sum(y, on);
  if (space() == space_kind::gpu) on.synchronize();
}

template <class T>
void distributed_operator<T>::diagonal(T* y) const {
  const state& s = *state_;
  if (size() > 0 && y == nullptr)
    throw error("distributed_operator::diagonal: y is a null pointer", status::null_pointer);
  const std::size_t owned = std::size_t(s.numbers.owned);
  std::vector<T> all(owned), outer(s.bytes_of_small() / sizeof(T));
  s.inner->diagonal(all.data());
  if (!outer.empty()) s.outer->diagonal(outer.data());
  for (const index_t k : s.split.of_outer.constrained()) outer[std::size_t(k)] = T(0);  // the inner elements' are 1
  const buffer there(space(), all.size() * sizeof(T));
  copy_memory(there.data(), all.data(), there.bytes());
  copy_memory(s.y.data(), outer.data(), s.y.bytes());
  s.begin_sum({});
  s.end_sum(numbers_in<T>(there), {});
  if (space() == space_kind::gpu) stream_view().synchronize();
  copy_memory(y, there.data(), there.bytes());
}

template <class T>
std::string distributed_operator<T>::describe(detail_level how) const {
  const state& s = *state_;
  return std::to_string(inner_elements() + outer_elements()) + " elements, " + std::to_string(outer_elements()) +
         " of them with some of " + std::to_string(s.received) + " received numbers, " +
         std::to_string(s.sent.count()) + " numbers sent; " + s.inner->describe(how);
}

template class distributed_operator<float>;
template class distributed_operator<double>;

}  // namespace tessera::fem
