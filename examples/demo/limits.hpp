// SPDX-License-Identifier: BSD-3-Clause
// Times a case and the limit that it is compared with, sample by sample, and both again if disturbed.
#pragma once

#include <functional>
#include <vector>

#include "measure/limits/cpu.hpp"
#include "measure/measure.hpp"
#include "measure/stopwatch.hpp"
#include "outcome.hpp"

namespace tessera::demo {

/// Measured when made; peaks again when a case needs it.
class limits {
 public:
  limits(const settings& how, bool with_gpu);

  double peak(space_kind space) const { return space == space_kind::cpu ? cpu_flops_ : gpu_flops_; }

  /// Who takes part: its pass, and where its time goes.
  struct contender {
    std::function<void()> pass;
    bench::timing outcome::*result;
  };
  /// Fills in times, bandwidth and peak of `r`: `tessera` must be among the contenders. On a CPU plain movement of the
  /// case's data is timed between their samples: `data` must hold arrays of its sizes, of which c is written. A
  /// disturbed case is measured again, twice at most, and the better one of each time's measurements stays
  /// (bench::better_of).
  void measure(outcome& r, const std::vector<contender>& contenders, const bench::arrays& data);

  /// A pass on the CPU by itself, which is measured again as a case is.
  bench::timing alone(const std::function<void()>& pass) const;

  /// Two thirds of the time are spent.
  bool late() const { return since_start_.seconds() > how_.most_seconds * 2 / 3; }

 private:
  void attempt(outcome& r, const std::vector<contender>& contenders, const bench::arrays& data);
  void measure_peaks();

  settings how_;
  bool with_gpu_;
  double cpu_flops_ = 0, gpu_flops_ = 0;
  bench::stopwatch since_start_;
};

}  // namespace tessera::demo
