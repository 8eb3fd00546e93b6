// SPDX-License-Identifier: BSD-3-Clause
// Reads a QFunction's arguments from the fields of its operator.
#include "function_arguments.hpp"

#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"

namespace tessera::ceed {

namespace {

point_argument argument_of(const operator_field& f, int first, int dim) {
  if (!f.active) return {point_argument::data, f.size, first};
  const bool slopes = f.mode == CEED_EVAL_GRAD;
  return {slopes ? point_argument::gradient : point_argument::value, slopes ? f.size / dim : f.size, 0};
}

point_shape shape_of(const std::vector<operator_field>& fields, const operator_field& of) {
  point_shape shape;
  CeedInt components = 0;
  check(CeedBasisGetNumComponents(of.basis, &components));
  shape.components = components;
  for (const operator_field& f : fields) {
    shape.value = shape.value || (f.active && f.mode == CEED_EVAL_INTERP);
    shape.gradient = shape.gradient || (f.active && f.mode == CEED_EVAL_GRAD);
  }
  return shape;
}

}  // namespace

function_arguments::function_arguments(const operator_fields& fields, std::span<const int> first, int dimension)
    : dim(dimension) {
  for (std::size_t i = 0; i < fields.in.size(); ++i) in.push_back(argument_of(fields.in[i], first[i], dim));
  for (const operator_field& f : fields.out) out.push_back(argument_of(f, 0, dim));
}

compiled_function<double> function_with_shapes(const operator_fields& fields, int dim, int factors) {
  const char* name = kernel_name_of(fields.function);
  compiled_function<double> made{.dim = dim, .factors = factors};
  made.name = std::string("QFunction ") + (*name != '\0' ? name : "without a name");
  made.trial = shape_of(fields.in, fields.x);
  made.test = shape_of(fields.out, fields.y);
  made.trial_components = made.trial.components;
  made.test_components = made.test.components;
  made.slopes = made.trial.gradient || made.test.gradient;
  return made;
}

}  // namespace tessera::ceed
