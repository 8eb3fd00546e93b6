// SPDX-License-Identifier: BSD-3-Clause
// What the Poisson solver found on each mesh: a table, and a file for the chart.
#pragma once

#include <string>
#include <vector>

#include "box_mesh.hpp"

namespace tessera::examples {

/// A grid of nodes through the middle: all of a square, a plane of a cube.
struct slice {
  index_t side = 0;             // nodes in a direction
  std::vector<double> x, y, u;  // first direction fastest
};
slice slice_of(const box_mesh& mesh, const std::vector<std::vector<double>>& x, const std::vector<double>& u);

struct level {
  int cells = 0;
  index_t elements = 0, unknowns = 0;
  double error = 0, seconds = 0;
  std::vector<double> residuals;  // relative to the first
  std::string outcome;            // why it is not solved
  std::string kernel;
  slice drawn{};

  int iterations() const { return int(residuals.size()) - 1; }
};

/// The power of the elements' size with which the error falls, from the last two meshes.
double rate(const std::vector<level>& levels);

void print_head();
/// Of the last one.
void print_row(const std::vector<level>& levels, int dim);

/// Throws std::runtime_error if the file cannot be written.
void write_json(const std::string& file, int dim, int order, const std::string& where,
                const std::vector<level>& levels);

}  // namespace tessera::examples
