// SPDX-License-Identifier: BSD-3-Clause
// The problems: gases at the start, what drives them, and the meshes that they are defined on.
#pragma once

#include <tessera/fem/hydro/gas_fields.hpp>

#include <string>
#include <vector>

#include "zone_mesh.hpp"

namespace tessera::blast {

using vec = fem::point;

/// Of a point of the mesh at the start.
struct problem {
  int number = 0;
  std::string name;
  bool velocity_known = false;  ///< it stays what it is at the start: errors are known
  fem::gas_physics physics{};
  double (*density)(const vec& x, int dim) = nullptr;
  double (*gamma)(const vec& x, int dim) = nullptr;
  vec (*velocity)(const vec& x, int dim) = nullptr;
  /// Internal energy per mass; null: all energy is in one corner of the mesh, at the origin.
  double (*energy)(const vec& x, int dim) = nullptr;
};

/// 0..7, in `dim` dimensions; throws for others and for dimensions in which it is not defined.
problem problem_of(int number, int dim);
/// "0 Taylor-Green vortex, 1 Sedov blast wave, ...".
std::string problem_names();
/// The mesh that a problem is defined on, before it is refined.
zone_mesh mesh_of(const problem& which, int dim);
}  // namespace tessera::blast
