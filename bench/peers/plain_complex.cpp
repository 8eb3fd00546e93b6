// SPDX-License-Identifier: BSD-3-Clause
// Plain loops over complex numbers, a column of C in registers, squares 1..16.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_complex() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_column, complex<double>, false, false, 16>(all);
    append_squares<by_column, complex<float>, false, false, 16>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
