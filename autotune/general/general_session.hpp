// SPDX-License-Identifier: BSD-3-Clause
// The worker's side of family general: compiles tiles, checks and times them.
//
// Requests and answers, as in work/worker.hpp:
//   {"do": "general limits"}                   {"how", "bandwidth", "matrix_f64", "flops_f64", "flops_f32"}
//   {"do": "general case", "form", "types", "by", "entries"}   the contraction of what follows   {"how": "ok"}
//   {"do": "general compile", "tiles": [...]}  several at once: {"how", "made": [{"seconds", "reason"}, ...]}
//   {"do": "general check", "tile"}            {"how": "ok" or "wrong", "reason", "other_was_wrong"}
//   {"do": "general time", "tile", "least"}    {"how", "seconds", "mhz", "watts"}
#pragma once

#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include <tessera/detail/general_tuning.hpp>

#include "general/general_ground.hpp"

namespace tessera::tune {

class general_session {
 public:
  /// Throws if the device or the driver fails, or a tile does not compile.
  nlohmann::json answer(const nlohmann::json& request);

 private:
  nlohmann::json compile(const nlohmann::json& tiles);
  const jit_general_kernel& kernel(const nlohmann::json& tile);
  general_ground& ground();

  general_problem of_;
  std::map<std::string, jit_general_kernel> kernels_;
  std::optional<general_ground> ground_;
};

}  // namespace tessera::tune
