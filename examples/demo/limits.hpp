// SPDX-License-Identifier: BSD-3-Clause
// Times a case and its limit, samples interleaved, and repeats both if disturbed.
#pragma once

#include <functional>
#include <vector>

#include "measure/limits/cpu.hpp"
#include "measure/measure.hpp"
#include "measure/stopwatch.hpp"
#include "outcome.hpp"

namespace tessera::demo {

/// Measured by the constructor; peaks again when a case needs it.
class limits {
 public:
  limits(const settings& how, bool with_gpu);

  double peak(space_kind space) const { return space == space_kind::cpu ? cpu_flops_ : gpu_flops_; }

  /// A contender: its pass, and the field for its time.
  struct contender {
    std::function<void()> pass;
    bench::timing outcome::*result;
  };
  /// Fills in times, bandwidth and peak of `r`: `tessera` must be among the contenders. On a CPU plain movement of the
  /// case's data is timed between their samples: `data` must hold arrays of its sizes, of which c is written. A
  /// disturbed case is repeated, at most twice, and the better measurement of each time is kept (bench::better_of).
  void measure(outcome& r, const std::vector<contender>& contenders, const bench::arrays& data);

  /// A single pass on the CPU, repeated like a case.
  bench::timing alone(const std::function<void()>& pass) const;

  /// True after two thirds of the time limit.
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
