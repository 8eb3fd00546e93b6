// SPDX-License-Identifier: BSD-3-Clause
// contract<> on static views in loops, float.
#include "small/inline_loops.hpp"

namespace tessera::bench {

const std::vector<inline_row>& inline_rows_f32() {
  static const std::vector<inline_row> rows = all_rows<float>();
  return rows;
}

}  // namespace tessera::bench
