// SPDX-License-Identifier: BSD-3-Clause
// What conjugate gradients on a CPU and on a GPU have in common.
#pragma once

#include <tessera/detail/solver/cg_state.hpp>
#include <tessera/solver/conjugate_gradient.hpp>

namespace tessera::detail {

/// The numbers before the first iteration.
inline cg_state first_state(const conjugate_gradient_options& o) {
  cg_state s;
  s.relative = o.relative;
  s.absolute = o.absolute;
  s.max_iterations = o.max_iterations;
  s.flexible = o.flexible;
  return s;
}

/// Whether the updates' loops apply M: to the residual that they have just updated.
template <class T>
bool is_fused(const linear_operator<T>& M, const conjugate_gradient_options& o) {
  return !o.flexible && (!M || M.diagonal() != nullptr);
}

/// The result of a solve that is at its start.
inline solve_result first_result(const cg_state& s) {
  solve_result result;
  result.limit = s.limit;
  result.residuals = {s.norm};
  return result;
}

inline void add_iteration(const conjugate_gradient_options& o, solve_result& result, double norm, double alpha,
                          double beta) {
  result.residuals.push_back(norm);
  result.alpha.push_back(alpha);
  result.beta.push_back(beta);
  if (o.progress) o.progress(int(result.beta.size()), norm);
}

}  // namespace tessera::detail
