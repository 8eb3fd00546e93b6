// SPDX-License-Identifier: BSD-3-Clause
// The backend functions of operators.
#pragma once

#include <ceed/backend.h>

namespace tessera::ceed {

/// For libCEED's OperatorCreate, and OperatorCreateAtPoints, whose operators are delegated.
int create_operator(CeedOperator op);
/// For CompositeOperatorCreate: libCEED's own loops over its parts apply it.
int create_composite_operator(CeedOperator op);

}  // namespace tessera::ceed
