// SPDX-License-Identifier: BSD-3-Clause
// Corner forces of single zones by plain loops, with sums in long double: what the forces of the library are compared
// with.
#pragma once

#include <vector>

#include <tessera/fem/hydro/gas_spaces.hpp>
#include <tessera/hydro/gas_point.hpp>

namespace tessera::bench {

/// L-vectors of the nodes, and energies zone after zone.
struct gas_fields {
  const double *x = nullptr, *v = nullptr, *e = nullptr;
  const double* w = nullptr;  // the velocity that the power is of
};

struct plain_zone {
  std::vector<long double> forces;  // entry i of component c at [i + nodes c]
  std::vector<long double> power;   // of each energy
  double rate = 0;                  // the highest
};

plain_zone plain_forces(const fem::gas_spaces& in, const hydro::gas_rules& rules, const gas_fields& of, index_t zone);

}  // namespace tessera::bench
