// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, one sum for each entry of C, squares 1..16: g++ vectorises n = 2, 4, 8 best like this.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_sum() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_sum, double, false, false, 16>(all);
    append_squares<by_sum, float, false, false, 16>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
