// SPDX-License-Identifier: BSD-3-Clause
// What every launch checks before it hands pointers to a kernel.
#pragma once

#include <tessera/gpu/kernel_name.hpp>
#include <tessera/problem.hpp>

namespace tessera::device {

/// Throws status::null_pointer or status::wrong_space naming the operand, for operands that are read or written.
template <class T>
void check_operands(const problem<T>& p, const kernel_name& name);

}  // namespace tessera::device
