// SPDX-License-Identifier: BSD-3-Clause
// How much of a run is done, by time and by steps.
#pragma once

#include <algorithm>

namespace tessera::blast {

/// Of a call of the program, which ends at a time or after some steps, whatever comes first.
struct run_extent {
  double from_time = 0, final_time = 0;
  long first_step = 0, most_steps = -1;  ///< -1: no limit

  /// 0 to 1.
  double done(double time, long step) const {
    const double by_time = (time - from_time) / (final_time - from_time);
    const double by_steps = most_steps > 0 ? double(step - first_step) / double(most_steps) : 0;
    return std::clamp(std::max(by_time, by_steps), 0.0, 1.0);
  }
  /// What is left, in the unit of `spent`, at the rate so far.
  double left(double spent, double time, long step) const {
    const double part = std::max(done(time, step), 1e-9);
    return spent * (1 - part) / part;
  }
};

}  // namespace tessera::blast
