// SPDX-License-Identifier: BSD-3-Clause
// The GPU model: counts by hand, residency, and preferences that were measured.
#include <cmath>
#include <string>

#include "space.hpp"
#include "space/model.hpp"
#include "testing/catch.hpp"

namespace tessera::tune {
namespace {

const machine_limits h200{.bandwidth_cache = 6e12,
                          .bandwidth_stream = 4.26e12,
                          .flops_f32 = 63.6e12,
                          .flops_f64 = 33e12,
                          .clock = 1.98e9,
                          .shared_bandwidth = 33.4e12,
                          .multiprocessors = 132};

tuning_case square(scalar_type type, index_t n) { return {target::cuda, type, memory_regime::stream, n, n, n}; }

prediction predicted(const gpu_gemm_tuning& t, const tuning_case& c) { return predict(t, c, h200, gpu_limits{}); }

TEST_CASE("Counts of a block without padding", "[tune]") {
  // 4 products of 4 x 4 tiles: 64 threads, one pass.
  const prediction p =
      predicted({.matrices = 4, .threads = 64, .tile_rows = 2, .tile_cols = 2}, square(scalar_type::f64, 8));
  CHECK(p.fmas == 8 * 8 * 8);
  CHECK(p.bytes == 8 * 64 * 3.5);
  // Of a thread: two entries of A a step, two of B every other step; half of the calls read four entries of C.
  CHECK(p.loads == 16 * (8 * 3 + 4 / 2.0));
  CHECK(p.stores == 64);
  CHECK(p.registers == (4 + 2 + 2) * 2 + 32);
}

TEST_CASE("Lanes without a tile and ragged tiles are counted", "[tune]") {
  const tuning_case c = square(scalar_type::f64, 5);
  const prediction exact = predicted({.matrices = 32, .threads = 160, .tile_rows = 1, .tile_cols = 5}, c);
  CHECK(exact.fmas == 5 * 5 * 5);
  const prediction ragged = predicted({.matrices = 32, .threads = 160, .tile_rows = 3, .tile_cols = 5}, c);
  CHECK(ragged.fmas == 6 * 5 * 5);
  const prediction idle = predicted({.matrices = 4, .threads = 32, .tile_rows = 1, .tile_cols = 5}, c);
  CHECK(idle.fmas == 32.0 / 20 * 125);
}

TEST_CASE("Shared memory and registers bound the blocks of a multiprocessor", "[tune]") {
  const tuning_case c = square(scalar_type::f64, 16);
  const gpu_gemm_tuning few{.matrices = 2, .threads = 64, .tile_rows = 2, .tile_cols = 4};
  gpu_gemm_tuning many = few;
  many.matrices = 16;
  CHECK(predicted(few, c).occupancy > predicted(many, c).occupancy);
  CHECK(predicted(many, c).occupancy == 2 * 64 / 2048.0);  // 98 KiB a block
  CHECK(predicted(few, c).seconds < predicted(many, c).seconds);
}

TEST_CASE("Conflicts decide where they were measured to decide", "[tune]") {
  // f32, n = 8: 65 % of copy with 2 x 4 tiles, 95 % with 1 x 2.
  const tuning_case c = square(scalar_type::f32, 8);
  const prediction wide = predicted({.matrices = 32, .threads = 256, .tile_rows = 2, .tile_cols = 4}, c);
  const prediction narrow = predicted({.matrices = 32, .threads = 256, .tile_rows = 1, .tile_cols = 2}, c);
  CHECK(wide.conflicts > narrow.conflicts);
  CHECK(narrow.seconds <= wide.seconds);
  CHECK(std::string(narrow.limited_by) == "memory");
}

TEST_CASE("Small products are bound by memory, single entries a thread by shared memory", "[tune]") {
  CHECK(std::string(
            predicted({.matrices = 24, .threads = 96, .tile_rows = 2, .tile_cols = 3}, square(scalar_type::f64, 5))
                .limited_by) == "memory");
  const tuning_case large = square(scalar_type::f32, 32);
  const prediction single = predicted({.matrices = 1, .threads = 256, .tile_rows = 1, .tile_cols = 1}, large);
  CHECK(std::string(single.limited_by) == "shared memory");
  CHECK(predicted({.matrices = 4, .threads = 256, .tile_rows = 4, .tile_cols = 4}, large).seconds < single.seconds);
}

TEST_CASE("An old C that goes straight to registers does not pass through shared memory", "[tune]") {
  const tuning_case c = square(scalar_type::f64, 16);
  const gpu_gemm_tuning staged{.matrices = 2, .threads = 64, .tile_rows = 2, .tile_cols = 4};
  gpu_gemm_tuning direct = staged;
  direct.over_a = 1;
  CHECK(predicted(direct, c).shared_bytes < predicted(staged, c).shared_bytes);
  CHECK(predicted(direct, c).bytes == predicted(staged, c).bytes);
  // Where only a new C takes an input's place, adding is as before and the rest needs less room.
  gpu_gemm_tuning new_only = staged;
  new_only.over_a = 2;
  CHECK(predicted(new_only, c).shared_bytes == predicted(staged, c).shared_bytes);
  CHECK(predicted(new_only, c).seconds <= predicted(staged, c).seconds);
}

TEST_CASE("Tensor cores multiply large products in fewer instructions", "[tune]") {
  const tuning_case c = square(scalar_type::f64, 32);
  const prediction threads = predicted({.matrices = 1, .threads = 64, .tile_rows = 2, .tile_cols = 8}, c);
  const prediction warps =
      predicted({.matrices = 1, .threads = 64, .tile_rows = 2, .tile_cols = 8, .tensor_cores = 1}, c);
  CHECK(warps.fmas == threads.fmas);
  CHECK(warps.loads < threads.loads);
  CHECK(warps.shared_bytes < threads.shared_bytes);
  CHECK(warps.seconds < threads.seconds);
}

TEST_CASE("Without any known limit predictions are finite", "[tune]") {
  const prediction p = predict(gpu_gemm_tuning{}, square(scalar_type::f64, 8), {}, gpu_limits{});
  CHECK(std::isfinite(p.seconds));
  CHECK(p.seconds > 0);
}

}  // namespace
}  // namespace tessera::tune
