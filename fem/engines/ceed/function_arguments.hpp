// SPDX-License-Identifier: BSD-3-Clause
// What a QFunction's arguments are among the numbers of a point.
#pragma once

#include <tessera/element/evaluation.hpp>

#include <span>
#include <vector>

#include "operator_fields.hpp"

namespace tessera::ceed {

/// Where the QFunction finds an input, or writes an output.
struct point_argument {
  enum { value, gradient, data } from = value;
  int components = 1;
  int first = 0;  // factor of D

  /// Gradients are by directions in libCEED, and by components here.
  bool is_in_another_order(int dim) const { return from == gradient && components > 1 && dim > 1; }
};

struct function_arguments {
  int dim;
  std::vector<point_argument> in, out;

  /// `first`: the first factor of each input, -1 for active ones.
  function_arguments(const operator_fields& fields, std::span<const int> first, int dimension);
};

/// Name, shapes and sizes of the QFunction; nothing that runs yet.
compiled_function<double> function_with_shapes(const operator_fields& fields, int dim, int factors);

}  // namespace tessera::ceed
