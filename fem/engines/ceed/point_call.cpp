// SPDX-License-Identifier: BSD-3-Clause
// Calls a QFunction for a block of points. Its arrays are the block's own, but for gradients of several components,
// which libCEED has by directions and the block by components.
#include "point_call.hpp"

#include <algorithm>
#include <string>

#include "failure.hpp"

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

// From a + dim c to c + components a.
void to_directions(const double* from, index_t count, int components, int dim, double* to) {
  for (int c = 0; c < components; ++c)
    for (int a = 0; a < dim; ++a) std::copy_n(from + count * (a + dim * c), count, to + count * (c + components * a));
}

void to_components(const double* from, index_t count, int components, int dim, double* to) {
  for (int c = 0; c < components; ++c)
    for (int a = 0; a < dim; ++a) std::copy_n(from + count * (c + components * a), count, to + count * (a + dim * c));
}

bool needs_copy(const point_argument& a, int dim) {
  return a.from == point_argument::gradient && a.components > 1 && dim > 1;
}

}  // namespace

point_call::point_call(const operator_fields& fields, std::span<const int> first, int dim)
    : function_(fields.function), dim_(dim) {
  check(CeedQFunctionGetUserFunction(function_, &code_));
  check(CeedQFunctionGetVectorLength(function_, &vector_length_));
  if (code_ == nullptr) throw not_taken{"the QFunction has no host code"};
  for (std::size_t i = 0; i < fields.in.size(); ++i) in_.push_back(argument_of(fields.in[i], first[i], dim));
  for (const operator_field& f : fields.out) out_.push_back(argument_of(f, 0, dim));
}

compiled_function<double> point_call::function_of(const std::shared_ptr<point_call>& call,
                                                  const operator_fields& fields, int dim, int factors) {
  char* name = nullptr;
  check(CeedQFunctionGetKernelName(fields.function, &name));
  compiled_function<double> made{.dim = dim, .factors = factors, .state = call, .at_points = &point_call::at_points};
  made.name = std::string("QFunction ") + (*name != '\0' ? name : "without a name");
  made.trial = shape_of(fields.in, fields.x);
  made.test = shape_of(fields.out, fields.y);
  made.trial_components = made.trial.components;
  made.test_components = made.test.components;
  made.slopes = made.trial.gradient || made.test.gradient;
  return made;
}

void point_call::at_points(const points_block<double>& block, const void* self) {
  static_cast<const point_call*>(self)->run(block);
}

void point_call::run(const points_block<double>& block) const {
  thread_local std::vector<double> copies;
  const CeedScalar* in[CEED_FIELD_MAX];
  CeedScalar* out[CEED_FIELD_MAX];
  const auto numbers = [&](const point_argument& a) {
    return std::size_t(block.count) * std::size_t(a.components * dim_);
  };
  std::size_t needed = 0;
  for (const auto* list : {&in_, &out_})
    for (const point_argument& a : *list) needed += needs_copy(a, dim_) ? numbers(a) : 0;
  if (copies.size() < needed) copies.resize(needed);
  double* free = copies.data();
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const point_argument& a = in_[i];
    in[i] = a.from == point_argument::data ? block.D + block.count * a.first
                                           : (a.from == point_argument::value ? block.value : block.gradient);
    if (!needs_copy(a, dim_)) continue;
    to_directions(block.gradient, block.count, a.components, dim_, free);
    in[i] = free;
    free += numbers(a);
  }
  double* const first_out = free;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    out[i] = out_[i].from == point_argument::value ? block.value_out : block.gradient_out;
    if (!needs_copy(out_[i], dim_)) continue;
    out[i] = free;
    free += numbers(out_[i]);
  }
  const int code = code_(context_, CeedInt(block.count), in, out);
  if (code != 0) error_ = code;
  free = first_out;
  for (const point_argument& a : out_) {
    if (!needs_copy(a, dim_)) continue;
    to_components(free, block.count, a.components, dim_, block.gradient_out);
    free += numbers(a);
  }
}

point_call::session::session(point_call& of) : of_(of) {
  of.error_ = 0;
  CeedQFunctionContext context = nullptr;
  check(CeedQFunctionGetContext(of.function_, &context));
  of.writes_context_ = false;
  if (context != nullptr) check(CeedQFunctionIsContextWritable(of.function_, &of.writes_context_));
  check(CeedQFunctionGetContextData(of.function_, CEED_MEM_HOST, &of.context_));
}

point_call::session::~session() {
  if (of_.context_ != nullptr) CeedQFunctionRestoreContextData(of_.function_, &of_.context_);
  of_.context_ = nullptr;
}

void point_call::session::finish() { check(of_.error_); }

}  // namespace tessera::ceed
