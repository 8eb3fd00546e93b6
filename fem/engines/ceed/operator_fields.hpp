// SPDX-License-Identifier: BSD-3-Clause
// What a CeedOperator consists of, if its fields are those that an operator between two L-vectors has.
#pragma once

#include <ceed/backend.h>

#include <vector>

namespace tessera::ceed {

/// A field of the QFunction with what the operator says of it. The operator holds restriction, basis and vector.
struct operator_field {
  CeedEvalMode mode = CEED_EVAL_NONE;
  int size = 0;  // numbers at a point
  CeedElemRestriction restriction = nullptr;
  CeedBasis basis = nullptr;
  CeedVector vector = nullptr;
  bool active = false;
};

struct operator_fields {
  CeedQFunction function = nullptr;
  CeedInt elements = 0, points = 0;
  std::vector<operator_field> in, out;
  operator_field x, y;  // an active input and an output; the others have the same restriction and basis
};

/// Throws not_taken unless all active inputs are values or gradients of one vector by one basis, and so are all
/// outputs, and the passive inputs are numbers at points, weights, or values and gradients of H1 bases.
operator_fields fields_of(CeedOperator op);

}  // namespace tessera::ceed
