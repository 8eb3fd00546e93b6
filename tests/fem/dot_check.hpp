// SPDX-License-Identifier: BSD-3-Clause
// Whether a number is x.y of two vectors but for rounding.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace tessera::testing {

template <class T>
bool is_dot(double dot, const std::vector<T>& x, const std::vector<T>& y) {
  double sum = 0, sizes = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum += double(x[k]) * double(y[k]);
    sizes += std::abs(double(x[k]) * double(y[k]));
  }
  return std::abs(dot - sum) <= 1000 * double(std::numeric_limits<T>::epsilon()) * sizes;
}

}  // namespace tessera::testing
