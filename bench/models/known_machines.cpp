// SPDX-License-Identifier: BSD-3-Clause
// Finds a GPU of Sinkin's thesis by its name.
#include "models/known_machines.hpp"

#include <string>

#include <tessera/error.hpp>

namespace tessera::bench::models {

const known_machine& machine_called(std::string_view name) {
  std::string known;
  for (const known_machine& m : known_machines) {
    if (name == m.name) return m;
    known += (known.empty() ? "" : ", ") + std::string(m.name);
  }
  throw error("machine: '" + std::string(name) + "' is none of " + known);
}

}  // namespace tessera::bench::models
