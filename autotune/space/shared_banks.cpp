// SPDX-License-Identifier: BSD-3-Clause
// Bank conflicts of a block's warps: 32 banks of 4 bytes; lanes that read the same word share it.
#include "space/shared_banks.hpp"

#include <algorithm>

#include <tessera/packed_plan.hpp>

namespace tessera::tune {

namespace {

constexpr int lanes = 32, banks = 32;

// Entry numbers that the lanes of a warp access at once.
struct access {
  index_t entry[lanes];
  int count = 0;
  void add(index_t e) { entry[count++] = e; }
};

struct cycles {
  double taken = 0, least = 0;
};

// Lanes walk along rows, then columns, then products, so equal entries mostly follow each other; all are compared all
// the same, since a block's share of B repeats with every column of threads.
cycles cycles_of(const access& a, int words, int vector = 1) {
  index_t distinct[lanes];
  int count = 0;
  for (int i = 0; i < a.count; ++i)
    if (std::find(distinct, distinct + count, a.entry[i]) == distinct + count) distinct[count++] = a.entry[i];
  int in_bank[banks] = {}, most = 0;
  for (int i = 0; i < count; ++i)
    for (int w = 0; w < words * vector; ++w) most = std::max(most, ++in_bank[(distinct[i] * words + w) % banks]);
  const int least = (count * words * vector + banks - 1) / banks;
  return {double(most), double(least)};
}

int sectors_of(const access& a, int words) {
  index_t distinct[lanes];
  int count = 0;
  for (int i = 0; i < a.count; ++i) {
    const index_t sector = a.entry[i] * words / 8;
    if (std::find(distinct, distinct + count, sector) == distinct + count) distinct[count++] = sector;
  }
  return count;
}

struct block_tiles {
  index_t thread_rows, thread_cols, all;
};

block_tiles tiles_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const index_t rows = tessera::detail::pieces_of(f.m, t.tile_rows),
                cols = tessera::detail::pieces_of(f.n, t.tile_cols);
  return {rows, cols, rows * cols * t.matrices};
}

int steps_joined(const gemm_form& f) {
  const index_t word = index_t(size_of(f.type.in));
  for (const int bytes : {16, 8})
    if (f.k * word % bytes == 0) return std::max(1, bytes / int(word));
  return 1;
}

}  // namespace

access_widths widths_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const int steps = steps_joined(f);
  return {is_by_rows(f.lies.left) ? steps : t.row_vector, is_by_rows(f.lies.right) ? 1 : steps};
}

tile_warps warps_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const index_t all = tiles_of(t, f).all, whole = all / t.threads, rest = all % t.threads;
  return {int(whole * (t.threads / lanes) + (rest + lanes - 1) / lanes), int(whole + (rest > 0 ? 1 : 0))};
}

bank_cycles bank_cycles_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const block_tiles tiles = tiles_of(t, f);
  const int words = int(size_of(f.type.in)) / 4;
  const device::packed_plan at({int(f.m), int(f.n), int(f.k), f.lies},
                               {int(size_of(f.type.in)), int(size_of(f.type.out))}, t, {true, false});
  const access_widths width = widths_of(t, f);
  cycles left, right, out;
  double sectors = 0;
  index_t warps = 0;
  // Every pass begins a multiple of 32 tiles behind the one before: warp w has the tiles from 32 w on.
  constexpr index_t most_warps = 8;
  for (index_t first = 0; first < tiles.all && warps < most_warps; first += lanes, ++warps) {
    access to_left, to_right, to_out;
    for (index_t tile = first; tile < std::min(tiles.all, first + lanes); ++tile) {
      const index_t each = tiles.thread_rows * tiles.thread_cols, g = tile / each, in_product = tile % each;
      const index_t j = in_product / tiles.thread_rows, i = in_product % tiles.thread_rows;
      const index_t row = i * t.row_vector;
      to_left.add(g * at.left_tiles.copy + row * at.left_tiles.row);
      to_right.add(g * at.right_tiles.copy + j * at.right_tiles.col);
      to_out.add(g * at.out_tiles.each + row * at.out_tiles.row + j * at.out_tiles.col);
    }
    const auto add = [&](cycles& sum, const access& a, int vector = 1) {
      const cycles c = cycles_of(a, words, vector);
      sum.taken += c.taken;
      sum.least += c.least;
    };
    add(left, to_left, width.left);
    add(right, to_right, width.right);
    add(out, to_out);
    sectors += double(sectors_of(to_out, words)) * 8 / double(to_out.count * words);
  }
  const double n = double(warps);
  return {left.taken / n, right.taken / n,           out.taken / n, left.least / n, right.least / n,
          out.least / n,  std::max(1.0, sectors / n)};
}

}  // namespace tessera::tune
