// SPDX-License-Identifier: BSD-3-Clause
// The demo's cases: each builds its mesh and operator, checks the result and has it timed.
#pragma once

#include "limits.hpp"
#include "outcome.hpp"

namespace tessera::demo {

/// y = A x of every element; on a CPU also by the plain loop and an assembled matrix.
outcome apply_case(const element_sizes& s, space_kind space, const settings& how, limits& machine);

/// The full matrices of the elements.
outcome matrices_case(const element_sizes& s, space_kind space, const settings& how, limits& machine);

}  // namespace tessera::demo
