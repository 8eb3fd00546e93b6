// SPDX-License-Identifier: BSD-3-Clause
// The checks of pointers before every launch.
#pragma once

#include <tessera/detail/problem.hpp>
#include <tessera/detail/problem_members.hpp>
#include <tessera/gpu/detail/kernel_name.hpp>

namespace tessera::device {

/// Throws status::null_pointer or status::wrong_space naming the operand. Of a group, `members`, the array of
/// addresses, is checked.
void check_factor(const void* data, const void* members, const index_t* table, const char* which,
                  const kernel_name& name);

/// The same for operands that are read or written. Members: problem_members or any_members.
template <class In, class Out, class Sum, class Members = any_members>
void check_operands(const problem<In, Out, Sum>& p, const kernel_name& name, const Members& from = {}) {
  const auto check = [&](const auto& f, const void* members, const char* which) {
    check_factor(f.data, members, f.map.table, which, name);
  };
  for (int f = 0; f < p.left_factors && p.k > 0; ++f) check(p.left[f], from.left[f], "left operand");
  for (int f = 0; f < p.right_factors && p.k > 0; ++f) check(p.right[f], from.right[f], "right operand");
  check(p.out, from.out, "output");
}

/// The name of its launch in errors.
template <class In, class Out, class Sum>
kernel_name name_of(const problem<In, Out, Sum>& p) {
  return {p.form == canonical::pointwise ? "pointwise" : "gemm", p.m, p.n, p.k, tessera::name_of(types_of(p))};
}

}  // namespace tessera::device
