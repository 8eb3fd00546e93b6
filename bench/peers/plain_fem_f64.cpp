// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, a column of C in registers, double, in the shapes of sum factorisation with p + 1 nodes and p + 1 or p +
// 2 points.
#include "peers/plain_fem.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_fem_f64() {
  static const std::vector<plain_row> rows = fem_rows<double>();
  return rows;
}

}  // namespace tessera::bench
