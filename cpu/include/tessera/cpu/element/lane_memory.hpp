// SPDX-License-Identifier: BSD-3-Clause
// Lanes and memory: sizes, what is used several times and loaded once.
#pragma once

#include <tessera/cpu/element/line.hpp>

namespace tessera::simd {

constexpr index_t most(index_t a, index_t b) { return a > b ? a : b; }
template <int exponent>
constexpr index_t power(index_t base) {
  if constexpr (exponent == 0)
    return 1;
  else
    return base * power<exponent - 1>(base);
}

/// Aligned. The compiler would load it once for each of its uses.
template <class Isa, class T>
inline auto load_once(const T* p) {
  auto v = Isa::template vector<T>::load_aligned(p);
  keep<Isa>(v);
  return v;
}

/// f(j) for j < n, unrolled where n is known.
template <class N, class F>
inline void each(N n, const F& f) {
  if constexpr (is_static<N>)
    unrolled<int(N::value)>([&](auto j) { f(int(j)); });
  else
    for (int j = 0; j < int(n); ++j) f(j);
}

}  // namespace tessera::simd
