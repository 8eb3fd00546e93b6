// SPDX-License-Identifier: BSD-3-Clause
// Hockney's model.
#include "models/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

constexpr const char* of_transfers = "transfer model";

}  // namespace

transfer_line fit_transfers(const std::vector<transfer_sample>& samples, residual of) {
  double weights = 0, bytes = 0, seconds = 0;
  for (const transfer_sample& s : samples) {
    require_not_negative(of_transfers, "the number of bytes of a sample", s.bytes);
    require_positive(of_transfers, "the time of a sample in seconds", s.seconds);
  }
  const auto weight = [&](const transfer_sample& s) {
    return of == residual::relative ? 1 / (s.seconds * s.seconds) : 1;
  };
  for (const transfer_sample& s : samples) {
    weights += weight(s);
    bytes += weight(s) * s.bytes;
    seconds += weight(s) * s.seconds;
  }
  const double mean_bytes = bytes / weights, mean_seconds = seconds / weights;
  double spread = 0, together = 0, bytes_squared = 0, product = 0;
  for (const transfer_sample& s : samples) {
    spread += weight(s) * (s.bytes - mean_bytes) * (s.bytes - mean_bytes);
    together += weight(s) * (s.bytes - mean_bytes) * (s.seconds - mean_seconds);
    bytes_squared += weight(s) * s.bytes * s.bytes;
    product += weight(s) * s.bytes * s.seconds;
  }
  if (!(spread > 0)) throw error("transfer model: a fit needs samples of two different numbers of bytes");
  double slope = together / spread, latency = mean_seconds - slope * mean_bytes;
  // The best line may have a negative latency or slope, which no transfer has: then the best line with 0 instead.
  if (slope < 0) slope = 0, latency = mean_seconds;
  if (latency < 0) latency = 0, slope = product / bytes_squared;
  transfer_line fitted{.latency = latency,
                       .bandwidth = slope > 0 ? 1 / slope : std::numeric_limits<double>::infinity()};
  for (const transfer_sample& s : samples)
    fitted.worst_fit = std::max(fitted.worst_fit, std::abs((latency + slope * s.bytes) / s.seconds - 1));
  return fitted;
}

double transfer_seconds(const transfer_line& by, double count, double bytes) {
  require_not_negative(of_transfers, "the latency in seconds", by.latency);
  require_not_negative(of_transfers, "the number of transfers", count);
  require_not_negative(of_transfers, "the number of bytes", bytes);
  if (!(by.bandwidth > 0)) refuse(of_transfers, "the bandwidth in bytes/s", by.bandwidth, "a positive number");
  return count * by.latency + bytes / by.bandwidth;
}

double half_performance_bytes(const transfer_line& of) {
  require_not_negative(of_transfers, "the latency in seconds", of.latency);
  require_positive(of_transfers, "the bandwidth in bytes/s", of.bandwidth);
  return of.latency * of.bandwidth;
}

double transfer_penalty(const transfer_line& near, const transfer_line& far, double count, double bytes) {
  return transfer_seconds(far, count, bytes) - transfer_seconds(near, count, bytes);
}

double launch_share(double separate_seconds, double together_seconds) {
  require_positive(of_transfers, "the time of separate launches in seconds", separate_seconds);
  require_positive(of_transfers, "the time of one launch in seconds", together_seconds);
  return 1 - together_seconds / separate_seconds;
}

}  // namespace tessera::bench::models
