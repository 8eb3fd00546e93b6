// SPDX-License-Identifier: BSD-3-Clause
// The targets that can run on host memory here: what every test of plans loops over.
#pragma once

#include <vector>

#include <tessera/plan.hpp>
#include <tessera/target.hpp>

namespace tessera::testing {

inline std::vector<target> cpu_targets() {
  std::vector<target> found;
  for (target t : available_targets())
    if (t != target::cuda) found.push_back(t);
  return found;
}

inline plan_options on(target t, int threads = 0) { return {.on = t, .threads = threads}; }

}  // namespace tessera::testing
