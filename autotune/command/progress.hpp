// SPDX-License-Identifier: BSD-3-Clause
// The output of a run: a line per case with the best so far and the time left, and the table at the end.
#pragma once

#include <string>
#include <vector>

#include "command/tune_case.hpp"
#include "measure/stopwatch.hpp"

namespace tessera::tune {

class progress {
 public:
  progress(int cases, bool quiet) : cases_(cases), quiet_(quiet) {}

  /// The number of cases, where it was not known before.
  void expect(int cases) { cases_ = done_ + cases; }
  void say(const std::string& text) const;
  void starts(const tuning_case& c);
  void ends(const tuned_case& t);

  int done() const { return done_; }
  double seconds() const { return watch_.seconds(); }

 private:
  std::string time_left() const;

  int cases_, done_ = 0;
  bool quiet_;
  bench::stopwatch watch_;
};

/// The reason why a case is marked SUSPECT.
inline constexpr const char* suspect_words =
    "too far above the bound, which was measured too low, most likely because the machine was busy";

/// "28.1 ns", "1.35 us"
std::string time_text(double seconds);

/// A line per record: what runs today, the winner, its gain, the fraction of the bound, tuning, tie; geometric means
/// below. `timings` have the seconds of what runs today.
std::string table_of(const record_file& f, const recording& timings, const family& gemm);

/// Of cases of element matrices: of each the time of the best tuning of each way, as a multiple of the best of all; "-"
/// where a way was not measured or cannot make them.
std::string ways_text(const recording& timings);

}  // namespace tessera::tune
