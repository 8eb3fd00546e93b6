// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix of a zone's energies.
#pragma once

#include <tessera/fem/hydro/gas_spaces.hpp>

namespace tessera::fem::detail {

/// For factors D at the zone's points, column-major, to M.
void energy_matrix(const gas_spaces& in, const double* D, double* M);

}  // namespace tessera::fem::detail
