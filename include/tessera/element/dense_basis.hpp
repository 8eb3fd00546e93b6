// SPDX-License-Identifier: BSD-3-Clause
// Functions of an element of any shape, by their values and derivatives at its points; operators between such.
#pragma once

#include <optional>
#include <vector>

#include <tessera/element/operator_kind.hpp>
#include <tessera/target.hpp>

namespace tessera {

/// Functions on the reference element, the same for all elements, at q points. What nobody takes may be left empty.
struct dense_basis {
  int functions = 0;
  std::vector<double> values;     ///< function i at point k: [k + q i]
  std::vector<double> gradients;  ///< its derivative in direction a: [k + q (i + functions a)]
};

/// What an operator is on elements that are no products of segments: any functions at any points, nothing of them being
/// used but their tables.
struct dense_evaluation_spec {
  operator_kind kind = operator_kind::mass;
  int dim = 3;
  /// Of the vector field: dim for elasticity, any number for the others, which treat each component alike.
  int components = 1;
  int points = 0;                     ///< q, of an element
  dense_basis trial{};                ///< of u
  std::optional<dense_basis> test{};  ///< of y; empty: those of u
  std::optional<target> on{};         ///< target::cuda: as of evaluation_spec; empty: the default CPU one
};

}  // namespace tessera
