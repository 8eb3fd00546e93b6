// SPDX-License-Identifier: BSD-3-Clause
// Reads the fields of a CeedOperator, and says which ones are not taken.
#include "operator_fields.hpp"

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"

namespace tessera::ceed {

namespace {

std::vector<operator_field> read_fields(CeedInt count, CeedQFunctionField* of_function, CeedOperatorField* of_op) {
  std::vector<operator_field> fields(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    operator_field& f = fields[i];
    CeedInt size = 0;
    check(CeedQFunctionFieldGetEvalMode(of_function[i], &f.mode));
    check(CeedQFunctionFieldGetSize(of_function[i], &size));
    f.restriction = elem_restriction_of(of_op[i]);
    f.basis = basis_of(of_op[i]);
    f.vector = vector_of(of_op[i]);
    f.size = size;
    f.active = f.vector == CEED_VECTOR_ACTIVE;
  }
  return fields;
}

bool is_evaluated(const operator_field& f) { return f.mode == CEED_EVAL_INTERP || f.mode == CEED_EVAL_GRAD; }

void check_restriction(const operator_field& f) {
  CeedRestrictionType type;
  check(CeedElemRestrictionGetType(f.restriction, &type));
  if (type != CEED_RESTRICTION_STANDARD && type != CEED_RESTRICTION_STRIDED)
    throw not_taken{"a restriction has orientations"};
}

void check_basis(const operator_field& f) {
  CeedFESpace space;
  check(CeedBasisGetFESpace(f.basis, &space));
  if (space != CEED_FE_SPACE_H1) throw not_taken{"a basis is not H1"};
}

void check_evaluated(const operator_field& f) {
  check_restriction(f);
  check_basis(f);
}

void take_active(const operator_field& f, const char* what, operator_field& first) {
  if (!is_evaluated(f)) throw not_taken{std::string("an active ") + what + " is neither values nor gradients"};
  check_evaluated(f);
  if (first.basis == nullptr) first = f;
  if (f.restriction != first.restriction || f.basis != first.basis)
    throw not_taken{std::string("active ") + what + "s have several restrictions or bases"};
}

void check_passive(const operator_field& f) {
  switch (f.mode) {
    case CEED_EVAL_NONE: return check_restriction(f);
    case CEED_EVAL_INTERP:
    case CEED_EVAL_GRAD: return check_evaluated(f);
    case CEED_EVAL_WEIGHT: return check_basis(f);
    default: throw not_taken{"a passive input is a divergence or a curl"};
  }
}

}  // namespace

operator_fields fields_of(CeedOperator op) {
  operator_fields all;
  CeedInt inputs = 0, outputs = 0;
  CeedOperatorField *op_in = nullptr, *op_out = nullptr;
  CeedQFunctionField *function_in = nullptr, *function_out = nullptr;
  if (is_at_points(op)) throw not_taken{"it has other points in each element"};
  all.function = function_of(op);
  check(CeedOperatorGetNumElements(op, &all.elements));
  check(CeedOperatorGetNumQuadraturePoints(op, &all.points));
  check(CeedOperatorGetFields(op, &inputs, &op_in, &outputs, &op_out));
  check(CeedQFunctionGetFields(all.function, &inputs, &function_in, &outputs, &function_out));
  all.in = read_fields(inputs, function_in, op_in);
  all.out = read_fields(outputs, function_out, op_out);
  for (const operator_field& f : all.in) {
    if (f.active)
      take_active(f, "input", all.x);
    else
      check_passive(f);
  }
  if (all.x.basis == nullptr) throw not_taken{"it has no active input"};
  for (const operator_field& f : all.out) {
    if (!f.active) throw not_taken{"an output is passive"};
    take_active(f, "output", all.y);
    const auto has_mode = [&](const operator_field& other) { return other.mode == f.mode; };
    if (std::count_if(all.out.begin(), all.out.end(), has_mode) > 1) throw not_taken{"two outputs are of one kind"};
  }
  if (all.y.basis == nullptr) throw not_taken{"it has no output"};
  return all;
}

}  // namespace tessera::ceed
