// SPDX-License-Identifier: BSD-3-Clause
// Calls a QFunction for a block of points. Its arrays are the block's own, but for gradients of several components,
// which libCEED has by directions and the block by components.
#include "point_call.hpp"

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "libceed_api.hpp"

namespace tessera::ceed {

namespace {

// From a + dim c to c + components a.
void to_directions(const double* from, index_t count, int components, int dim, double* to) {
  for (int c = 0; c < components; ++c)
    for (int a = 0; a < dim; ++a) std::copy_n(from + count * (a + dim * c), count, to + count * (c + components * a));
}

void to_components(const double* from, index_t count, int components, int dim, double* to) {
  for (int c = 0; c < components; ++c)
    for (int a = 0; a < dim; ++a) std::copy_n(from + count * (c + components * a), count, to + count * (a + dim * c));
}

}  // namespace

point_call::point_call(const operator_fields& fields, std::span<const int> first, int dim)
    : function_(fields.function), arguments_(fields, first, dim) {
  check(CeedQFunctionGetUserFunction(function_, &code_));
  check(CeedQFunctionGetVectorLength(function_, &vector_length_));
  if (code_ == nullptr) throw not_taken{"the QFunction has no host code"};
}

compiled_function<double> point_call::function_of(const std::shared_ptr<point_call>& call,
                                                  const operator_fields& fields, int factors) {
  compiled_function<double> made = function_with_shapes(fields, call->arguments_.dim, factors);
  made.state = call;
  made.at_points = &point_call::at_points;
  return made;
}

void point_call::at_points(const points_block<double>& block, const void* self) {
  static_cast<const point_call*>(self)->run(block);
}

void point_call::run(const points_block<double>& block) const {
  thread_local std::vector<double> copies;
  const CeedScalar* in[CEED_FIELD_MAX];
  CeedScalar* out[CEED_FIELD_MAX];
  const int dim = arguments_.dim;
  const std::vector<point_argument>&ins = arguments_.in, &outs = arguments_.out;
  const auto numbers = [&](const point_argument& a) {
    return std::size_t(block.count) * std::size_t(a.components * dim);
  };
  std::size_t needed = 0;
  for (const auto* list : {&ins, &outs})
    for (const point_argument& a : *list) needed += a.is_in_another_order(dim) ? numbers(a) : 0;
  if (copies.size() < needed) copies.resize(needed);
  double* free = copies.data();
  for (std::size_t i = 0; i < ins.size(); ++i) {
    const point_argument& a = ins[i];
    in[i] = a.from == point_argument::data ? block.D + block.count * a.first
                                           : (a.from == point_argument::value ? block.value : block.gradient);
    if (!a.is_in_another_order(dim)) continue;
    to_directions(block.gradient, block.count, a.components, dim, free);
    in[i] = free;
    free += numbers(a);
  }
  double* const first_out = free;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    out[i] = outs[i].from == point_argument::value ? block.value_out : block.gradient_out;
    if (!outs[i].is_in_another_order(dim)) continue;
    out[i] = free;
    free += numbers(outs[i]);
  }
  const int code = code_(context_, CeedInt(block.count), in, out);
  if (code != 0) error_ = code;
  free = first_out;
  for (const point_argument& a : outs) {
    if (!a.is_in_another_order(dim)) continue;
    to_components(free, block.count, a.components, dim, block.gradient_out);
    free += numbers(a);
  }
}

point_call::session::session(point_call& of) : of_(of) {
  of.error_ = 0;
  of.writes_context_ = false;
  if (context_of(of.function_) != nullptr) check(CeedQFunctionIsContextWritable(of.function_, &of.writes_context_));
  check(CeedQFunctionGetContextData(of.function_, CEED_MEM_HOST, &of.context_));
}

point_call::session::~session() {
  if (of_.context_ != nullptr) CeedQFunctionRestoreContextData(of_.function_, &of_.context_);
  of_.context_ = nullptr;
}

void point_call::session::finish() { check(of_.error_); }

}  // namespace tessera::ceed
