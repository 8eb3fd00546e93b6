// SPDX-License-Identifier: BSD-3-Clause
// The tuning of a size that has no record: the nearest record's, where that is near enough and its tuning can be had.
#pragma once

#include <tessera/fits.hpp>
#include <tessera/record_types.hpp>

namespace tessera::detail {

/// Loops that the compiler vectorises are about one size: at the next one they spill.
constexpr bool passes_on(const cpu_gemm_tuning& t) { return !t.plain; }
constexpr bool passes_on(const gpu_gemm_tuning&) { return true; }

/// Position in [first, last) of the record of type and regime `f` whose size is nearest to that of `f`; -1 where none
/// is within reach. `f.n` is not 0.
template <class Records, class Limits>
constexpr int nearest_record(const Records& all, int first, int last, const gemm_form& f, const Limits& limits) {
  const product_size wanted{f.m, f.n, f.k};
  int best = -1;
  index_t least = 0;
  for (int i = first; i < last; ++i) {
    const auto& r = all[std::size_t(i)];
    const product_size size{r.m, r.n, r.k};
    if (r.type != f.type || r.in != f.in || !passes_on(r.tuning) || !is_near(size, wanted) ||
        !fits(canonical_tuning(r.tuning, f, limits), f, limits))
      continue;
    if (best < 0 || distance(size, wanted) < least) best = i, least = distance(size, wanted);
  }
  return best;
}

}  // namespace tessera::detail
