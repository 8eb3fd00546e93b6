// SPDX-License-Identifier: BSD-3-Clause
// Whether two builds made the same machine code of a family's kernels, whatever the names in their sources are.
#pragma once

#include <string>
#include <vector>

#include "restamp/object_code.hpp"

namespace tessera::tune {

struct code_comparison {
  int objects = 0, functions = 0, data = 0;  // compared, and the same or not
  int renamed = 0;                           // symbols elsewhere, of the former build, that the latter does not name
  std::vector<std::string> differences;      // a line an object

  bool same() const { return differences.empty(); }
};

/// Object by object, as they are named; functions and data of an object in any order. Throws tessera::error where the
/// two are of other compilers or machines, or where there are no functions.
code_comparison compared_code(std::vector<object_code> former, std::vector<object_code> latter);

}  // namespace tessera::tune
