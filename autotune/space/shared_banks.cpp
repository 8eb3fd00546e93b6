// SPDX-License-Identifier: BSD-3-Clause
// Bank conflicts of a block's warps: 32 banks of 4 bytes; lanes that read the same word need one access.
#include "space/shared_banks.hpp"

#include <algorithm>

#include <tessera/detail/order_of_k.hpp>

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
// the same, since a block's part of B repeats with every column of threads.
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

// Of a product, by threads, or by warps with tensor cores.
struct product_tiles {
  index_t down, across;
  index_t each() const { return down * across; }
};

product_tiles tiles_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  return {tessera::detail::pieces_of(f.m, t.tile_rows * threads_down_a_tile(t)),
          tessera::detail::pieces_of(f.n, t.tile_cols * threads_across_a_tile(t))};
}

// The first entries that a thread reads and writes.
struct first_entries {
  index_t product, left_row, left_k, right_k, right_col, out_col;
};

first_entries of_thread(index_t thread, const product_tiles& tiles, const gpu_gemm_tuning& t, int apart) {
  const index_t unit = t.tensor_cores ? lanes : 1, tile = thread / unit, in_product = tile % tiles.each();
  const index_t i = in_product % tiles.down, j = in_product / tiles.down;
  if (!t.tensor_cores) return {tile / tiles.each(), i * t.row_vector, 0, 0, j, j};
  const index_t group = thread % lanes / 4, quarter = thread % 4, first_col = j * t.tile_cols * 4;
  return {tile / tiles.each(), i * t.tile_rows * 8 + group * t.row_vector,
          quarter * apart,     quarter * apart,
          first_col + group,   first_col + 2 * quarter};
}

int steps_joined(const gemm_form& f) {
  const index_t word = index_t(size_of(f.type.in));
  for (const int bytes : {16, 8})
    if (f.k * word % bytes == 0) return std::max(1, bytes / int(word));
  return 1;
}

device::order_of_k order_of(const gpu_gemm_tuning& t, const gemm_form& f, const device::packed_plan& at) {
  const int vector = is_by_rows(f.layouts.left) ? 1 : t.row_vector;
  return device::order_for(int(f.k), at.left_tiles, t.tile_rows / vector, vector, at.right_tiles, t.tile_cols / 2);
}

device::packed_plan plan_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  return {
      {int(f.m), int(f.n), int(f.k), f.layouts}, {int(size_of(f.type.in)), int(size_of(f.type.out))}, t, {true, false}};
}

}  // namespace

int steps_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  return t.tensor_cores ? order_of(t, f, plan_of(t, f)).steps() : int(f.k);
}

access_widths widths_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  if (t.tensor_cores) return {is_by_rows(f.layouts.left) ? 1 : t.row_vector, 1};
  const int steps = steps_joined(f);
  return {is_by_rows(f.layouts.left) ? steps : t.row_vector, is_by_rows(f.layouts.right) ? 1 : steps};
}

tile_warps warps_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const index_t all = tessera::detail::threads_of_tiles(t, f), whole = all / t.threads, rest = all % t.threads;
  return {int(whole * (t.threads / lanes) + (rest + lanes - 1) / lanes), int(whole + (rest > 0 ? 1 : 0))};
}

bank_cycles bank_cycles_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const product_tiles tiles = tiles_of(t, f);
  const index_t all = tessera::detail::threads_of_tiles(t, f);
  const int words = int(size_of(f.type.in)) / 4;
  const device::packed_plan at = plan_of(t, f);
  const access_widths width = widths_of(t, f);
  const int apart = t.tensor_cores ? order_of(t, f, at).apart : 1;
  cycles left, right, out;
  double sectors = 0;
  index_t warps = 0;
  // Every pass begins a multiple of 32 tiles after the previous one: warp w has the tiles from 32 w on.
  constexpr index_t most_warps = 8;
  for (index_t first = 0; first < all && warps < most_warps; first += lanes, ++warps) {
    access to_left, to_right, to_out;
    for (index_t thread = first; thread < std::min(all, first + lanes); ++thread) {
      const first_entries e = of_thread(thread, tiles, t, apart);
      to_left.add(e.product * at.left_tiles.copy + e.left_row * at.left_tiles.row + e.left_k * at.left_tiles.col);
      to_right.add(e.product * at.right_tiles.copy + e.right_k * at.right_tiles.row + e.right_col * at.right_tiles.col);
      to_out.add(e.product * at.out_tiles.each + e.left_row * at.out_tiles.row + e.out_col * at.out_tiles.col);
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
