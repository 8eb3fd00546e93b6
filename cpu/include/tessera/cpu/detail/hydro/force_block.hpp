// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of corner forces is called with, and the kernels of an instruction set.
#pragma once

#include <cstdint>

#include <tessera/detail/hydro/zone_program.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// Of a direction.
struct force_zone {
  int nodes = 2, energies = 1, points = 2;
};

/// As many zones as a vector has lanes. What a block has of its own is interleaved: entry i of lane w at [w + lanes i],
/// aligned to a vector.
struct force_block {
  force_zone of;
  detail::force_task task;
  hydro::gas_rules rules;
  detail::zone_tables tables;
  const std::int64_t* numbers = nullptr;  // of the nodes
  const double *mass = nullptr, *gamma = nullptr;
  const double* start_inverse = nullptr;
  index_t start_step = 0;         // entries from a point to the next
  const index_t* zone = nullptr;  // of each lane; those from `active` on repeat another's
  index_t active = 0;
  index_t zone_nodes = 0, zone_energies = 0;
  index_t stride = 0;                // from a component of the nodes to the next
  const double* fields[3] = {};      // x, v, w
  const double* energies = nullptr;  // zone after zone
  double *forces = nullptr, *power = nullptr, *rates = nullptr;
  bool highest_rates = false;
  double* scratch = nullptr;
};

struct force_kernels {
  target isa;
  int lanes;
  void (*run[3])(const force_block&);  // by dimension
  index_t (*scratch[3])(const force_zone&, const detail::force_task&);
};

}  // namespace tessera
