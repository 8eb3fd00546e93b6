// SPDX-License-Identifier: BSD-3-Clause
// What differs for the tests between libCEED 0.12.0 and its development branch.
#pragma once

#include <ceed/backend.h>

namespace ceed_test {

#if CEED_VERSION_RELEASE

inline constexpr bool has_at_points = false;
inline constexpr bool adds_outputs_at_nodes = true;

inline int create_composite(Ceed ceed, CeedOperator* op) { return CeedCompositeOperatorCreate(ceed, op); }
inline int add_part(CeedOperator composite, CeedOperator part) { return CeedCompositeOperatorAddSub(composite, part); }
inline int create_at_points(Ceed, CeedQFunction, CeedOperator*) { return CEED_ERROR_UNSUPPORTED; }
inline int set_points(CeedOperator, CeedElemRestriction, CeedVector) { return CEED_ERROR_UNSUPPORTED; }

#else

inline constexpr bool has_at_points = true;
// Values and gradients out by a basis whose nodes are the points: libCEED's CPU backends keep the last of the two only.
inline constexpr bool adds_outputs_at_nodes = false;

inline int create_composite(Ceed ceed, CeedOperator* op) { return CeedOperatorCreateComposite(ceed, op); }
inline int add_part(CeedOperator composite, CeedOperator part) { return CeedOperatorCompositeAddSub(composite, part); }
inline int create_at_points(Ceed ceed, CeedQFunction f, CeedOperator* op) {
  return CeedOperatorCreateAtPoints(ceed, f, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, op);
}
inline int set_points(CeedOperator op, CeedElemRestriction numbers, CeedVector points) {
  return CeedOperatorAtPointsSetPoints(op, numbers, points);
}

#endif

}  // namespace ceed_test
