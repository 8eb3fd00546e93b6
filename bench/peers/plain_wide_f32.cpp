// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, float, with the compiler asked to prefer 512-bit vectors.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_wide_f32() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_column, float, false, false>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
