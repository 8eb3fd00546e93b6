// SPDX-License-Identifier: BSD-3-Clause
// report: the table on the terminal, line by line, the JSON file, and the final line.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "limits/cpu.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "peers/peer.hpp"
#include "reference.hpp"

namespace tessera::bench {

struct bound {
  double seconds = 0;
  const char* by = "bandwidth";
  double bandwidth = 0, peak = 0;  // that it was made of, per second
};

/// One contender of one case.
struct result {
  std::string impl;
  timing time;
  verdict checked;
  std::string describe;
};

/// One finished case: ours first, then the peers.
struct case_results {
  std::string label;
  nlohmann::json facts;
  std::string target, row;
  double flops = 0, bytes = 0;
  bound limit;
  std::vector<result> all;
};

/// "1.50 us"
std::string duration(double seconds);

class report {
 public:
  report(const options& o, const std::vector<peer>& peers);

  void add(const limit& l);
  void add(const case_results& c);
  /// Into the file and the verdict, not into the table: for suites with a table of their own.
  void keep(const case_results& c);
  void note(const std::string& line) const;  // to the terminal, unless quiet

  /// Prints the final line and writes the JSON file. Returns the exit status: 0 where every result was right.
  int finish();

 private:
  void print(const case_results& c, const result* best_peer, double ratio);

  options options_;
  nlohmann::json file_;
  bool wrong_ = false, heading_ = false;
  struct figure {
    std::string label;
    double value;
  };
  std::vector<figure> ratios_, fractions_;
};

}  // namespace tessera::bench
