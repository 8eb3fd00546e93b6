// SPDX-License-Identifier: BSD-3-Clause
// Made-up timings, for tests of what is concluded from them.
#pragma once

#include "measure/measure.hpp"

namespace tessera::testing {

/// Of 15 samples, so many of which were disturbed and kept.
inline bench::timing timed(double seconds, double rrs = 0.01, int kept_disturbed = 0) {
  bench::timing t;
  t.seconds.median = seconds;
  t.seconds.rrs = rrs;
  t.seconds.reps = 15;
  t.kept_disturbed = kept_disturbed;
  return t;
}

}  // namespace tessera::testing
