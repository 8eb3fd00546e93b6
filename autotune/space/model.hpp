// SPDX-License-Identifier: BSD-3-Clause
// The performance models: the data movement and instructions of a candidate, and a lower bound of their time.
#pragma once

#include <tessera/detail/fits.hpp>

#include "family.hpp"

namespace tessera::tune {

prediction predict(const cpu_gemm_tuning& t, const tuning_case& c, const machine_limits& limits);
prediction predict(const gpu_gemm_tuning& t, const tuning_case& c, const machine_limits& limits, const gpu_limits& gpu);

/// One lower bound of a product's time, by one resource.
struct limiting_time {
  const char* name;
  double seconds;
};

/// The largest time plus a tenth of the others, which never overlap completely.
template <int count>
limiting_time combined(const limiting_time (&times)[count]) {
  limiting_time all = times[0];
  double sum = 0;
  for (const limiting_time& t : times) {
    sum += t.seconds;
    if (t.seconds > all.seconds) all = t;
  }
  all.seconds += 0.1 * (sum - all.seconds);
  return all;
}

/// The mean of the counts of C = A B and of C += A B, with the geometric mean of their times.
prediction mean_of(const packed_layouts& layouts, const prediction& assign, const prediction& add);

}  // namespace tessera::tune
