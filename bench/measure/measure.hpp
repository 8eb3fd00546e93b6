// SPDX-License-Identifier: BSD-3-Clause
// Times several contenders in one run, their repetitions interleaved, until every median is stable.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/statistics.hpp"

namespace tessera::bench {

/// Seconds for `passes` calls of the pass, waiting included.
using timer = std::function<double(const std::function<void()>& pass, long passes)>;
double host_seconds(const std::function<void()>& pass, long passes);

/// Instruments that may be absent, with NaN as value then.
struct meters {
  std::function<double()> joules;  // used so far
  std::function<double()> clock_mhz;
  /// Counts disturbances; a sample during which it changed is repeated, at most eight times.
  std::function<long()> disturbances;
};

struct protocol {
  repetition_rule reps;
  double least_sample = 1e-3;     // seconds: a sample repeats the pass until it lasts this long
  double most_seconds = 2;        // for one contender; at least five samples are taken
  double idle_before = 0;         // seconds of rest before the case, so that the device is cool
  double sustain = 0;             // seconds of the same contender before its samples; 0: interleaved
  double sustained_window = 2;    // seconds sampled after that
  double sustained_sample = 0.1;  // seconds of such a sample: the device must not idle while meters are read
  timer time = host_seconds;
  meters instruments;
};

struct contender {
  std::string name;
  std::function<void()> pass;
};

struct timing {
  summary seconds;                   // of one pass
  long passes = 1;                   // in each sample
  double joules = 0;                 // of one pass, NaN where it was not measured
  double clock_mhz = 0;              // during the case, NaN where it was not measured
  int disturbed = 0;                 // samples that were repeated
  int kept_disturbed = 0;            // samples that were kept although they were disturbed in every attempt
  std::vector<double> samples = {};  // seconds of one pass, by round
};

/// One timing a contender, in order.
std::vector<timing> measure(const std::vector<contender>& contenders, const protocol& how);

}  // namespace tessera::bench
