// SPDX-License-Identifier: BSD-3-Clause
// Keeps latencies up to date, and writes lines.
#include "launch_model.hpp"

#include <cmath>
#include <utility>

namespace tessera::bench {

launch_latencies::launch_latencies(std::function<case_results()> measure_smallest)
    : measure_(std::move(measure_smallest)), smallest_(measure_()) {
  for (const result& r : smallest_.all) best_.push_back(r.time);
}

bool launch_latencies::is_above(const case_results& c) const {
  constexpr double least_part = 0.9;
  for (std::size_t i = 0; i < best_.size(); ++i)
    if (c.all[i].time.seconds.median < least_part * of(i)) return true;
  return false;
}

void launch_latencies::hold_against(const case_results& c) {
  for (; is_above(c) && measured_ < most_measurements; ++measured_) {
    smallest_ = measure_();
    for (std::size_t i = 0; i < best_.size(); ++i) best_[i] = better_of(best_[i], smallest_.all[i].time);
  }
}

nlohmann::json launch_line_json(const std::string& way, const models::transfer_line& line, double products) {
  const auto or_null = [](bool known, double value) { return known ? nlohmann::json(value) : nlohmann::json(nullptr); };
  return {{"impl", way},
          {"latency", or_null(line.latency > 0, line.latency)},
          {"latency_of_a_product", or_null(line.latency > 0, line.latency / products)},
          {"bandwidth", or_null(std::isfinite(line.bandwidth), line.bandwidth)},
          {"worst_fit", line.worst_fit}};
}

}  // namespace tessera::bench
