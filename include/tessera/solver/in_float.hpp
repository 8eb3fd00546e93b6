// SPDX-License-Identifier: BSD-3-Clause
// A preconditioner in single precision for solvers in double.
#pragma once

#include <tessera/solver/linear_operator.hpp>

namespace tessera {

/// z = M r, computed in float; numbers of r below 1e-38 are 0 there. It has two vectors of its own, so only one
/// application runs at a time.
linear_operator<double> in_float(const linear_operator<float>& M);

}  // namespace tessera
