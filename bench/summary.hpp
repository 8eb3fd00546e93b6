// SPDX-License-Identifier: BSD-3-Clause
// What a suite says after its table: means and worst cases of all cases and of groups, and the worst step between
// sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

/// The place of a case among the others of its suite.
struct case_place {
  std::vector<std::string> groups;  // "squares", "middle index": each has a line of its own
  std::string series;               // cases of one series differ in size only; empty: none
  long long position = 0;           // n or p; neighbours differ by 1
};

/// Figures of a case whose measurement is trustworthy.
struct case_figures {
  std::string label;
  case_place place;
  std::optional<double> ratio;  // the best peer's time over ours
  double fraction = 0;          // of the bound
  double seconds_per_flop = 0;
};

class summary_lines {
 public:
  void add(const case_figures& figures) { all_.push_back(figures); }
  bool empty() const { return all_.empty(); }

  /// "peer time / our time: geometric mean 1.290, worst 1.020 (n=4); fraction of the bound: ..."
  std::string of_all() const;
  /// The same for each group of at least two cases, in the order of their first cases.
  std::vector<std::string> of_groups() const;
  /// The largest time per flop relative to the larger of its two neighbours': above 1 a size is slower than both. Empty
  /// if no case has both neighbours.
  std::string of_steps() const;

 private:
  std::vector<case_figures> all_;
};

}  // namespace tessera::bench
