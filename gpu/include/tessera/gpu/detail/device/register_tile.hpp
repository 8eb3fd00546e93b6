// SPDX-License-Identifier: BSD-3-Clause
// How a small product is distributed over a group: every thread computes tiles of the result in registers.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

/// Rows x columns of the result that a thread computes at a time; 0 x 0 leaves the choice to the library.
struct register_tile {
  int rows = 0, cols = 0;
};

/// A lowered product and the group that computes it.
struct product_size {
  index_t m, n, k, loops;  // loops: products one after the other
  int threads;             // of the group
  int bytes;               // an entry

  constexpr index_t down(register_tile t) const { return (m + t.rows - 1) / t.rows; }
  constexpr index_t across(register_tile t) const { return (n + t.cols - 1) / t.cols; }
  constexpr index_t tiles(register_tile t) const { return down(t) * across(t) * loops; }
  constexpr index_t passes(register_tile t) const { return (tiles(t) + threads - 1) / threads; }
  constexpr index_t work(register_tile t) const { return index_t(t.rows) * t.cols * k * passes(t); }
};

/// The tile of least cost: a pass costs one multiplication per entry of the tile, and one load from shared memory,
/// three times as expensive, per row and column. Larger tiles load less, smaller ones occupy more threads.
constexpr register_tile tile_for(const product_size& p) {
  constexpr int longest = 8, most_bytes = 128, load = 3;
  register_tile best{1, 1};
  index_t least = -1;
  for (int rows = 1; rows <= longest && rows <= p.m; ++rows)
    for (int cols = 1; cols <= longest && cols <= p.n; ++cols) {
      const register_tile t{rows, cols};
      if (rows * cols * p.bytes > most_bytes) continue;
      const index_t cost = p.passes(t) * (rows * cols + load * (rows + cols));
      if (least < 0 || cost < least) least = cost, best = t;
    }
  return best;
}

/// `wanted`, or the library's choice; never larger than the result.
constexpr register_tile fitted(register_tile wanted, const product_size& p) {
  if (wanted.rows <= 0 || wanted.cols <= 0) return tile_for(p);
  if (wanted.rows > p.m) wanted.rows = p.m > 0 ? int(p.m) : 1;
  if (wanted.cols > p.n) wanted.cols = p.n > 0 ? int(p.n) : 1;
  return wanted;
}

/// Unroll factors. The operands of a single thread may be in registers, which have no addresses: then all loops are
/// unrolled, as long as the code stays reasonably short.
constexpr bool all_written_out(register_tile t, const product_size& p) { return p.threads == 1 && p.work(t) <= 4096; }
constexpr int unrolled_passes(register_tile t, const product_size& p) {
  const bool few = p.passes(t) <= 4 && p.work(t) <= 512;
  return few || all_written_out(t, p) ? int(p.passes(t)) : 1;
}
constexpr int unrolled_k(register_tile t, const product_size& p) {
  if (p.k == 0) return 1;
  const bool few = p.k <= 32 && index_t(t.rows) * t.cols * p.k <= 512;
  return few || all_written_out(t, p) ? int(p.k) : 4;
}

}  // namespace tessera::device
