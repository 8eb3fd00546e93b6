// SPDX-License-Identifier: BSD-3-Clause
// How far results of two backends are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ceed_test {

/// The largest difference, relative to the largest entry; infinite for other sizes and where one is no number.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return INFINITY;
    most = std::max(most, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return most == 0 ? 0 : most / largest;
}

}  // namespace ceed_test
