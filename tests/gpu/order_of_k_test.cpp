// SPDX-License-Identifier: BSD-3-Clause
// The order in which warps on tensor cores take the terms of a sum: each once, without conflicts where there is a way.
#include <tessera/detail/order_of_k.hpp>

#include <vector>

#include <tessera/detail/gpu_tuning.hpp>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::device;

TEST_CASE("order of k: every term once, in as few steps as there can be", "[packed]") {
  for (int k = 1; k <= 40; ++k)
    for (const int apart : {1, 2, 4}) {
      const order_of_k order{k, apart};
      std::vector<int> taken(std::size_t(k), 0);
      int void_ones = 0;
      for (int step = 0; step < order.steps(); ++step)
        for (int quarter = 0; quarter < 4; ++quarter) {
          const int at = order.at(step, quarter);
          if (at < k)
            ++taken[std::size_t(at)];
          else
            ++void_ones;
        }
      INFO("k " << k << ", " << apart << " apart");
      CHECK(taken == std::vector<int>(std::size_t(k), 1));
      CHECK(void_ones < 4);
    }
}

TEST_CASE("order of k: accesses are counted by banks of 8 bytes", "[packed]") {
  CHECK(accesses_of(1, 4, 1) == 1);   // sixteen neighbours
  CHECK(accesses_of(1, 16, 1) == 4);  // four lines that start in one bank
  CHECK(accesses_of(1, 36, 1) == 1);  // with room
  CHECK(accesses_of(0, 0, 1) == 1);   // one entry for all
  CHECK(accesses_of(2, 36, 2) == 1);  // two entries a lane, eight lanes at a time
  CHECK(accesses_of(2, 32, 2) == 4);
}

TEST_CASE("order of k: squares whose lines are odd, or have room, meet in no bank", "[packed]") {
  const auto accesses = [](int n) {
    const packed_plan at({n, n, n}, 8, gpu_gemm_tuning{.tile_rows = 2, .tile_cols = 8, .tensor_cores = 1},
                         {false, false});
    const order_of_k order = order_for(n, at.left_tiles, 2, 1, at.right_tiles, 4);
    return accesses_of(at.left_tiles.row, order.apart * at.left_tiles.col, 1) +
           accesses_of(at.right_tiles.col, order.apart * at.right_tiles.row, 1);
  };
  for (int n = 5; n <= 32; ++n) {
    INFO("n " << n);
    // Lines of twice an odd number come without room, as whole shares: two at a time meet.
    if (n % 4 == 2)
      CHECK(accesses(n) <= 4);
    else
      CHECK(accesses(n) == 2);
  }
}
