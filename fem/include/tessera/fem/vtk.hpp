// SPDX-License-Identifier: BSD-3-Clause
// Files that ParaView and VTK draw: elements of any order, with fields at their nodes.
#pragma once

#include <tessera/fem/element_operator.hpp>

#include <string>
#include <vector>

namespace tessera::fem {

/// Entry i of component c of element e at values[i + n (c + C e)], n = (order + 1)^dim: a conventional E-vector of
/// Lagrange polynomials at the Gauss-Lobatto points. `restriction::to_elements` makes one from an L-vector.
struct element_field {
  std::string name;
  int order = 1;
  int components = 1;
  const double* values = nullptr;  ///< in host memory
};

/// Writes a .vtu file of Lagrange cells (curves, quadrilaterals, hexahedra), each with points of its own. Their order
/// is the highest of nodes and fields, so that both are exact; `nodes` are in host memory, coefficients are ignored.
/// Numbers are base64 of doubles. Throws naming the field or the file if it cannot be written.
void write_vtu(const std::string& file, const element_nodes<double>& nodes, const std::vector<element_field>& fields);

}  // namespace tessera::fem
