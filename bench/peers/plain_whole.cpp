// SPDX-License-Identifier: BSD-3-Clause
// Plain loops, all of C in a local array, squares 1..12: above that compilers spill it.
#include "peers/plain.hpp"

namespace tessera::bench {

const std::vector<plain_row>& plain_whole() {
  static const std::vector<plain_row> rows = [] {
    std::vector<plain_row> all;
    append_squares<by_whole, double, false, false, 12>(all);
    append_squares<by_whole, float, false, false, 12>(all);
    return all;
  }();
  return rows;
}

}  // namespace tessera::bench
