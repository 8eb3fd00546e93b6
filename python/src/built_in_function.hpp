// SPDX-License-Identifier: BSD-3-Clause
// The pointwise functions of built-in operators, and their transposes, as functions of a user.
#pragma once

#include <tessera/element/evaluation.hpp>

namespace tessera::python {

/// For operators that no kind has: the transposes of convection and advection_diffusion, which take D of those. A CPU
/// calls it for blocks of points, a GPU compiles its text.
template <class T>
compiled_function<T> built_in_function(operator_kind kind, int dim, bool transposed);

}  // namespace tessera::python
