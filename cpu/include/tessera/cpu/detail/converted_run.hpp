// SPDX-License-Identifier: BSD-3-Clause
// Products of types without kernels of their own, by the kernels of the real type of their sums.
#pragma once

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/problem_members.hpp>

namespace tessera::detail {

template <class Sum>
struct real_number {
  using type = Sum;
};
template <class T>
struct real_number<complex<T>> {
  using type = T;
};
/// float or double: the type of a sum's parts.
template <class Sum>
using real_of = typename real_number<Sum>::type;

/// Batch entries [first, last) by the rows of an instruction set, which has those of real_of<Sum>. Any sizes and maps;
/// alpha, beta and conjugation as problem.hpp defines them; of groups the addresses of the members, on the host. An
/// entry's result does not depend on how the batch is split.
template <class In, class Out, class Sum>
void run_converted(const isa_rows& rows, const problem<In, Out, Sum>& p, const any_members& groups, index_t first,
                   index_t last);

/// The same for complex numbers of the form `pointwise`: entry by entry, without buffers and kernels.
template <class T>
void run_pointwise(const problem<complex<T>>& p, const any_members& groups, index_t first, index_t last);

}  // namespace tessera::detail
