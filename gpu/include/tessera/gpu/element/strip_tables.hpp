// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by strips.
#pragma once

#include <vector>

#include <tessera/element/strip_room.hpp>

namespace tessera::device {

/// Of functions with values (q,d) at the points and slopes there: both padded to squares.
inline std::vector<double> tables_of_strips(const strip_room& room, const std::vector<double>& values,
                                            const std::vector<double>& slopes) {
  constexpr int square = strip_room::square;
  const int q = room.of.points;
  std::vector<double> all(2 * square * square);
  for (int i = 0; i < room.of.functions; ++i)
    for (int k = 0; k < q; ++k) {
      all[std::size_t(k + square * i)] = values[std::size_t(k + q * i)];
      all[std::size_t(square * square + k + square * i)] = slopes[std::size_t(k + q * i)];
    }
  return all;
}

}  // namespace tessera::device
