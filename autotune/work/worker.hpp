// SPDX-License-Identifier: BSD-3-Clause
// The process that runs candidates, so that their faults do not affect the tuner: it serves requests line by line.
//
// Requests and answers are JSON objects, one a line:
//   {"do": "case", "target", "type", "regime", "m", "n", "k"}  the case of what follows        {"how": "ok"}
//   {"do": "open", "object": path}                             {"how", "count", "offsets": of each function}
//   {"do": "check", "object", "index"}                         {"how": "ok" or "wrong", "reason"}
//   {"do": "allocate"}                                         the memory for timing           {"how": "ok", "batch"}
//   {"do": "time", "object", "index", "least": seconds}        {"how", "seconds", "disturbed"}
//   {"do": "clock"}                                            {"how", "mhz"}
// Requests that begin with "gpu " are in work/gpu_session.hpp, with "element " in work/element_session.hpp, with
// "general " in general/general_session.hpp. The answer to a request that fails is {"how": "failed", "reason"}.
#pragma once

#include <nlohmann/json.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

nlohmann::json json_of(const tuning_case& c);
tuning_case case_of(const nlohmann::json& j);

/// Serves until `in` ends; both are file descriptors.
void serve(int in, int out);

}  // namespace tessera::tune
