// SPDX-License-Identifier: BSD-3-Clause
// Sizes of a tensor, each known at compile time or at run time, and of_size, which makes them.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

namespace detail {

template <int N>
struct run_time_values {
  index_t value[N]{};
};
template <>
struct run_time_values<0> {};

template <index_t... E>
inline constexpr int count_dynamic = (0 + ... + int(E == dynamic));

template <class Size>
concept static_size = requires {
  Size::value;
};

template <class Size>
constexpr index_t static_value() {
  if constexpr (static_size<Size>)
    return index_t(Size::value);
  else
    return dynamic;
}

}  // namespace detail

/// The sizes of a tensor. Static sizes live in the type (an all-static `extents` is an empty class), run-time ones in
/// the object. `e(i)` is the size of dimension i, counted from 0, and is a constant where the object is one.
template <index_t... E>
class extents : private detail::run_time_values<detail::count_dynamic<E...>> {
  static_assert(((E == dynamic || E >= 0) && ...), "tessera: an extent is negative");
  static_assert(sizeof...(E) <= max_rank, "tessera: a tensor has at most max_rank dimensions");

 public:
  static constexpr int rank() { return int(sizeof...(E)); }
  static constexpr bool is_static = detail::count_dynamic<E...> == 0;

  constexpr extents() = default;

  /// All sizes in order; at the place of a static size the type's own one counts.
  template <class... Size>
    requires(sizeof...(Size) == sizeof...(E) && sizeof...(E) > 0 && !is_static)
  constexpr explicit extents(Size... size) {
    const index_t all[] = {index_t(size)...};
    int next = 0;
    for (int i = 0; i < rank(); ++i)
      if (static_extent(i) == dynamic) this->value[next++] = all[i];
  }

  static constexpr index_t static_extent(int i) {
    constexpr index_t all[] = {E..., 1};
    return all[i];
  }

  constexpr index_t operator()(int i) const {
    const index_t known = static_extent(i);
    if constexpr (!is_static) {
      if (known == dynamic) {
        int slot = 0;
        for (int j = 0; j < i; ++j) slot += int(static_extent(j) == dynamic);
        return this->value[slot];
      }
    }
    return known;
  }

  /// Number of entries; 1 for rank 0.
  constexpr index_t size() const {
    index_t product = 1;
    for (int i = 0; i < rank(); ++i) product *= (*this)(i);
    return product;
  }

  template <index_t... F>
  friend constexpr bool operator==(const extents& a, const extents<F...>& b) {
    if (sizeof...(E) != sizeof...(F)) return false;
    for (int i = 0; i < rank(); ++i)
      if (a(i) != b(i)) return false;
    return true;
  }
};

/// of_size<5, 3>(): all sizes in the type.
template <index_t... E>
  requires(sizeof...(E) > 0)
constexpr extents<E...> of_size() { return {}; }

/// of_size(5_c, 3_c) is of_size<5, 3>(); of_size(5, 3) keeps the sizes at run time; mixing is fine.
template <class... Size>
constexpr auto of_size(Size... size) {
  using result = extents<detail::static_value<Size>()...>;
  if constexpr (result::is_static)
    return result{};
  else
    return result(index_t(size)...);
}

namespace detail {

template <class T>
inline constexpr bool is_extents = false;
template <index_t... E>
inline constexpr bool is_extents<extents<E...>> = true;

}  // namespace detail

/// Any `extents`.
template <class T>
concept sizes = detail::is_extents<T>;

inline namespace literals {

/// 5_c: the integer 5 as a type.
template <char... Digit>
constexpr auto operator""_c() {
  constexpr index_t value = [] {
    index_t sum = 0;
    ((sum = Digit == '\'' ? sum : sum * 10 + (Digit - '0')), ...);
    return sum;
  }();
  static_assert(((Digit == '\'' || (Digit >= '0' && Digit <= '9')) && ...), "tessera: _c takes decimal digits");
  return constant<value>{};
}

}  // namespace literals
}  // namespace tessera
