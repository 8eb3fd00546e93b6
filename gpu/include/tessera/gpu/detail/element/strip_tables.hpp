// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by strips.
#pragma once

#include <vector>

#include <tessera/gpu/detail/element/strip_layout.hpp>

namespace tessera::device {

/// Of functions with values (q,d) at the points and slopes there: both padded to squares.
inline std::vector<double> tables_of_strips(const strip_layout& layout, const std::vector<double>& values,
                                            const std::vector<double>& slopes) {
  constexpr int square = strip_layout::square;
  const int q = layout.of.points;
  std::vector<double> all(2 * square * square);
  for (int i = 0; i < layout.of.functions; ++i)
    for (int k = 0; k < q; ++k) {
      double* const to = all.data() + (k + square * i);
      to[0] = values.data()[k + q * i];
      to[square * square] = slopes.data()[k + q * i];
    }
  return all;
}

}  // namespace tessera::device
