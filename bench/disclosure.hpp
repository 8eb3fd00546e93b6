// SPDX-License-Identifier: BSD-3-Clause
// The nine items that a reader needs to judge or repeat a result, as one JSON object.
#pragma once

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "peers/peer.hpp"

namespace tessera::bench {

/// Keys: platform, software, build, workloads, timing, profiling, statistics, correctness, artifacts.
nlohmann::json disclose(const options& o, const std::vector<peer>& peers);

}  // namespace tessera::bench
