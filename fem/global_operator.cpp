// SPDX-License-Identifier: BSD-3-Clause
// Brings the caller's elements into the order of the patches.
#include <tessera/detail/size_check.hpp>
#include <tessera/element/operators.hpp>
#include <tessera/error.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/memory.hpp>

#include "nodes_layout.hpp"

#include <algorithm>
#include <utility>

namespace tessera::fem {

namespace {

template <class T>
bool is_as_given(const global_evaluation<T>& by) {
  const std::span<const index_t> order = by.order();
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] != index_t(k)) return false;
  return true;
}

// `count` numbers in place, or a copy of those in device memory.
template <class T>
class on_host {
 public:
  on_host(const T* from, index_t count) : at_(from) {
    if (space_of(from) == space_kind::cpu) return;
    copy_.resize(std::size_t(count));
    copy_memory(copy_.data(), from, copy_.size() * sizeof(T));
    at_ = copy_.data();
  }
  const T* data() const { return at_; }

 private:
  const T* at_;
  std::vector<T> copy_;
};

// `each` numbers an element, brought into the order of `by`.
template <class T>
std::vector<T> in_order(const global_evaluation<T>& by, const T* from, index_t each) {
  const on_host<T> copied(from, by.elements() * each);
  const T* const given = copied.data();
  std::vector<T> all(std::size_t(by.elements() * each));
  T* to = all.data();
  for (const index_t e : by.order()) to = std::copy_n(given + e * each, each, to);
  return all;
}

index_t nodes_of_element(const element_operator_options& o, int dim, int order) {
  if (o.tables) return o.tables->geometry.functions;
  if (o.shape == element_shape::simplex) return simplex_element(dim, order, o).geometry.functions;
  index_t nodes = 1;
  for (int a = 0; a < dim; ++a) nodes *= order + 1;
  return nodes;
}

// The evaluation of an operator that has no elements yet.
template <class T>
evaluation<T> evaluation_by(int dim, element_operator_options o) {
  o.form = element_form::partial_assembly;
  return element_operator<T>(dim, 0, nullptr, o).kernel();
}

// Whether nodes can be read as they are described: else an operator with them in the caller's order says why not.
template <class T>
bool can_be_read(const element_nodes<T>& nodes, const element_operator_options& o) {
  constexpr index_t most = tessera::detail::most_bytes;
  const element_layout& l = nodes.layout;
  for (const index_t stride : {l.entry, l.component, l.element, l.block})
    if (stride < 0 || stride > most) return false;
  if (l.lanes < 1 || l.first > 0 || l.first < -most) return false;
  if (!o.tables && (nodes.order < 1 || nodes.order > 64)) return false;
  return nodes.coefficients_at_points == nullptr ||
         (nodes.coefficients_given > 0 && nodes.coefficients_given <= coefficients_of(o.kind, nodes.dim).most);
}

// By make(), whose elements are in the order of patches: an error names elements as in_callers_order() does.
template <class Make, class Same>
auto named_as_given(const Make& make, const Same& in_callers_order) {
  try {
    return make();
  } catch (const error&) {
    in_callers_order();
    throw;
  }
}

template <class T>
std::vector<T> reordered_D(const global_evaluation<T>& by, const T* D) {
  if (D == nullptr && by.elements() > 0) throw error("global_operator: D is a null pointer", status::null_pointer);
  return in_order(by, D, by.kernel().factors() * by.kernel().points());
}

}  // namespace

template <class T>
struct global_operator<T>::reordered {
  std::vector<T> coordinates, coefficients;

  reordered(const global_evaluation<T>& by, const element_nodes<T>& nodes, const element_operator_options& o) {
    if (nodes.elements != by.elements())
      throw error("global_operator: nodes of " + std::to_string(nodes.elements) + " elements, unknowns of " +
                      std::to_string(by.elements()),
                  status::shape_mismatch);
    if (nodes.coordinates == nullptr || is_as_given(by)) return;  // a null pointer is refused with D
    if (!can_be_read(nodes, o)) {
      element_operator<T>(nodes, o);
      throw error("global_operator: nodes that cannot be read");
    }
    const index_t n = nodes_of_element(o, nodes.dim, nodes.order);
    const element_layout from = detail::layout_of(nodes, n);
    index_t reach = 0;  // strides are not negative
    for (index_t e = 0; e < nodes.elements; ++e) reach = std::max(reach, from.offset(n - 1, nodes.dim - 1, e) + 1);
    const on_host<T> given(nodes.coordinates, reach);
    coordinates.reserve(std::size_t(n * nodes.dim * nodes.elements));
    for (const index_t e : by.order())
      for (int c = 0; c < nodes.dim; ++c)
        for (index_t i = 0; i < n; ++i) coordinates.push_back(given.data()[from.offset(i, c, e)]);
    if (nodes.coefficients_at_points != nullptr)
      coefficients = in_order(by, nodes.coefficients_at_points, nodes.coefficients_given * by.kernel().points());
  }

  element_nodes<T> nodes(const element_nodes<T>& given) const {
    element_nodes<T> own = given;
    if (coordinates.empty()) return own;
    own.coordinates = coordinates.data();
    own.layout = {};
    if (!coefficients.empty()) own.coefficients_at_points = coefficients.data();
    return own;
  }
};

template <class T>
global_operator<T>::global_operator(const global_evaluation<T>& evaluation,
                                    const std::shared_ptr<const reordered>& kept, const element_nodes<T>& nodes,
                                    const element_operator_options& options)
    : evaluation_(evaluation),
      kept_(options.form == element_form::matrix_free ? kept : nullptr),
      elements_(named_as_given([&] { return element_operator<T>(evaluation.kernel(), kept->nodes(nodes), options); },
                               [&] { element_operator<T>(nodes, options); })) {}

template <class T>
global_operator<T>::global_operator(const element_nodes<T>& nodes, const restriction& x, const restriction& y,
                                    const element_operator_options& options, const patch_options& patches)
    : global_operator([&] {
        const global_evaluation<T> by(evaluation_by<T>(nodes.dim, options), x, y, patches);
        return global_operator(by, std::make_shared<const reordered>(by, nodes, options), nodes, options);
      }()) {}

template <class T>
global_operator<T>::global_operator(const element_nodes<T>& nodes, const restriction& unknowns,
                                    const element_operator_options& options, const patch_options& patches)
    : global_operator(nodes, unknowns, unknowns, options, patches) {}

template <class T>
global_operator<T>::global_operator(int dim, const T* D, const restriction& unknowns,
                                    const element_operator_options& options, const patch_options& patches)
    : evaluation_(evaluation_by<T>(dim, options), unknowns, unknowns, patches),
      elements_(named_as_given(
          [&] {
            return element_operator<T>(evaluation_.kernel(), unknowns.elements(), reordered_D(evaluation_, D).data(),
                                       options);
          },
          [&] { element_operator<T>(dim, unknowns.elements(), D, options); })) {}

template <class T>
global_operator<T>::global_operator(const compiled_function<T>& function, const T* D, const restriction& x,
                                    const restriction& y, const element_operator_options& options,
                                    const patch_options& patches)
    : evaluation_(element_operator<T>(function, 0, nullptr, options).kernel(), x, y, patches),
      elements_(named_as_given(
          [&] {
            return element_operator<T>(evaluation_.kernel(), x.elements(), reordered_D(evaluation_, D).data(), options);
          },
          [&] { element_operator<T>(function, x.elements(), D, options); })) {}

template <class T>
void global_operator<T>::set_data(const T* D) {
  elements_.data().set(0, evaluation_.elements(), reordered_D(evaluation_, D).data());
}

template <class T>
void global_operator<T>::get_data(T* D) const {
  if (D == nullptr && evaluation_.elements() > 0)
    throw error("global_operator::get_data: D is a null pointer", status::null_pointer);
  const index_t each = evaluation_.kernel().factors() * evaluation_.kernel().points();
  elements_.data().check_output("global_operator::get_data: D", D, each * evaluation_.elements());
  constexpr index_t at_once = 512;
  std::vector<T> some(std::size_t(each * std::min(at_once, evaluation_.elements())));
  for (index_t first = 0; first < evaluation_.elements(); first += at_once) {
    const index_t count = std::min(at_once, evaluation_.elements() - first);
    elements_.data().get(first, count, some.data());
    for (index_t k = 0; k < count; ++k)
      copy_memory(D + each * evaluation_.order()[std::size_t(first + k)], some.data() + each * k,
                  std::size_t(each) * sizeof(T));
  }
}

template <class T>
std::string global_operator<T>::describe(detail_level how) const {
  return elements_.describe(how) + (how == detail_level::full ? "; " + evaluation_.describe() : "");
}

template class global_operator<float>;
template class global_operator<double>;

}  // namespace tessera::fem
