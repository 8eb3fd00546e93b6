// SPDX-License-Identifier: BSD-3-Clause
// The kind of general kernel that computes a contraction on a GPU.
#pragma once

#include <tessera/detail/general_kind.hpp>
#include <tessera/plan.hpp>

#include "../custom_plan.hpp"

namespace tessera::detail {

/// Of checked operands. Tensor cores where they round no more than the types do, or as `precision` allows;
/// multiply-adds for inputs of two types, integers, complex numbers and other pairs than plus_times. Throws where a
/// function of the user's has no source.
general_kind general_kind_of(const contraction& what, const arguments& operands, product_precision precision);

}  // namespace tessera::detail
