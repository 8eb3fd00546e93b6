// SPDX-License-Identifier: BSD-3-Clause
// A gas in the unit square or cube with walls, on a box of zones that have moved, with all inputs of the phases.
#pragma once

#include <vector>

#include <tessera/fem/hydro/gas_spaces.hpp>

#include "hydro/gas_sizes.hpp"

namespace tessera::bench {

struct gas_box {
  fem::gas_spaces in;
  std::vector<double> state;          // x, v, e
  std::vector<double> other;          // another velocity
  std::vector<double> load, sources;  // drawn right-hand sides of the velocity and of the energy
};

/// Zones have bent since the start, so that no Jacobian is what it was.
gas_box make_gas_box(const gas_sizes& sizes);

/// The zones of the box that share a node with that one, itself among them.
std::vector<index_t> zones_around(const gas_sizes& sizes, index_t zone);

}  // namespace tessera::bench
