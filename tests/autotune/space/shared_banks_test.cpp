// SPDX-License-Identifier: BSD-3-Clause
// Bank conflicts and warps of small blocks, against counting by hand.
#include "space/shared_banks.hpp"

#include "testing/catch.hpp"

namespace tessera::tune {
namespace {

constexpr gemm_form square(scalar_type type, index_t n) { return {type, n, n, n}; }

TEST_CASE("Warps and passes of a block", "[tune]") {
  // 4 products of 5 x 5 tiles on 64 threads: 100 tiles, the second pass with 36 of them.
  const tile_warps w =
      warps_of({.matrices = 4, .threads = 64, .tile_rows = 1, .tile_cols = 1}, square(scalar_type::f64, 5));
  CHECK(w.passes == 2);
  CHECK(w.count == 4);
  const tile_warps one =
      warps_of({.matrices = 1, .threads = 128, .tile_rows = 2, .tile_cols = 2}, square(scalar_type::f64, 8));
  CHECK(one.passes == 1);
  CHECK(one.count == 1);
}

TEST_CASE("Lanes along a column of A do not conflict, and share an entry of B", "[tune]") {
  const gpu_gemm_tuning t{.matrices = 1, .threads = 32, .tile_rows = 1, .tile_cols = 8};
  const bank_cycles f32 = bank_cycles_of(t, square(scalar_type::f32, 32));
  CHECK(f32.left == 1);
  CHECK(f32.right == 1);
  CHECK(f32.out == 1);
  CHECK(f32.sectors == 1);
  // 32 doubles are 64 words: two cycles, and no conflict.
  const bank_cycles f64 = bank_cycles_of(t, square(scalar_type::f64, 32));
  CHECK(f64.left == 2);
  CHECK(f64.least_left == 2);
  CHECK(f64.right == 1);
}

TEST_CASE("Columns of B that are a multiple of the banks apart conflict", "[tune]") {
  // One tile down, eight across: lane l reads two doubles of B at 8 l, 16 l words: eight banks for 128 words.
  const gpu_gemm_tuning t{.matrices = 4, .threads = 32, .tile_rows = 8, .tile_cols = 1};
  const bank_cycles c = bank_cycles_of(t, square(scalar_type::f64, 8));
  CHECK(c.right == 16);
  CHECK(c.least_right == 4);
  // A: four products, 128 words apart.
  CHECK(c.left == 4);
  CHECK(c.least_left == 1);
}

TEST_CASE("Lines along k that start on an access are read several steps at once", "[tune]") {
  const auto widths = [](scalar_type type, index_t n, packed_layouts layouts = {}) {
    return widths_of({.row_vector = 1}, {type, n, n, n, memory_regime::stream, layouts});
  };
  CHECK(widths(scalar_type::f64, 8).right == 2);
  CHECK(widths(scalar_type::f64, 8).left == 1);
  CHECK(widths(scalar_type::f64, 7).right == 1);
  CHECK(widths(scalar_type::f32, 8).right == 4);
  CHECK(widths(scalar_type::f32, 6).right == 2);
  CHECK(widths(scalar_type::f32, 7).right == 1);
  const packed_layouts by_rows{.left = packed_layout::by_rows, .right = packed_layout::by_rows};
  CHECK(widths(scalar_type::f32, 8, by_rows).left == 4);
  CHECK(widths(scalar_type::f32, 8, by_rows).right == 1);
  CHECK(widths_of({.row_vector = 2}, square(scalar_type::f32, 6)).left == 2);
}

TEST_CASE("A matrix that products share is read at the same place by all of them", "[tune]") {
  // Lanes of four products: A's rows 0..7 four times, 16 words; or of four matrices, 128 words apart.
  const gpu_gemm_tuning t{.matrices = 4, .threads = 32, .tile_rows = 1, .tile_cols = 8};
  gemm_form f = square(scalar_type::f64, 8);
  CHECK(bank_cycles_of(t, f).left == 4);
  f.layouts.left = packed_layout::shared_by_cols;
  CHECK(bank_cycles_of(t, f).left == 1);
}

TEST_CASE("Rows of A that lie apart are counted where they are staged", "[tune]") {
  // 32 rows of 16 doubles, which are staged 18 apart: two doubles an access, eight lanes a cycle.
  const gpu_gemm_tuning t{.matrices = 1, .threads = 32, .tile_rows = 1, .tile_cols = 16};
  const bank_cycles c =
      bank_cycles_of(t, {scalar_type::f64, 32, 16, 16, memory_regime::stream, {.left = packed_layout::by_rows}});
  CHECK(c.left == 4);
  CHECK(c.least_left == 4);
}

TEST_CASE("Rows in vectors take as many cycles as they have words", "[tune]") {
  // Sixteen lanes read two doubles each of a column of 32: 64 words.
  const gpu_gemm_tuning t{.matrices = 1, .threads = 32, .tile_rows = 2, .tile_cols = 16, .row_vector = 2};
  const bank_cycles c = bank_cycles_of(t, square(scalar_type::f64, 32));
  CHECK(c.left == 2);
  CHECK(c.least_left == 2);
}

TEST_CASE("Odd strides spread over the banks", "[tune]") {
  const gpu_gemm_tuning t{.matrices = 8, .threads = 32, .tile_rows = 7, .tile_cols = 1};
  const bank_cycles odd = bank_cycles_of(t, square(scalar_type::f32, 7));
  CHECK(odd.right == 1);
}

TEST_CASE("Warps on tensor cores count steps of four and the lines that they read at once", "[tune]") {
  const gpu_gemm_tuning t{.matrices = 1, .threads = 32, .tile_rows = 2, .tile_cols = 8, .tensor_cores = 1};
  CHECK(steps_of(t, square(scalar_type::f64, 16)) == 4);
  CHECK(steps_of(t, square(scalar_type::f64, 31)) == 8);
  CHECK(steps_of({}, square(scalar_type::f64, 16)) == 16);
  CHECK(warps_of(t, square(scalar_type::f64, 31)).count == 2);
  // 32 different doubles are two cycles: where lines are staged with room, and by fours of k where they are odd.
  for (const int n : {12, 16, 20, 24, 28, 32, 17, 31}) {
    INFO("n " << n);
    CHECK(bank_cycles_of(t, square(scalar_type::f64, n)).left == 2);
    CHECK(bank_cycles_of(t, square(scalar_type::f64, n)).right == 2);
  }
}

TEST_CASE("Scattered entries of C touch more sectors than they fill", "[tune]") {
  // One tile down: lanes write entries 8 apart, a sector each.
  const gpu_gemm_tuning t{.matrices = 4, .threads = 32, .tile_rows = 8, .tile_cols = 1};
  CHECK(bank_cycles_of(t, square(scalar_type::f32, 8)).sectors == 8);
  CHECK(bank_cycles_of(t, square(scalar_type::f64, 8)).sectors == 4);
}

}  // namespace
}  // namespace tessera::tune
