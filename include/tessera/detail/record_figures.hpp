// SPDX-License-Identifier: BSD-3-Clause
// The figures in a record of a measurement, and their valid ranges.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// The range of the time of one product or element in seconds. The shortest measured time is 1e-11, of a 2 x 2 product
/// on a GPU.
inline constexpr double shortest_time = 1e-15, longest_time = 1e6;

/// False for NaN, too.
constexpr bool is_time(double seconds) { return seconds >= shortest_time && seconds <= longest_time; }

/// The figures of a measurement in a record, beside the tuning; 0 or "" if absent.
struct record_measurement {
  double seconds = 0, mad = 0;  // of one product, the geometric mean of C = A B and C += A B; or of an element
  double initial_seconds = 0;   // of the baseline in the same run
  double fraction = 0;          // of the bound
  double runner_up_seconds = 0;
  double clock_mhz = 0, watts = 0;  // while it was measured
  bool tie = false;
  int tried = 0, candidates = 0;
  std::string strategy, date;  // ISO 8601
};

struct record_figure {
  std::string_view name;  // of the record's member
  double record_measurement::*value;
  double least, most;
  bool zero;  // 0 is valid: not measured
};

inline constexpr record_figure record_figures[] = {
    {"seconds", &record_measurement::seconds, shortest_time, longest_time, false},
    {"mad", &record_measurement::mad, 0, longest_time, true},
    {"initial_seconds", &record_measurement::initial_seconds, shortest_time, longest_time, true},
    {"fraction", &record_measurement::fraction, 0, 1e6, true},
    {"runner_up_seconds", &record_measurement::runner_up_seconds, shortest_time, longest_time, true},
    {"clock_mhz", &record_measurement::clock_mhz, 0, 1e6, true},
    {"watts", &record_measurement::watts, 0, 1e6, true}};

/// "" if the value is valid for this member of a record, else the fault: "\"seconds\" is 1e-300, not in 1e-15..1e+06".
std::string why_no_figure(const record_figure& of, double value);

}  // namespace tessera
