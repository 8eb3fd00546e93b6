// SPDX-License-Identifier: BSD-3-Clause
// Materials as a command line has them, and which zone has which.
#include "materials.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace tessera::blast {

zone_material material_from(const std::string& text) {
  const auto fail = [&](const std::string& why) -> void {
    throw std::runtime_error("the material '" + text + "': " + why);
  };
  zone_material made;
  std::istringstream in(text);
  char colons[3] = {};
  in >> made.attribute >> colons[0] >> made.density >> colons[1] >> made.energy >> colons[2] >> made.gamma;
  const bool separated = std::all_of(std::begin(colons), std::end(colons), [](char each) { return each == ':'; });
  if (!in || !separated || in.peek() != std::istringstream::traits_type::eof())
    fail("expected ATTRIBUTE:DENSITY:ENERGY:GAMMA");
  if (!(made.density > 0) || !std::isfinite(made.density)) fail("its density is not positive");
  if (!(made.energy >= 0) || !std::isfinite(made.energy)) fail("its energy is negative");
  if (!(made.gamma > 1) || !std::isfinite(made.gamma)) fail("its gamma is not above 1");
  return made;
}

void check_materials(const std::vector<zone_material>& materials, const zone_mesh& mesh) {
  for (auto each = materials.begin(); each != materials.end(); ++each) {
    const std::string attribute = std::to_string(each->attribute);
    if (std::find(mesh.attributes.begin(), mesh.attributes.end(), each->attribute) == mesh.attributes.end())
      throw std::runtime_error("no zone of the mesh has attribute " + attribute + ", which a material is given for");
    if (material_of(materials, each->attribute) != &*each)
      throw std::runtime_error("attribute " + attribute + " has two materials");
  }
}

const zone_material* material_of(const std::vector<zone_material>& materials, int attribute) {
  for (const zone_material& each : materials)
    if (each.attribute == attribute) return &each;
  return nullptr;
}

}  // namespace tessera::blast
