// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, float, squares 1..32: the baseline for Tessera's kernels.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_column_f32() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_column, float, false, false>(all);
    append_squares<by_column, float, true, false>(all);
    append_squares<by_column, float, false, true>(all);
    append_squares<by_column, float, true, true>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
