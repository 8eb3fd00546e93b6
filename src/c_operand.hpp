// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the C API as those of C++, for its other files.
#pragma once

#include <optional>

#include <tessera/tessera.h>
#include <tessera/plan.hpp>
#include <tessera/scaling.hpp>

namespace tessera::detail {

/// Throws what is wrong with it; `operation` begins the text.
operand operand_from_c(const char* operation, const tessera_operand& c);

struct c_scaling {
  scaling scale;
  std::optional<scalar_type> sum;
};
/// Null: alpha = 1, beta = 0.
c_scaling scaling_from_c(const char* operation, const tessera_scaling* given);

/// Null: the defaults.
plan_options plan_options_from_c(const tessera_plan_options* given);

}  // namespace tessera::detail
