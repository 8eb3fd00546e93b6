// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, double, squares 1..32, always compiled by clang.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_clang_f64() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_column, double, false, false>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
