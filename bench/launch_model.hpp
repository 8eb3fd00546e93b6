// SPDX-License-Identifier: BSD-3-Clause
// What the suite launch takes from its times: the latency of each way to launch, and the line through a way's times.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "models/transfer.hpp"
#include "report.hpp"

namespace tessera::bench {

/// Seconds of each way for products of one multiply-add, which are all latency. They are measured as cases are, until
/// they are trusted, and again where a later case takes less: nothing takes less than its latency.
class launch_latencies {
 public:
  /// `measure_smallest` measures that case, all ways in the order of all other cases.
  explicit launch_latencies(std::function<case_results()> measure_smallest);

  /// The case of products of one multiply-add, as it was measured last.
  const case_results& smallest() const { return smallest_; }
  /// Measures again where a way of the case took less than its latency by more than a tenth, most_measurements times in
  /// all; of each way the better measurement counts.
  void hold_against(const case_results& c);
  double of(std::size_t way) const { return best_[way].seconds.median; }

 private:
  bool is_above(const case_results& c) const;

  std::function<case_results()> measure_;
  case_results smallest_;
  std::vector<timing> best_;
  int measured_ = 1;
};

/// The line of a way through its times of all sizes, of `products` products each; a latency that they do not show is
/// null.
nlohmann::json launch_line_json(const std::string& way, const models::transfer_line& line, double products);

}  // namespace tessera::bench
