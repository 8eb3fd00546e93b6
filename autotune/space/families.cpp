// SPDX-License-Identifier: BSD-3-Clause
// The names of cases.
#include "family.hpp"

namespace tessera::tune {

std::string key_of(const tuning_case& c) {
  return std::string(name_of(c.on)) + " " + name_of(c.type) + " " + name_of(c.in) + " " + std::to_string(c.m) + "x" +
         std::to_string(c.n) + "x" + std::to_string(c.k);
}

}  // namespace tessera::tune
