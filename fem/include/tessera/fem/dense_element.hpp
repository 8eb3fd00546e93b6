// SPDX-License-Identifier: BSD-3-Clause
// A reference element of any shape, as operators need it: its functions at its points, by tables.
#pragma once

#include <tessera/element/dense_basis.hpp>

#include <optional>
#include <vector>

namespace tessera::fem {

/// What an operator does not need may be left empty: an operator of which D is given has no geometry and no weights.
struct dense_element {
  int dim = 3;
  int points = 0;                     ///< q, in any order
  dense_basis trial{};                ///< functions of x
  std::optional<dense_basis> test{};  ///< of y; empty: those of x
  dense_basis geometry{};             ///< functions that take nodes to coordinates: their gradients
  std::vector<double> weights{};      ///< one a point
};

}  // namespace tessera::fem
