// SPDX-License-Identifier: BSD-3-Clause
// Calling a layout with an index array, and the storage span and strides of any layout.
#pragma once

#include <tessera/core/layout.hpp>

namespace tessera {

/// The extents type of a layout.
template <layout_type Layout>
using extents_of = typename detail::plain<decltype(detail::value_of<const Layout&>().extents())>::type;

template <layout_type Layout>
inline constexpr int rank_of = extents_of<Layout>::rank();

/// offset(index[0], index[1], ...)
template <class Layout>
constexpr index_t offset_at(const Layout& layout, const index_t* index) {
  return [&]<int... D>(sequence<D...>) { return index_t(layout.offset(index[D]...)); }
  (iota<rank_of<Layout>>{});
}

/// Turns a column-major linear index into an index tuple, first dimension fastest.
template <class Extents>
constexpr void unravel(index_t linear, const Extents& e, index_t* index) {
  for (int d = 0; d < Extents::rank(); ++d) {
    index[d] = linear % e(d);
    linear /= e(d);
  }
}

/// Entries of storage that one tensor of this layout spans: from its lowest offset, which strides make negative or 0,
/// to its largest one, both included; 0 for an empty tensor.
template <layout_type Layout>
constexpr index_t span_of(const Layout& layout) {
  const auto& e = layout.extents();
  const index_t count = e.size();
  if (count == 0) return 0;
  index_t largest = 0;
  if constexpr (affine_layout<Layout>) {
    for (int d = 0; d < rank_of<Layout>; ++d)
      if (e(d) > 1) largest += (e(d) - 1) * (layout.stride(d) < 0 ? -layout.stride(d) : layout.stride(d));
  } else {
    index_t index[max_rank]{};
    for (index_t i = 0; i < count; ++i) {
      unravel(i, e, index);
      const index_t at = offset_at(layout, index);
      if (at > largest) largest = at;
    }
  }
  return largest + 1;
}

/// Storage between the blocks of a batch: one tensor, or W interleaved ones.
template <layout_type Layout>
constexpr index_t block_of(const Layout& layout) {
  const index_t lanes = lanes_of<Layout>(), span = span_of(layout);
  return (span + lanes - 1) / lanes * lanes;
}

/// Where tensor b of a batch starts, `stride` being the distance of blocks of `lanes` tensors.
constexpr index_t batch_start(index_t b, index_t stride, index_t lanes) {
  return lanes == 1 ? b * stride : (b / lanes) * stride + b % lanes;
}

}  // namespace tessera
