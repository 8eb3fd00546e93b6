// SPDX-License-Identifier: BSD-3-Clause
// Gases that zones have by their attribute in a mesh's file, in the place of the problem's own.
#pragma once

#include <string>
#include <vector>

#include "zone_mesh.hpp"

namespace tessera::blast {

struct zone_material {
  int attribute = 1;
  double density = 1, energy = 1, gamma = 1.4;  ///< energy: internal, per mass
};

/// Of "ATTRIBUTE:DENSITY:ENERGY:GAMMA". Throws for other texts, and for numbers that are none of a gas.
zone_material material_from(const std::string& text);

/// Throws where two are of one attribute, and where no zone has it.
void check_materials(const std::vector<zone_material>& materials, const zone_mesh& mesh);

/// Null: a zone of this attribute has the problem's gas.
const zone_material* material_of(const std::vector<zone_material>& materials, int attribute);

}  // namespace tessera::blast
