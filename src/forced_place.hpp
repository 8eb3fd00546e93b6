// SPDX-License-Identifier: BSD-3-Clause
// Where the batch of a plan or chain is between its runs, if that is not decided by its size, and who says so.
#pragma once

#include <optional>

#include <tessera/plan.hpp>
#include <tessera/regime.hpp>

namespace tessera::detail {

struct forced_place {
  std::optional<memory_regime> in;
  const char* why;
};

inline forced_place place_forced_by(const plan_options& options) {
  if (options.regime) return {options.regime, "forced by plan_options::regime"};
  return {regime_of_environment(), "forced by TESSERA_REGIME"};
}

}  // namespace tessera::detail
