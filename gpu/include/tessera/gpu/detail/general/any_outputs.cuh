// SPDX-License-Identifier: BSD-3-Clause
// What kernels with everything at run time share: the operands' entries as numbers of the sums' type, and how results
// are made of sums.
#pragma once

#include <tessera/gpu/detail/general/any_entries.cuh>
#include <tessera/gpu/detail/general/any_work.hpp>

namespace tessera::device {

template <class Target, int Count, class S>
constexpr void left_entries(const any_work& work, const any_bits<S> (&from)[Count], S (&to)[Count]) {
  as_sums<Target>(work.left_type, from, to);
  if (work.left_conjugated) apply<Target>({any_function_kind::conj}, to);
  apply<Target>(work.functions.left, to);
}
template <class Target, int Count, class S>
constexpr void right_entries(const any_work& work, const any_bits<S> (&from)[Count], S (&to)[Count]) {
  as_sums<Target>(work.right_type, from, to);
  if (work.right_conjugated) apply<Target>({any_function_kind::conj}, to);
  apply<Target>(work.functions.right, to);
}

/// Writes result(alpha sum + beta addend), or without factors the pair's sum of both, where out[i] is not null; the
/// addend's entries are so many bytes from its first one.
template <class Target, int Count, class S>
constexpr void put_results(const any_work& work, S (&sums)[Count], const index_t (&addend)[Count],
                           char* const (&out)[Count]) {
  const bool scales = work.functions.pair == any_pair::plus_times;
  const S alpha = factor_as<S>(work.alpha);
  if (scales) {
#pragma unroll
    for (int i = 0; i < Count; ++i) sums[i] = any_number<S>::times(alpha, sums[i]);
  }
  if (work.addend != nullptr) {
    const char* from[Count];
#pragma unroll
    for (int i = 0; i < Count; ++i) from[i] = work.addend + addend[i];
    any_bits<S> bits[Count];
    S added[Count];
    load(work.addend_type, from, bits);
    as_sums<Target>(work.addend_type, bits, added);
    apply<Target>(work.functions.addend, added);
    const S beta = factor_as<S>(work.beta);
    with_operations<S>(work.functions.pair, [&](auto pair) {
#pragma unroll
      for (int i = 0; i < Count; ++i)
        sums[i] = pair.add(sums[i], scales ? any_number<S>::times(beta, added[i]) : added[i]);
    });
  }
  apply<Target>(work.functions.result, sums);
#pragma unroll
  for (int i = 0; i < Count; ++i)
    if (out[i] != nullptr) store<Target>(work.out_type, sums[i], out[i]);
}

}  // namespace tessera::device
