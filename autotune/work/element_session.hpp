// SPDX-License-Identifier: BSD-3-Clause
// The worker's side of element operators on a CPU: checks and times loops over the elements.
//
// Requests and answers, as in work/worker.hpp:
//   {"do": "element case", "target", "type", ...}     the case of what follows    {"how": "ok"}
//   {"do": "element check", "tuning": [...]}                                      {"how": "ok" or "wrong", "reason"}
//   {"do": "element allocate"}                        the memory for timing       {"how": "ok", "elements"}
//   {"do": "element time", "tuning", "least"}                                     {"how", "seconds", "disturbed"}
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "work/element_ground.hpp"

namespace tessera::tune {

class element_session {
 public:
  nlohmann::json answer(const nlohmann::json& request);

 private:
  std::unique_ptr<element_ground> ground_;
};

}  // namespace tessera::tune
