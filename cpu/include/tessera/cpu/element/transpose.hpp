// SPDX-License-Identifier: BSD-3-Clause
// The transpose of a square of vectors, in registers.
#pragma once

#include <tessera/cpu/tile.hpp>

namespace tessera::simd {

namespace detail {

// Squares of `size` entries swap their off-diagonal quarters: of a and b, `size` entries apart,
// low has a's even quarters and b's even quarters, high the odd ones.
template <int size, bool high, class Register, int... p>
inline Register exchange(const Register& a, const Register& b, sequence<p...>) {
  constexpr int n = int(sizeof...(p));
  if constexpr (high)
    return __builtin_shufflevector(a, b, ((p & size) == 0 ? p + size : n + p)...);
  else
    return __builtin_shufflevector(a, b, ((p & size) == 0 ? p : n + p - size)...);
}

}  // namespace detail

/// v[i][j] and v[j][i] change places, by log2(lanes) rounds of exchanges.
template <class Isa, class T, int size = 1>
inline void transpose(typename Isa::template vector<T> (&v)[Isa::template vector<T>::size]) {
  using vector = typename Isa::template vector<T>;
  constexpr int lanes = int(vector::size);
  if constexpr (size < lanes) {
    unrolled<lanes>([&](auto i) {
      if constexpr ((i & size) == 0) {
        const auto a = v[i].data, b = v[i + size].data;
        v[i] = vector(detail::exchange<size, false>(a, b, iota<lanes>{}));
        v[i + size] = vector(detail::exchange<size, true>(a, b, iota<lanes>{}));
      }
    });
    transpose<Isa, T, size * 2>(v);
  }
}

}  // namespace tessera::simd
