// SPDX-License-Identifier: BSD-3-Clause
// The roofline model.
#include "models/roofline.hpp"

#include <algorithm>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

void require(const roofline& of) {
  require_positive("roofline", "the peak in flop/s", of.peak);
  require_positive("roofline", "the bandwidth in bytes/s", of.bandwidth);
}

void require_work(double flops, double bytes) {
  require_not_negative("roofline", "the number of flops", flops);
  require_not_negative("roofline", "the number of bytes", bytes);
}

}  // namespace

double ridge_point(const roofline& of) {
  require(of);
  return of.peak / of.bandwidth;
}

double attainable(const roofline& of, double intensity) {
  require(of);
  require_not_negative("roofline", "the intensity in flop per byte", intensity);
  return std::min(of.peak, of.bandwidth * intensity);
}

double roofline_seconds(const roofline& of, double flops, double bytes) {
  require(of);
  require_work(flops, bytes);
  return std::max(flops / of.peak, bytes / of.bandwidth);
}

bool is_by_bandwidth(const roofline& of, double flops, double bytes) {
  require(of);
  require_work(flops, bytes);
  return bytes / of.bandwidth >= flops / of.peak;
}

double roofline_efficiency(const roofline& of, double flops, double bytes, double seconds) {
  require_positive("roofline", "the time in seconds", seconds);
  return roofline_seconds(of, flops, bytes) / seconds;
}

next_step advice(const roofline& of, double flops, double bytes, double seconds, double low) {
  require_fraction("roofline", "the efficiency that counts as low", low);
  if (roofline_efficiency(of, flops, bytes, seconds) >= low) return next_step::nothing;
  require_positive("roofline", "the number of bytes", bytes);
  return flops / bytes < ridge_point(of) ? next_step::memory_access : next_step::instruction_issue;
}

next_step advice_after(const change& of, double least) {
  require_positive("roofline", "the efficiency before", of.efficiency_before);
  require_positive("roofline", "the efficiency after", of.efficiency_after);
  require_positive("roofline", "the time before in seconds", of.seconds_before);
  require_positive("roofline", "the time after in seconds", of.seconds_after);
  require_fraction("roofline", "the part that counts as a change", least);
  const bool rose = of.efficiency_after / of.efficiency_before > 1 + least;
  const bool stayed = of.seconds_before / of.seconds_after < 1 + least;
  return rose && stayed ? next_step::serial_part : next_step::nothing;
}

const char* name_of(next_step step) {
  switch (step) {
    case next_step::memory_access: return "memory access";
    case next_step::instruction_issue: return "instruction issue";
    case next_step::serial_part: return "serial part";
    case next_step::nothing: break;
  }
  return "nothing";
}

}  // namespace tessera::bench::models
