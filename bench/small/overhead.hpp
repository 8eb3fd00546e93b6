// SPDX-License-Identifier: BSD-3-Clause
// The fixed cost of a call, from the times of a small and of a larger batch.
#pragma once

namespace tessera::bench {

struct call_cost {
  double fixed = 0;      // seconds of a call, whatever its batch
  double one_entry = 0;  // seconds of each further entry
};

/// The straight line through the seconds of a call with one entry and of a call with `count` entries.
constexpr call_cost cost_of_call(double seconds_of_one, double seconds_of_count, long long count) {
  const double one_entry = (seconds_of_count - seconds_of_one) / double(count - 1);
  return {seconds_of_one - one_entry, one_entry};
}

}  // namespace tessera::bench
