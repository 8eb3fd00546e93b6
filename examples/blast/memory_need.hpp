// SPDX-License-Identifier: BSD-3-Clause
// How many zones a refined mesh has, and the memory that a run on them needs at least.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

#include "zone_mesh.hpp"

namespace tessera::blast {

/// Throws where a run on the mesh, refined so often, needs more than `available` bytes: with the number of zones.
void check_memory(const zone_mesh& coarse, int refinements, const fem::gas_orders& of, double available);

/// Bytes of this machine.
double memory_of_machine();

/// Of a run on so many zones, in host memory: what the points, nodes and energies have of numbers.
double least_bytes(int dim, double zones, const fem::gas_orders& of);

}  // namespace tessera::blast
