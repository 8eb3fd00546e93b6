// SPDX-License-Identifier: BSD-3-Clause
// Contractions in types that have no SIMD kernel (complex, 16-bit, integers, users' own; sums in another type than the
// entries): plain loops over the same jobs.
#pragma once

#include <type_traits>

#include <tessera/cpu/detail/job.hpp>

namespace tessera::simd {

namespace detail {

template <class Isa, class T, class Operand>
T entry_value(const Operand& o, index_t e, index_t r, index_t c, index_t l) {
  return T(start_of<Isa>(o, e)[o.map.offset(r, c, l)]);
}
template <class Isa, class T, class Located>
T entry_value(const conjugating<Located>& o, index_t e, index_t r, index_t c, index_t l) {
  return conj(start_of<Isa>(o, e)[o.map.offset(r, c, l)]);
}

template <class Isa, class T, class First, class Second>
T side_value(const side<First, Second>& s, index_t e, index_t r, index_t c, index_t l) {
  T value = entry_value<Isa, T>(s.first, e, r, c, l);
  if constexpr (!same_type<Second, no_factor>)
    if (s.factors == 2) value = T(value * entry_value<Isa, T>(s.second, e, r, c, l));
  return value;
}

}  // namespace detail

/// Batch entries [first, last), sums in T. beta = 0 never reads the output.
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
          auto& entry = start_of<Isa>(j.out, e)[j.out.map.offset(r, c, l)];
          using out = std::remove_reference_t<decltype(entry)>;
          entry = out(j.s.beta == T(0) ? T(j.s.alpha * sum) : T(j.s.alpha * sum + j.s.beta * T(entry)));
        }
}

}  // namespace tessera::simd
