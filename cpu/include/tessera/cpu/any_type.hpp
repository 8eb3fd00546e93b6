// SPDX-License-Identifier: BSD-3-Clause
// Contractions in types that have no SIMD kernel (integers, long double, users' own): plain loops over the same jobs.
#pragma once

#include <tessera/cpu/job.hpp>

namespace tessera::simd {

namespace detail {

template <class Isa, class T, class First, class Second>
T side_value(const side<First, Second>& s, index_t e, index_t r, index_t c, index_t l) {
  T value = start_of<Isa>(s.first, e)[s.first.map.offset(r, c, l)];
  if constexpr (!same_type<Second, no_factor>)
    if (s.factors == 2) value = T(value * start_of<Isa>(s.second, e)[s.second.map.offset(r, c, l)]);
  return value;
}

}  // namespace detail

/// Batch entries [first, last). beta = 0 never reads the output.
template <class Isa, bool pointwise, class T, class M, class N, class K, class Left, class Right, class Out>
void any_type_loops(const job<T, M, N, K, Left, Right, Out>& j, index_t first, index_t last) {
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < j.loops; ++l)
      for (index_t c = 0; c < j.n; ++c)
        for (index_t r = 0; r < j.m; ++r) {
          T sum{};
          for (index_t k = 0; k < j.k; ++k)
            sum = T(sum + detail::side_value<Isa, T>(j.left, e, r, k, l) *
                              detail::side_value<Isa, T>(j.right, e, pointwise ? r : k, c, l));
          T& entry = start_of<Isa>(j.out, e)[j.out.map.offset(r, c, l)];
          entry = j.s.beta == T(0) ? T(j.s.alpha * sum) : T(j.s.alpha * sum + j.s.beta * entry);
        }
}

}  // namespace tessera::simd
