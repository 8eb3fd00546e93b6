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

// Entries of a problem without groups, or with members.
template <class In, class Out, class Sum>
void run_whole(const plan_state& s, const problem<In, Out, Sum>& p, const arguments* groups, index_t first,
               index_t last) {
  if constexpr (is_real_problem<problem<In, Out, Sum>>) {
    const problem_function<Sum> row = row_for<Sum>(s);
    return groups ? run_members(row, p, s.form, *groups, first, last) : row(p, first, last);
  } else {
    if (s.converted_by != nullptr)
      return run_converted(*s.converted_by, p, groups ? any_members_of(s.form, *groups) : any_members{}, first, last);
    const auto row = &reference_problem<In, Out, Sum>;
    return groups ? run_members(row, p, s.form, *groups, first, last) : row(p, first, last);
  }
}

/// One piece of batch entries [first, last), on the calling thread. `groups` is null where no operand is one.
template <class Problem>
void run_piece(const plan_state& s, const Problem& p, const arguments* groups, index_t number, index_t first,
               index_t last) {
  if (groups == nullptr) return run_whole(s, piece_of(p, s.pieces, number), nullptr, first, last);
  for (index_t b = first; b < last; ++b) {
    Problem one = p;
    each_factor(s.form, one, [&](auto& f, int o) {
      const operand& from = (*groups)[o];
      if (!from.grouped) return;
      f.data = static_cast<decltype(f.data)>(const_cast<void*>(from.member(b)));
      f.batch_stride = 0, f.lanes = 1;
    });
    run_whole(s, piece_of(one, s.pieces, number), nullptr, b, b + 1);
  }
}

/// Batch entries [first, last) of a plan's problem on a CPU, on the calling thread: float and double by the plan's row,
/// other types by the rows of their sums' type, or by the reference.
template <class Problem>
void run_entries(const plan_state& s, const Problem& p, const arguments& operands, index_t first, index_t last) {
  const arguments* const groups = operands.have_group() ? &operands : nullptr;
  if (s.pieces.count == 1) return run_whole(s, p, groups, first, last);
  for (index_t number = 0; number < s.pieces.count; ++number) run_piece(s, p, groups, number, first, last);
}

}  // namespace tessera::detail
