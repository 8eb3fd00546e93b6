// SPDX-License-Identifier: BSD-3-Clause
// What conjugate gradients on a CPU and on a GPU have in common.
#pragma once

#include <algorithm>

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
  s.preconditioned = o.norm == residual_norm::preconditioned;
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

/// Adds an iteration to the results of the systems that took it. step_of(k): a pointer to what system k found in it,
/// norm, alpha and beta, or null.
template <class StepOf>
void add_iteration(const conjugate_gradient_options& o, std::vector<solve_result>& results, const StepOf& step_of) {
  std::size_t number = 0;
  double largest = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const auto* const step = step_of(k);
    if (step == nullptr) continue;
    results[k].residuals.push_back(step->norm);
    results[k].alpha.push_back(step->alpha);
    results[k].beta.push_back(step->beta);
    number = results[k].beta.size();
    largest = std::max(largest, step->norm);
  }
  if (o.progress && number > 0) o.progress(int(number), largest);
}

}  // namespace tessera::detail
