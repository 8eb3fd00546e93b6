// SPDX-License-Identifier: BSD-3-Clause
// Brings the lists of L-vectors to the device, and queues the sums of what elements share.
#include "device_l_vectors.hpp"

#include <tessera/gpu/detail/element/dot_sums.hpp>
#include <tessera/gpu/detail/element/shared_sums.hpp>

#include "code_upload.hpp"

namespace tessera::detail {

device_l_vectors::device_l_vectors(const patch_request& request) {
  const std::shared_ptr<l_vector_lists> lists = l_vector_lists_of(request);
  static_cast<element_patches&>(*this) = std::move(static_cast<element_patches&>(*lists));
  const restriction_state &x = *request.x, &y = *request.y;
  one_ = request.x == request.y;
  size_ = y.size;
  const index_t size = std::max(x.size, y.size);
  wide_ = size >= index_t(device::number_code<std::uint32_t>::below) || lists->y.codes.is_wide() ||
          lists->x.codes.is_wide() || lists->sums.terms.is_wide();
  atomic_ = request.options.sums == sum_order::atomic;
  stride_ = y.stride;
  element_terms_ = lists->element_terms;
  component_terms_ = terms;
  if (atomic_) terms = 0;  // none is kept
  y_codes_ = uploaded_codes(lists->y.codes, wide_);
  if (!one_) x_codes_ = uploaded_codes(lists->x.codes, wide_);
  of_y_ = {y_codes_.data(), y.stride, int(y.entries), lists->y.lists};
  of_x_ = one_ ? of_y_ : device::code_place{x_codes_.data(), x.stride, int(x.entries), lists->x.lists};
  places_ = device::uploaded(lists->places);
  sum_warps_ = index_t(lists->sums.first.size()) - 1;
  if (!atomic_) first_ = uploaded_codes(lists->sums.first, wide_);
  summed_components_ = lists->sums.components;
  numbers_ = uploaded_codes(lists->sums.numbers, wide_);
  if (!atomic_) of_terms_ = uploaded_codes(lists->sums.terms, wide_);
  untouched_ = uploaded_codes(lists->untouched, wide_);
  untouched_count_ = index_t(lists->untouched.size());
  constrained_ = uploaded_codes(y.constrained, wide_);
  constrained_count_ = index_t(y.constrained.size());
  if (one_) positions_ = uploaded_codes(positions_in(order), wide_);
}

// A counter, those of the elements, and parts of their sum.
index_t device_l_vectors::dot_numbers() const {
  return 1 + elements() + device::dot_partials(size_, elements(), constrained_count_);
}

template <class T>
device::l_vector_call<T> device_l_vectors::call(const global_application<T>& a, index_t first, index_t last,
                                                const shared_terms<T>& shared) const {
  return {.x = a.x,
          .y = a.y,
          .first = first,
          .count = last - first,
          .add = a.add,
          .wide = wide_,
          .atomic = atomic_,
          .of_x = of_x_,
          .of_y = of_y_,
          .places = static_cast<const int*>(places_.data()),
          .terms = shared.terms,
          .dots = shared.dots == nullptr ? nullptr : shared.dots + 1,
          .component_terms = component_terms_,
          .element_terms = element_terms_};
}

// run(arguments).
template <class T, class Run>
void device_l_vectors::with_sums(const global_application<T>& a, const T* shared, const Run& run) const {
  as_wide(wide_, [&]<class Index>(Index) {
    const auto list = [](const buffer& from) { return static_cast<const Index*>(from.data()); };
    run(device::sum_arguments<T, Index>{.x = a.x,
                                        .y = a.y,
                                        .terms = shared,
                                        .component_terms = component_terms_,
                                        .component = stride_,
                                        .components = summed_components_,
                                        .first = list(first_),
                                        .numbers = list(numbers_),
                                        .of_terms = list(of_terms_),
                                        .untouched = list(untouched_),
                                        .constrained = list(constrained_),
                                        .warps = sum_warps_,
                                        .untouched_count = untouched_count_,
                                        .constrained_count = constrained_count_,
                                        .add = a.add,
                                        .identity = a.rows == constrained_rows::identity});
  });
}

template <class T>
void device_l_vectors::begin(const global_application<T>& a) const {
  if (atomic_ && !a.add)
    with_sums<T>(a, nullptr, [&](const auto& sums) { device::clear_shared_numbers(sums, a.in.handle()); });
}

template <class T>
void device_l_vectors::finish(const global_application<T>& a, const T* shared) const {
  with_sums<T>(a, shared, [&](auto sums) {
    if (atomic_) sums.warps = 0;
    device::add_shared_terms(sums, a.in.handle());
  });
}

template <class T>
void device_l_vectors::finish_dot(const global_application<T>& a, const shared_terms<T>& shared,
                                  bool by_elements) const {
  const device::dot_result to{a.dot, shared.dots + 1 + elements(), reinterpret_cast<unsigned*>(shared.dots)};
  if (!by_elements) return device::sum_products(size_, a.x, static_cast<const T*>(a.y), to, a.in.handle());
  as_wide(wide_, [&]<class Index>(Index) {
    device::sum_dots<T, Index>({.dots = shared.dots + 1,
                                .positions = static_cast<const Index*>(positions_.data()),
                                .elements = elements(),
                                .x = a.x,
                                .constrained = static_cast<const Index*>(constrained_.data()),
                                .constrained_count = a.rows == constrained_rows::identity ? constrained_count_ : 0},
                               to, a.in.handle());
  });
}

template device::l_vector_call<float> device_l_vectors::call(const global_application<float>&, index_t, index_t,
                                                             const shared_terms<float>&) const;
template device::l_vector_call<double> device_l_vectors::call(const global_application<double>&, index_t, index_t,
                                                              const shared_terms<double>&) const;
template void device_l_vectors::finish_dot(const global_application<float>&, const shared_terms<float>&, bool) const;
template void device_l_vectors::finish_dot(const global_application<double>&, const shared_terms<double>&, bool) const;
template void device_l_vectors::begin(const global_application<float>&) const;
template void device_l_vectors::begin(const global_application<double>&) const;
template void device_l_vectors::finish(const global_application<float>&, const float*) const;
template void device_l_vectors::finish(const global_application<double>&, const double*) const;

}  // namespace tessera::detail
