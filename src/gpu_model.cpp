// SPDX-License-Identifier: BSD-3-Clause
// A rule of thumb in five factors: lanes, reads, bytes, threads, passes. On an H200 (f64, streamed; 14 rectangles, and
// 26 squares and axes of elements with a shared operand) what it takes reaches 98 and 95 % of the best of 16
// candidates.
#include <tessera/gpu_model.hpp>

#include <cmath>

#include <tessera/axes.hpp>

namespace tessera {

namespace {

constexpr double usual_bytes = 8192, usual_threads = 64;  // of a block

// How many times a differs from b, as a power of two.
double apart(double a, double b) { return std::abs(std::log2(a / b)); }

// No unit: to be compared among the tunings of one form only.
double cost_of(const gpu_gemm_tuning& t, const gemm_form& f) {
  const index_t tiles = detail::threads_of_tiles(t, f);
  const index_t passes = detail::pieces_of(tiles, t.threads);
  const double entries = double(t.tile_rows) * t.tile_cols, results = double(t.matrices * f.m * f.n);
  const double lanes = double(passes * t.threads) * entries / results;
  const double reads = (t.tile_rows + t.tile_cols) / entries;  // of shared memory, a multiply-add
  const index_t read = (is_shared(f.lies.left) ? 0 : f.m * f.k) + (is_shared(f.lies.right) ? 0 : f.k * f.n);
  const double bytes = double(t.matrices) *
                       (double(read) * double(size_of(f.type.in)) + double(f.m * f.n) * double(size_of(f.type.out)));
  return lanes * (1 + reads) * (1 + 0.2 * apart(bytes, usual_bytes)) * (1 + 0.1 * apart(t.threads, usual_threads)) *
         (1 + 0.15 * double(passes - 1));
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
