// SPDX-License-Identifier: BSD-3-Clause
// A row of the TCCG benchmark as a case: its data, its counts, the call for peers, and its plan.
#pragma once

#include <tessera/plan.hpp>

#include "measure/gpu/matrix.hpp"
#include "run_case.hpp"
#include "tccg_rows.hpp"

namespace tessera::bench {

/// Of leaky_relu.
inline constexpr double leaky_slope = 0.01;

/// The row with its extents scaled, of the types, the function and the precision of the options.
workload tccg_case(const tccg_row& row, double scale, const options& o);

/// The call for peers, with the case's pointers.
contraction_call contraction_call_for(const workload& work, const setting& s);

/// The product of matrices of matrix_shape_of(call) over the memory of the case's operands: m x k, k x n and m x n.
workload product_of_same_sizes(const workload& work, const contraction_call& call);

/// The plan of the case, with its function of entries fused.
plan tccg_plan(const workload& work, const std::vector<operand>& operands, const setting& s);

/// What limits products of these types on a GPU: flops of this unit, divided by `products` of it for one; or, if empty,
/// those of multiply-adds in float.
struct roof_of_types {
  std::optional<device::matrix_unit> unit;
  double products = 1;
};
roof_of_types roof_for(const product_types& types, product_precision precision);

}  // namespace tessera::bench
