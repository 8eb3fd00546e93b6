// SPDX-License-Identifier: BSD-3-Clause
// The reference target of plans: the lowered problem entry by entry, as problem.hpp defines it. For types other than
// float and double it is the row of every CPU target.
#include <tessera/cpu/detail/reference.hpp>

namespace tessera {

namespace {

template <class Sum, class In>
Sum read(const In& entry, [[maybe_unused]] bool conjugated) {
  if constexpr (is_complex<In>)
    return conjugated ? conj(entry) : entry;
  else
    return Sum(entry);
}

template <class Sum, class In>
Sum side_value(const factor<const In> (&side)[2], const bool (&conjugated)[2], int factors, index_t e, index_t r,
               index_t c, index_t l) {
  Sum value = read<Sum>(side[0].start(e)[side[0].map.offset(r, c, l)], conjugated[0]);
  if (factors == 2) value *= read<Sum>(side[1].start(e)[side[1].map.offset(r, c, l)], conjugated[1]);
  return value;
}

template <class Problem, class Out, class Sum>
void store(const Problem& p, Out& entry, Sum sum) {
  sum *= p.alpha;
  entry = Out(p.beta == Sum(0) ? sum : sum + p.beta * Sum(entry));
}

}  // namespace

template <class In, class Out, class Sum>
void reference_problem(const problem<In, Out, Sum>& p, index_t first, index_t last) {
  const bool pointwise = p.form == canonical::pointwise;
  for (index_t e = first; e < last; ++e)
    for (index_t l = 0; l < p.loops; ++l)
      for (index_t c = 0; c < p.n; ++c)
        for (index_t r = 0; r < p.m; ++r) {
          Out& entry = p.out.start(e)[p.out.map.offset(r, c, l)];
          Sum sum = Sum(0);
          for (index_t k = 0; k < p.k; ++k)
            add_product(sum, side_value<Sum>(p.left, p.left_conjugated, p.left_factors, e, r, k, l),
                        side_value<Sum>(p.right, p.right_conjugated, p.right_factors, e, pointwise ? r : k, c, l));
          store(p, entry, sum);
        }
}

template void reference_problem(const problem<float>&, index_t, index_t);
template void reference_problem(const problem<double>&, index_t, index_t);
template void reference_problem(const problem<complex<float>>&, index_t, index_t);
template void reference_problem(const problem<complex<double>>&, index_t, index_t);
template void reference_problem(const problem<float, float, double>&, index_t, index_t);
template void reference_problem(const problem<half, float, float>&, index_t, index_t);
template void reference_problem(const problem<half, half, float>&, index_t, index_t);
template void reference_problem(const problem<bfloat16, float, float>&, index_t, index_t);
template void reference_problem(const problem<bfloat16, bfloat16, float>&, index_t, index_t);

}  // namespace tessera
