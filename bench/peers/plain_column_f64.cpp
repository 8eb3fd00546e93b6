// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, double, squares 1..32: the baseline for Tessera's kernels.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_column_f64() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_column, double, false, false>(all);
    append_squares<by_column, double, true, false>(all);
    append_squares<by_column, double, false, true>(all);
    append_squares<by_column, double, true, true>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
