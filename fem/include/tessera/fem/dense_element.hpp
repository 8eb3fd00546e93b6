// SPDX-License-Identifier: BSD-3-Clause
// A reference element of any shape for operators: its functions at its points, as tables.
#pragma once

#include <tessera/element/dense_basis.hpp>

#include <optional>
#include <vector>

namespace tessera::fem {

/// Parts that an operator does not need may be empty: an operator with given D has no geometry and no weights.
struct dense_element {
  int dim = 3;
  int points = 0;                     ///< q, in any order
  dense_basis trial{};                ///< functions of x
  std::optional<dense_basis> test{};  ///< of y; empty: those of x
  dense_basis geometry{};             ///< functions that map nodes to coordinates: their gradients
  std::vector<double> weights{};      ///< one per point
};

}  // namespace tessera::fem
