// SPDX-License-Identifier: BSD-3-Clause
// A rule of thumb in six factors: lanes, reads, bytes, threads, passes, bank conflicts. On an H200 (f64, streamed; 14
// rectangles, and 26 squares and axes of elements with a shared operand) its choices reached 98 and 95 % of the best of
// 16 candidates, before bank conflicts were added.
#include <tessera/detail/gpu_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <tessera/detail/axes.hpp>

namespace tessera {

namespace {

constexpr double usual_bytes = 8192, usual_threads = 64;  // of a block
constexpr int shared_width = 128;                         // bytes a cycle
constexpr double memory_width = 18;                       // the same of memory, per multiprocessor

// The ratio of a and b as a power of two.
double apart(double a, double b) { return std::abs(std::log2(a / b)); }

// The shared memory transactions of one access by a warp's 32 threads: those to one bank are serialised.
int accesses_of(const std::array<index_t, 32>& entries, int word) {
  const index_t banks = shared_width / word;
  std::array<int, shared_width> in_bank{};
  int most = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto before = std::span(entries).first(i);
    if (std::ranges::find(before, entries[i]) == before.end())
      most = std::max(most, ++in_bank[std::size_t(entries[i] % banks)]);
  }
  return most;
}

// The cycles of shared memory for a product divided by those of memory, for the reads of a block's first warp.
double crowding_of(const gpu_gemm_tuning& t, const gemm_form& f, double bytes) {
  if (t.tensor_cores) return 0;  // their lines are staged with few bank conflicts
  const int word = int(size_of(f.type.in));
  const device::packed_plan at({int(f.m), int(f.n), int(f.k), f.layouts}, {word, int(size_of(f.type.out))}, t,
                               {false, false});
  const index_t down = detail::pieces_of(f.m, t.tile_rows), each = down * detail::pieces_of(f.n, t.tile_cols);
  std::array<index_t, 32> left{}, right{};
  for (index_t i = 0; i < 32; ++i) {
    const index_t product = i / each % t.matrices, row = i % each % down, col = i % each / down;
    left[std::size_t(i)] = product * at.left_tiles.copy + row * t.row_vector * at.left_tiles.row;
    right[std::size_t(i)] = product * at.right_tiles.copy + col * at.right_tiles.col;
  }
  const double accesses = t.tile_rows * accesses_of(left, word) + t.tile_cols * accesses_of(right, word);
  const double warps = double(detail::tiles_of_a_thread(t, f) * t.threads) / 32;
  return double(f.k) * accesses * warps / (bytes / memory_width);
}

// No unit: only comparable among the tunings of one form.
double cost_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const index_t tiles = detail::threads_of_tiles(t, f);
  const index_t passes = detail::pieces_of(tiles, t.threads);
  const double entries = double(t.tile_rows) * t.tile_cols, results = double(t.matrices * f.m * f.n);
  const double lanes = double(passes * t.threads) * entries / results;
  // Of shared memory, a multiply-add: with tensor cores for four k at once.
  const double reads =
      t.tensor_cores ? (t.tile_rows + t.tile_cols / 2.0) / (4 * entries) : (t.tile_rows + t.tile_cols) / entries;
  const index_t read = (is_shared(f.layouts.left) ? 0 : f.m * f.k) + (is_shared(f.layouts.right) ? 0 : f.k * f.n);
  const double bytes = double(t.matrices) *
                       (double(read) * double(size_of(f.type.in)) + double(f.m * f.n) * double(size_of(f.type.out)));
  return lanes * (1 + reads) * (1 + 0.2 * apart(bytes, usual_bytes)) * (1 + 0.1 * apart(t.threads, usual_threads)) *
         (1 + 0.15 * double(passes - 1)) * (1 + 0.9 * std::max(0.0, crowding_of(t, f, bytes) - 0.7));
}

}  // namespace

std::optional<gpu_gemm_tuning> modelled_gpu_tuning(const gemm_form& f, const gpu_limits& l) {
  std::optional<gpu_gemm_tuning> best;
  double least = 0;
  for (const int matrices : detail::groups)
    for (const int threads : detail::blocks)
      for (const int rows : detail::to_8)
        for (const int cols : detail::to_8) {
          const gpu_gemm_tuning t{matrices, threads, rows, cols};
          if (!fits(t, f, l)) continue;
          const double cost = cost_of(t, f);
          if (!best || cost < least) best = t, least = cost;
        }
  return best;
}

bool is_worth_passing_on(const gpu_gemm_tuning& t, const gemm_form& f, const gpu_limits& l) {
  constexpr double nearly = 1.15;
  const auto own = modelled_gpu_tuning(f, l);
  return !own || cost_of(t, f) <= nearly * cost_of(*own, f);
}

}  // namespace tessera
