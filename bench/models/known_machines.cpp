// SPDX-License-Identifier: BSD-3-Clause
// Finds a GPU by its name.
#include "models/known_machines.hpp"

#include <tessera/error.hpp>

namespace tessera::bench::models {

std::string names_of_machines() {
  std::string known;
  for (const known_machine& m : known_machines) known += (known.empty() ? "" : ", ") + std::string(m.name);
  return known;
}

const known_machine& machine_called(std::string_view name) {
  for (const known_machine& m : known_machines)
    if (name == m.name) return m;
  throw error("--machine: '" + std::string(name) + "' is neither measured nor one of " + names_of_machines());
}

}  // namespace tessera::bench::models
