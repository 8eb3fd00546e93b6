// SPDX-License-Identifier: BSD-3-Clause
// A gas that is hot in a corner of a box with walls, and runs of it.
#pragma once

#include <tessera/fem/hydro/gas_run.hpp>

#include <cmath>
#include <vector>

#include "gas_case.hpp"

namespace tessera::testing {

struct run_case {
  fem::gas_spaces in;
  numbers start;
};

inline run_case hot_corner(int dim, const index_t (&cells)[3], const fem::gas_orders& of) {
  gas_case drawn = drawn_gas(dim, cells, of, false);
  fem::gas_nodes nodes = drawn.in.nodes;
  // The component across a side of the box is 0 there.
  for (int c = 0; c < dim; ++c)
    for (index_t i = 0; i < nodes.count; ++i) {
      const double x = nodes.coordinates[std::size_t(i + nodes.count * c)];
      if (x == 0 || x == double(cells[c])) nodes.walls.push_back(i + nodes.count * c);
    }
  run_case made{.in = fem::make_gas_spaces(dim, nodes,
                                           {.density = [](index_t, const fem::point&) { return 1.0; },
                                            .gamma = [](index_t, const fem::point& x) { return x[0] < 1 ? 1.4 : 1.5; }},
                                           of),
                .start = nodes.coordinates};
  made.start.resize(std::size_t(2 * made.in.kinematic()));
  const numbers e = fem::energy_coefficients(made.in, [](index_t, const fem::point& x) {
    return 0.1 + 2 * std::exp(-x[0] * x[0] - x[1] * x[1] - x[2] * x[2]);
  });
  made.start.insert(made.start.end(), e.begin(), e.end());
  return made;
}

}  // namespace tessera::testing
