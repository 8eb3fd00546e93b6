// SPDX-License-Identifier: BSD-3-Clause
// Hockney's model of transfers and launches: time = latency + bytes / bandwidth, fitted to measured times.
#pragma once

#include <vector>

namespace tessera::bench::models {

struct transfer_sample {
  double bytes = 0, seconds = 0;
};

struct transfer_line {
  double latency = 0;    // seconds, T_0
  double bandwidth = 0;  // bytes/s; infinite where the times do not depend on the bytes
  double worst_fit = 0;  // the largest |predicted / measured - 1| of the samples of the fit
};

/// What the squares of the fit are of.
enum class residual {
  relative,  ///< predicted / measured - 1: all sizes count alike
  absolute   ///< seconds: the largest transfers decide
};

/// The line with the least sum of squares, with a latency and a slope that are not negative. Needs two different sizes.
transfer_line fit_transfers(const std::vector<transfer_sample>& samples, residual of = residual::relative);

/// Seconds of `count` transfers, one after the other, of this many bytes together: N T_0 + V / B.
double transfer_seconds(const transfer_line& by, double count, double bytes);

/// Bytes at which latency and movement take as long: T_0 B.
double half_performance_bytes(const transfer_line& of);

/// Seconds that transfers over `far` take more than over `near`.
double transfer_penalty(const transfer_line& near, const transfer_line& far, double count, double bytes);

/// The part of the time of separate launches that one launch of the same work saves: 1 - together / separate. Negative
/// where one launch is slower.
double launch_share(double separate_seconds, double together_seconds);

}  // namespace tessera::bench::models
