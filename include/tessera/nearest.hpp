// SPDX-License-Identifier: BSD-3-Clause
// The tuning of a size that has no record: the nearest record's, where that is near enough and its tuning can be had.
#pragma once

#include <tessera/fits.hpp>
#include <tessera/record_types.hpp>

namespace tessera::detail {

/// Loops that the compiler vectorises are about one size: at the next one they spill.
constexpr bool passes_on(const cpu_gemm_tuning& t) { return !t.plain; }
constexpr bool passes_on(const gpu_gemm_tuning&) { return true; }

/// A record's tuning for another size: as many threads as let each have as many tiles as it had there.
constexpr gpu_gemm_tuning carried_over(const gpu_gemm_tuning& t, const gemm_form& from, const gemm_form& to,
                                       const gpu_limits& l) {
  const gpu_gemm_tuning same = canonical_tuning(t, to, l);
  const index_t tiles = same.matrices * pieces_of(to.m, same.tile_rows) * pieces_of(to.n, same.tile_cols);
  gpu_gemm_tuning other = same;
  other.threads = int(rounded_up(pieces_of(tiles, tiles_of_a_thread(t, from)), 32));
  return fits(other, to, l) ? other : same;
}
constexpr cpu_gemm_tuning carried_over(const cpu_gemm_tuning& t, const gemm_form&, const gemm_form& to,
                                       const cpu_limits& l) {
  return canonical_tuning(t, to, l);
}

template <class Record>
constexpr bool has_lies(const Record& r, const packed_lies& wanted) {
  if constexpr (requires { r.lies; }) return r.lies == wanted;
  return wanted == packed_lies{};
}

/// Position in [first, last) of the record of `f`'s type (or of the one that it is tuned like), regime and lies whose
/// size is nearest to that of `f`; -1 where none is within reach. `f.n` is not 0.
template <class Records, class Limits>
constexpr int nearest_record(const Records& all, int first, int last, const gemm_form& f, const Limits& limits) {
  const product_size wanted{f.m, f.n, f.k};
  int best = -1;
  index_t least = 0;
  for (int i = first; i < last; ++i) {
    const auto& r = all[std::size_t(i)];
    const product_size size{r.m, r.n, r.k};
    if (r.type != tuned_like(f.type) || r.in != f.in || !has_lies(r, f.lies) || !passes_on(r.tuning) ||
        !is_near(size, wanted) || !fits(canonical_tuning(r.tuning, f, limits), f, limits))
      continue;
    if (best < 0 || distance(size, wanted) < least) best = i, least = distance(size, wanted);
  }
  return best;
}

}  // namespace tessera::detail
