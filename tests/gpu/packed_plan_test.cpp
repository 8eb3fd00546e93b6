// SPDX-License-Identifier: BSD-3-Clause
// Shared memory of packed products: as the rule of what fits counts it. Needs no GPU.
#include <tessera/gpu/packed_plan.hpp>

#include <tessera/axes.hpp>
#include <tessera/fits.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::device;

TEST_CASE("packed plan: fits counts the bytes of the kernel", "[packed]") {
  int compared = 0;
  for (const scalar_type type : {scalar_type::f32, scalar_type::f64})
    for (const packed_sizes s : {packed_sizes{1, 1, 1}, {5, 5, 5}, {8, 3, 7}, {3, 32, 2}, {31, 29, 30}, {32, 32, 32}})
      for (const int matrices : {1, 3, 4, 56})
        for (const int rows : {1, 2, 3, 8})
          for (const int cols : {1, 5})
            for (const int over_a : {0, 1}) {
              const gpu_gemm_tuning t{.matrices = matrices, .tile_rows = rows, .tile_cols = cols, .over_a = over_a};
              const packed_plan plan(s, int(size_of(type)), t, true);
              CHECK(shared_bytes_of(t, {type, s.m, s.n, s.k}) == plan.bytes);
              CHECK(packed_plan(s, int(size_of(type)), t, false).bytes <= plan.bytes);
              ++compared;
            }
  CHECK(compared == 2 * 6 * 4 * 4 * 2 * 2);
}

TEST_CASE("packed plan: shares start on pieces where a group is whole pieces, or one matrix serves all", "[packed]") {
  CHECK(starts_on_pieces({3, 3, 3}, 8, 2));
  CHECK_FALSE(starts_on_pieces({3, 3, 3}, 8, 1));
  CHECK_FALSE(starts_on_pieces({3, 3, 3}, 4, 2));
  CHECK(starts_on_pieces({3, 4, 4, lie::by_cols}, 8, 1));
  CHECK_FALSE(starts_on_pieces({3, 2, 3}, 8, 1));
  CHECK(starts_on_pieces({3, 2, 3, lie::shared_by_cols}, 8, 1));
}

TEST_CASE("packed plan: a kernel for any alignment serves all operands, one for aligned ones does not", "[packed]") {
  CHECK(serves({false, true}, false, true));
  CHECK(serves({false, true}, false, false));
  CHECK(serves({true, false}, true, false));
  CHECK_FALSE(serves({true, false}, true, true));
  CHECK_FALSE(serves({true, true}, false, false));
}
