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
  nothing,           ///< the kernel is near its roof
  memory_access,     ///< below the ridge: coalescing, reuse, layout
  instruction_issue  ///< above it: instruction-level parallelism, occupancy, launches
};

/// An efficiency below `low` counts as low.
next_step advice(const roofline& of, double flops, double bytes, double seconds, double low = 0.8);
const char* name_of(next_step step);

}  // namespace tessera::bench::models
