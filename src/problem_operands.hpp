// SPDX-License-Identifier: BSD-3-Clause
// Pointers and strides of a run's operands in a plan's problem, and the run of a range of its entries on a CPU.
#pragma once

#include <tessera/cpu/detail/converted_run.hpp>
#include <tessera/cpu/detail/reference.hpp>

#include "plan_state.hpp"

namespace tessera::detail {

template <class T>
void fill(factor<T>& f, const operand& o) {
  f.data = static_cast<T*>(const_cast<void*>(o.data));
  f.batch_stride = o.batched ? o.stride : 0;
  f.lanes = o.batched ? o.lanes : 1;
}

/// visit(factor, position of its operand) for every factor that the form has.
template <class Problem, class Visit>
void each_factor(const lowered& form, Problem& p, Visit visit) {
  for (int f = 0; f < 2; ++f) {
    if (form.left[f] >= 0) visit(p.left[f], form.left[f]);
    if (form.right[f] >= 0) visit(p.right[f], form.right[f]);
  }
  visit(p.out, output);
}

/// Rows do not handle groups: each entry is a run of its own with pointers to its members.
template <class Problem, class Row>
void run_members(Row row, Problem p, const lowered& form, const arguments& operands, index_t first, index_t last) {
  for (index_t b = first; b < last; ++b) {
    each_factor(form, p, [&](auto& f, int o) {
      if (operands[o].grouped) f.data = static_cast<decltype(f.data)>(const_cast<void*>(operands[o].member(b)));
    });
    row(p, b, b + 1);
  }
}

inline any_members any_members_of(const lowered& form, const arguments& operands) {
  any_members all;
  for (int f = 0; f < 2; ++f) {
    if (form.left[f] >= 0) all.left[f] = operands[form.left[f]].members;
    if (form.right[f] >= 0) all.right[f] = operands[form.right[f]].members;
  }
  all.out = operands[output].members;
  return all;
}

template <class T>
problem_function<T> row_for(const plan_state& s) {
  if constexpr (sizeof(T) == sizeof(float))
    return s.run_f32;
  else
    return s.run_f64;
}

/// Batch entries [first, last) of a plan's problem on a CPU, on the calling thread: float and double by the plan's row,
/// other types by the rows of their sums' type, or by the reference.
template <class In, class Out, class Sum>
void run_entries(const plan_state& s, const problem<In, Out, Sum>& p, const arguments& operands, index_t first,
                 index_t last) {
  const bool groups = operands.have_group();
  if constexpr (is_real_problem<problem<In, Out, Sum>>) {
    const problem_function<Sum> row = row_for<Sum>(s);
    return groups ? run_members(row, p, s.form, operands, first, last) : row(p, first, last);
  } else {
    if (s.converted_by != nullptr)
      return run_converted(*s.converted_by, p, groups ? any_members_of(s.form, operands) : any_members{}, first, last);
    const auto row = &reference_problem<In, Out, Sum>;
    return groups ? run_members(row, p, s.form, operands, first, last) : row(p, first, last);
  }
}

}  // namespace tessera::detail
