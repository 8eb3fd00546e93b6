// SPDX-License-Identifier: BSD-3-Clause
// The roofline model: what a peak of flops and a bandwidth allow, and how much of that a kernel reached.
#pragma once

namespace tessera::bench::models {

/// The two limits of a machine for one type.
struct roofline {
  double peak = 0;       // flop/s
  double bandwidth = 0;  // bytes/s
};

/// Flop per byte at which both limits take as long: P / B.
double ridge_point(const roofline& of);

/// Flop/s that an intensity, in flop per byte, allows: min(P, B I).
double attainable(const roofline& of, double intensity);

/// Seconds: max(F / P, Q / B).
double roofline_seconds(const roofline& of, double flops, double bytes);

/// The limit that roofline_seconds takes.
bool is_by_bandwidth(const roofline& of, double flops, double bytes);

/// The part of the attainable flop/s that was reached: F / t over min(P, B F / Q).
double roofline_efficiency(const roofline& of, double flops, double bytes, double seconds);

/// What to improve first, by Sinkin's rules.
enum class next_step {
  nothing,            ///< the kernel is near its roof
  memory_access,      ///< below the ridge: coalescing, reuse, layout
  instruction_issue,  ///< above it: instruction-level parallelism, occupancy, launches
  serial_part         ///< kernels became better, the whole did not: launches, transfers and the host between them
};

/// An efficiency below `low` counts as low.
next_step advice(const roofline& of, double flops, double bytes, double seconds, double low = 0.8);
const char* name_of(next_step step);

/// A kernel and what it is part of, before a change and after it.
struct change {
  double efficiency_before = 0, efficiency_after = 0;  // of the kernel, as roofline_efficiency has it
  double seconds_before = 0, seconds_after = 0;        // from end to end
};

/// Sinkin's third rule: the serial part where the efficiency rose and the time from end to end stayed, both by the part
/// `least`; else nothing.
next_step advice_after(const change& of, double least = 0.1);

}  // namespace tessera::bench::models
