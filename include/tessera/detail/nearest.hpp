// SPDX-License-Identifier: BSD-3-Clause
// The tuning of a size that has no record: that of the nearest record, if it is close enough and its tuning fits.
#pragma once

#include <tessera/detail/fits.hpp>
#include <tessera/detail/record_types.hpp>

namespace tessera::detail {

/// Loops that the compiler vectorises suit one size only: at the next one they spill.
constexpr bool passes_on(const cpu_gemm_tuning& t) { return !t.plain; }
constexpr bool passes_on(const gpu_gemm_tuning&) { return true; }

/// A record's tuning adapted to another size: with the number of threads that leaves the fewest idle, without more
/// tiles per thread than before.
constexpr gpu_gemm_tuning carried_over(const gpu_gemm_tuning& t, const gemm_form& from, const gemm_form& to,
                                       const gpu_limits& l) {
  gpu_gemm_tuning best = canonical_tuning(t, to, l);
  const index_t tiles = threads_of_tiles(best, to);
  index_t least = 0;
  for (index_t each = tiles_of_a_thread(t, from); each >= 1; --each) {
    gpu_gemm_tuning other = canonical_tuning(t, to, l);
    other.threads = int(rounded_up(pieces_of(tiles, each), 32));
    if (each > 1) other.over_a = 0;
    if (fits(other, to, l) && (least == 0 || each * other.threads < least)) best = other, least = each * other.threads;
  }
  return best;
}
constexpr cpu_gemm_tuning carried_over(const cpu_gemm_tuning& t, const gemm_form&, const gemm_form& to,
                                       const cpu_limits& l) {
  return canonical_tuning(t, to, l);
}

/// Entries of all tiles, with those of idle threads, divided by entries of results.
constexpr double tiles_over_results(const gpu_gemm_tuning& t, const gemm_form& f) {
  return double(tiles_of_a_thread(t, f) * t.threads * t.tile_rows * t.tile_cols) / double(t.matrices * f.m * f.n);
}
/// The loss of a tuning that is used for another size: 1 for none, 2 if half of the threads' entries are padding.
constexpr double loss_of(const gpu_gemm_tuning& t, const gemm_form& from, const gemm_form& to, const gpu_limits& l) {
  const double loss = tiles_over_results(carried_over(t, from, to, l), to) / tiles_over_results(t, from);
  return loss > 1 ? loss : 1;
}
constexpr double loss_of(const cpu_gemm_tuning&, const gemm_form&, const gemm_form&, const cpu_limits&) { return 1; }

template <class Record>
constexpr bool has_layouts(const Record& r, const packed_layouts& wanted) {
  if constexpr (requires { r.layouts; }) return r.layouts == wanted;
  return wanted == packed_layouts{};
}

/// Position in [first, last) of the record of `f`'s type (or of the one that it is tuned like), regime and layouts
/// whose size is nearest to that of `f`; records whose tuning loses much there count as further away. -1 if none is
/// close enough. `f.n` is not 0.
template <class Records, class Limits>
constexpr int nearest_record(const Records& all, int first, int last, const gemm_form& f, const Limits& limits) {
  const product_size wanted{f.m, f.n, f.k};
  const scalar_type type = tuned_like(f.type);
  int best = -1;
  double least = 0;
  for (int i = first; i < last; ++i) {
    const auto& r = all[std::size_t(i)];
    if (r.in != f.in || r.type != type) continue;
    const product_size size{r.m, r.n, r.k};
    if (!has_layouts(r, f.layouts) || !passes_on(r.tuning) || !is_near(size, wanted) ||
        !fits(canonical_tuning(r.tuning, f, limits), f, limits))
      continue;
    const double loss = loss_of(r.tuning, {r.type, r.m, r.n, r.k, r.in, f.layouts}, f, limits),
                 away = double(distance(size, wanted)) * loss * loss * loss * loss;
    if (best < 0 || away < least) best = i, least = away;
  }
  return best;
}

}  // namespace tessera::detail
