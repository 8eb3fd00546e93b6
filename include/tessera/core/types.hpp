// SPDX-License-Identifier: BSD-3-Clause
// Integer types and compile-time sequences without a library, for every compiler, NVRTC included.
#pragma once

namespace tessera {

/// Extents, indices, offsets and batch counts: always 64 bits.
using index_t = long long;

/// Marks an extent or a leading dimension that is known only at run time.
inline constexpr index_t dynamic = -0x7fffffffffffffffLL;

/// The largest offset in entries; extents, strides and batches beyond it are errors. Byte offsets of 16-byte entries,
/// and sums of two of them, then fit 63 bits.
inline constexpr index_t max_reach = 0x7fffffffffffffffLL / 32;

/// Highest rank of a tensor.
inline constexpr int max_rank = 12;

/// An integer as a type: what `5_c` makes.
template <index_t Value>
struct constant {
  static constexpr index_t value = Value;
  constexpr operator index_t() const { return Value; }
};

template <int... I>
struct sequence {};

namespace detail {

// By doubling, so that long sequences need few nested templates.
template <class Low, class High>
struct join;
template <int... L, int... H>
struct join<sequence<L...>, sequence<H...>> {
  using type = sequence<L..., (int(sizeof...(L)) + H)...>;
};
template <int N>
struct iota : join<typename iota<N / 2>::type, typename iota<N - N / 2>::type> {};
template <>
struct iota<0> {
  using type = sequence<>;
};
template <>
struct iota<1> {
  using type = sequence<0>;
};

}  // namespace detail

/// sequence<0, 1, ..., N-1>
template <int N>
using iota = typename detail::iota<N>::type;

template <class A, class B>
inline constexpr bool same_type = false;
template <class A>
inline constexpr bool same_type<A, A> = true;

}  // namespace tessera
