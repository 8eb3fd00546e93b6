// SPDX-License-Identifier: BSD-3-Clause
// The reference target of plans: the lowered problem entry by entry, as problem.hpp defines it.
#include <tessera/cpu/reference.hpp>

namespace tessera {

namespace {

template <class T>
T side_value(const factor<const T> (&side)[2], int factors, index_t e, index_t r, index_t c, index_t l) {
  T value = side[0].start(e)[side[0].map.offset(r, c, l)];
  if (factors == 2) value *= side[1].start(e)[side[1].map.offset(r, c, l)];
  return value;
}

template <class T>
void store(const problem<T>& p, T& entry, T sum) {
  sum *= p.alpha;
  entry = p.beta == T(0) ? sum : sum + p.beta * entry;
}

template <class T>
void run(const problem<T>& p, index_t first, index_t last) {
  const bool pointwise = p.form == canonical::pointwise;
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < p.loops; ++l)
      for (index_t c = 0; c < p.n; ++c)
        for (index_t r = 0; r < p.m; ++r) {
          T& entry = p.out.start(e)[p.out.map.offset(r, c, l)];
          T sum = T(0);
          for (index_t k = 0; k < p.k; ++k)
            sum += side_value(p.left, p.left_factors, e, r, k, l) *
                   side_value(p.right, p.right_factors, e, pointwise ? r : k, c, l);
          store(p, entry, sum);
        }
}

}  // namespace

template <>
void reference_problem(const problem<float>& p, index_t first, index_t last) {
  run(p, first, last);
}
template <>
void reference_problem(const problem<double>& p, index_t first, index_t last) {
  run(p, first, last);
}

}  // namespace tessera
