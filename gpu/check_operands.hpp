// SPDX-License-Identifier: BSD-3-Clause
// What every launch checks before it hands pointers to a kernel.
#pragma once

#include <tessera/gpu/kernel_name.hpp>
#include <tessera/problem.hpp>
#include <tessera/problem_members.hpp>

namespace tessera::device {

/// Throws status::null_pointer or status::wrong_space naming the operand, for operands that are read or written. Of a
/// group the array of addresses is looked at.
template <class T>
void check_operands(const problem<T>& p, const kernel_name& name, const problem_members<T>& from = {});

}  // namespace tessera::device
