// SPDX-License-Identifier: BSD-3-Clause
// contract<> on static views in loops, double.
#include "small/inline_loops.hpp"

namespace tessera::bench {

const std::vector<inline_row>& inline_rows_f64() {
  static const std::vector<inline_row> rows = all_rows<double>();
  return rows;
}

}  // namespace tessera::bench
