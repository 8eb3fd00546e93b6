// SPDX-License-Identifier: BSD-3-Clause
// One element's result against dense sums in long double, with the bound of rounding errors.
#pragma once

#include <string>
#include <vector>

#include "tuning_case.hpp"

namespace tessera::tune {

/// Empty if y = B^T D(B x), D being the numbers of all points of the element; else the wrong entry.
template <class T>
std::string fault_in_element(const tuning_case& c, const T* x, const std::vector<T>& D, const T* y);

}  // namespace tessera::tune
