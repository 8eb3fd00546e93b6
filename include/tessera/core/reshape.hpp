// SPDX-License-Identifier: BSD-3-Clause
// Reshape: the same memory under other extents; entries are identified by their column-major linear index.
#pragma once

#include <tessera/core/offset.hpp>

namespace tessera {

namespace detail {

// Empty if T is, but another type than T: a layout may derive from the same extents type.
template <class T, int Which>
class held : private T {
 public:
  constexpr held() = default;
  constexpr explicit held(const T& given) : T(given) {}
  constexpr const T& get() const { return *this; }
};

}  // namespace detail

/// The layout `Inner` with other extents of the same product. Copies nothing: only offsets are computed.
template <layout_type Inner, sizes Extents>
class reshaped : private detail::held<Inner, 0>, private detail::held<Extents, 1> {
  using below = detail::held<Inner, 0>;
  using shape = detail::held<Extents, 1>;

 public:
  using extents_type = Extents;
  static constexpr index_t lanes = lanes_of<Inner>();
  constexpr reshaped() = default;
  constexpr reshaped(const Inner& inner, const Extents& e) : below(inner), shape(e) {}

  constexpr const Extents& extents() const { return shape::get(); }
  constexpr const Inner& inner() const { return below::get(); }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    index_t linear = 0, scale = 1;
    int d = 0;
    ((linear += index_t(i) * scale, scale *= extents()(d++)), ...);
    index_t index[max_rank]{};
    unravel(linear, inner().extents(), index);
    return offset_at(inner(), index);
  }
};

/// Unchecked form for layouts; `reshape(view, extents)` checks the product.
template <layout_type Layout, sizes Extents>
constexpr reshaped<Layout, Extents> reshape_layout(const Layout& layout, const Extents& e) {
  return {layout, e};
}

/// A packed column-major layout stays one, so that the result keeps its strides.
template <sizes From, sizes Extents>
constexpr column_major<Extents> reshape_layout(const column_major<From>&, const Extents& e) {
  return column_major<Extents>(e);
}

/// Reshaping twice is reshaping once.
template <class Inner, sizes From, sizes Extents>
constexpr auto reshape_layout(const reshaped<Inner, From>& layout, const Extents& e) {
  return reshape_layout(layout.inner(), e);
}

/// True where both products are known and differ.
template <sizes From, sizes To>
constexpr bool static_product_mismatch() {
  if constexpr (From::is_static && To::is_static)
    return From{}.size() != To{}.size();
  else
    return false;
}

}  // namespace tessera
