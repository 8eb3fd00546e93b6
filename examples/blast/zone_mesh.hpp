// SPDX-License-Identifier: BSD-3-Clause
// Zones of a Lagrangian mesh at the start: segments, quadrilaterals or hexahedra between vertices, and its sides.
#pragma once

#include <tessera/core/types.hpp>

#include <array>
#include <string>
#include <vector>

namespace tessera::blast {

/// Corners of a zone and of a side follow each other as the nodes of an element of order 1 do: first direction fastest.
struct zone_mesh {
  struct side {
    std::vector<index_t> corners;  // 2^(dim-1)
    int attribute = 1;             // 1, 2, 3: the velocity has no x, y, z component there
  };

  int dim = 2;
  std::vector<std::array<double, 3>> vertices;
  std::vector<index_t> corners;  // 2^dim of each zone
  std::vector<int> attributes;   // of the zones
  std::vector<side> sides;       // the boundary

  int zone_corners() const { return 1 << dim; }
  index_t zones() const { return index_t(attributes.size()); }
  index_t corner(index_t zone, int c) const { return corners[std::size_t(zone * zone_corners() + c)]; }
};

/// Zones between the given coordinates of each direction; sides across direction a have attribute a + 1.
zone_mesh box_of_zones(const std::vector<std::vector<double>>& lines);

/// Each zone halved in every direction, `times` times over.
zone_mesh refined(const zone_mesh& mesh, int times);

/// A file of MFEM's format "MFEM mesh v1.0": straight segments, quadrilaterals and hexahedra. Throws naming the line
/// that is not as the format says, or what is not supported.
zone_mesh read_mfem_mesh(const std::string& file);
/// Throws if the file cannot be written.
void write_mfem_mesh(const std::string& file, const zone_mesh& mesh);

}  // namespace tessera::blast
