// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, float, rows marked for SIMD, 512-bit vectors preferred.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_simd_f32() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_simd_column, float, false, false>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
