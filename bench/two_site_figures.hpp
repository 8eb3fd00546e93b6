// SPDX-License-Identifier: BSD-3-Clause
// What the times of two-site updates come to: ours as part of the best library's, called and in CUDA graphs, and of the
// bound.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report.hpp"

namespace tessera::bench {

/// Our time over that of the fastest library, which is named; chosen and compared as compare_with_best does.
struct part_of_library {
  double value = 0;
  std::string library;
};

/// What one case has of it; empty where it was not measured, is wrong or suspect.
struct two_site_parts {
  long long dp = 0, chi = 0, count = 0;
  std::string label;
  std::optional<part_of_library> called, in_graph;  // called by called, graph by graph
  std::optional<double> of_bound;                   // the bound over our time in a graph; without graphs there is none
};

/// The name of a way in a CUDA graph of all updates.
std::string graph_name(const std::string& way);

two_site_parts parts_of(const case_results& c);

/// Behind the times of a line; empty without libraries.
std::string comparison_text(const two_site_parts& parts);

class two_site_figures {
 public:
  void add(const two_site_parts& parts) { cases_.push_back(parts); }

  /// A line each: called, of at most 16 entries, the mean; in graphs the mean and the worst; in graphs, of 256 entries,
  /// the mean part of the bound. Means are geometric. What no case has is left out.
  std::vector<std::string> lines() const;
  nlohmann::json to_json() const;

 private:
  std::vector<two_site_parts> cases_;
};

}  // namespace tessera::bench
