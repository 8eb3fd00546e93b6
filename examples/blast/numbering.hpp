// SPDX-License-Identifier: BSD-3-Clause
// The nodes of continuous functions of any order on a mesh: one number for each, places, and what is fixed at walls.
#pragma once

#include <cstdint>
#include <vector>

#include "zone_mesh.hpp"

namespace tessera::blast {

struct numbered_nodes {
  index_t count = 0;
  index_t zone_nodes = 0;              // (order + 1)^dim
  std::vector<std::int64_t> number{};  // of node i of zone z: [i + zone_nodes z]
  std::vector<double> coordinates{};   // component c of node i: [i + count c]
  std::vector<index_t> walls{};        // i + count c where component c of the velocity of node i is 0; ascending
};

/// Gauss-Lobatto nodes, those of a zone in order of an element's, first direction fastest. Throws for sides with an
/// attribute that is no component.
numbered_nodes number_nodes(const zone_mesh& mesh, int order);

}  // namespace tessera::blast
