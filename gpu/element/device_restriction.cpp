// SPDX-License-Identifier: BSD-3-Clause
// Brings a restriction's lists to the device, and queues gather and transposed gather.
#include <tessera/gpu/detail/element/gather.hpp>
#include <tessera/gpu/detail/element/shared_sums.hpp>

#include "code_upload.hpp"
#include "src/element/device_restriction.hpp"
#include "src/element/l_vector_lists.hpp"

namespace tessera::detail {

struct device_restriction::lists {
  index_t elements, entries, component, sum_warps;
  int components;
  bool wide;
  buffer codes, first, numbers, terms;
};

device_restriction::device_restriction(const restriction_state& of) {
  const std::shared_ptr<const l_vector_lists> from = e_vector_lists_of(of);
  const bool wide = of.size >= index_t(device::number_code<std::uint32_t>::below) || from->y.codes.is_wide() ||
                    from->sums.terms.is_wide();
  lists_ = std::make_shared<const lists>(lists{.elements = of.elements,
                                               .entries = of.entries,
                                               .component = of.stride,
                                               .sum_warps = index_t(from->sums.first.size()) - 1,
                                               .components = of.components,
                                               .wide = wide,
                                               .codes = uploaded_codes(from->y.codes, wide),
                                               .first = uploaded_codes(from->sums.first, wide),
                                               .numbers = uploaded_codes(from->sums.numbers, wide),
                                               .terms = uploaded_codes(from->sums.terms, wide)});
}

template <class T>
void device_restriction::to_elements(const T* x, T* E, void* stream) const {
  const lists& l = *lists_;
  as_wide(l.wide, [&]<class Index>(Index) {
    device::gather_entries<T, Index>({.x = x,
                                      .E = E,
                                      .codes = static_cast<const Index*>(l.codes.data()),
                                      .elements = l.elements,
                                      .entries = l.entries,
                                      .component = l.component,
                                      .components = l.components},
                                     stream);
  });
}

template <class T>
void device_restriction::add_from_elements(const T* E, T* y, void* stream) const {
  const lists& l = *lists_;
  as_wide(l.wide, [&]<class Index>(Index) {
    device::add_shared_terms<T, Index>({.y = y,
                                        .terms = E,
                                        .component_terms = l.entries,
                                        .component = l.component,
                                        .components = l.components,
                                        .first = static_cast<const Index*>(l.first.data()),
                                        .numbers = static_cast<const Index*>(l.numbers.data()),
                                        .of_terms = static_cast<const Index*>(l.terms.data()),
                                        .warps = l.sum_warps,
                                        .add = true},
                                       stream);
  });
}

template void device_restriction::to_elements(const float*, float*, void*) const;
template void device_restriction::to_elements(const double*, double*, void*) const;
template void device_restriction::add_from_elements(const float*, float*, void*) const;
template void device_restriction::add_from_elements(const double*, double*, void*) const;

}  // namespace tessera::detail
