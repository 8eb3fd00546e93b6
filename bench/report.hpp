// SPDX-License-Identifier: BSD-3-Clause
// report: the table on the terminal, line by line, the JSON file, and the final line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "measure/limits/cpu.hpp"
#include "measure/measure.hpp"
#include "measure/stopwatch.hpp"
#include "measure/trust.hpp"
#include "models/energy.hpp"
#include "options.hpp"
#include "peers/peer.hpp"
#include "prediction.hpp"
#include "reference.hpp"
#include "summary.hpp"

namespace tessera::bench {

/// One contender of one case.
struct result {
  std::string impl;
  timing time;
  verdict checked;
  std::string describe;
  std::string suspect = {};                  // the reason if its time is not trustworthy
  std::string brief = {};                    // the kernel, where a peer has several
  bool is_peer = true;                       // false: it computes something else, and ours is not compared with it
  std::optional<prediction> predicted = {};  // where it differs from the case's
};

/// One finished case: ours first, then the peers.
struct case_results {
  std::string label;
  nlohmann::json facts;
  std::string target, row;
  double flops = 0, bytes = 0;
  bound limit;
  std::vector<result> all;
  int measured = 1;  // number of measurements until it was trustworthy
  case_place place = {};
  std::optional<prediction> predicted = {};  // the report predicts where a suite did not
};

/// Its mark in tables if it is suspect, with two blanks in front; else empty.
std::string mark_of(const result& r);

/// "1.50 us"
std::string duration(double seconds);

class report {
 public:
  report(const options& o, const std::vector<peer>& peers);

  /// From here on cases have predictions by this model.
  void predict_with(std::shared_ptr<memory_model> model) { model_ = std::move(model); }
  /// Adds the prediction, by its bytes, flops and the peak of its bound; `add` and `keep` do that, too. There is
  /// none of general contractions by plain loops, nor without memory to measure a level in.
  void predict(case_results& c) const;

  void add(const limit& l);
  /// `with_line`: in the table, too; else for suites with a table of their own.
  void add(case_results c, bool with_line = true);
  /// Adds a member to the file.
  void attach(const std::string& name, nlohmann::json value) { file_[name] = std::move(value); }
  /// Adds to the file and the verdict, not to the table: for suites with a table of their own.
  void keep(case_results c);
  /// A wrong result that is not timed: an error, and no result of the file.
  void refuse(const std::string& label, const std::string& impl, const verdict& v);
  void note(const std::string& line) const;  // to the terminal, unless quiet

  /// Prints the final line and writes the JSON file. Returns the exit status: 0 if every result was right, 1 if one was
  /// wrong, 3 if one of ours is suspect.
  int finish();

 private:
  void keep(const case_results& c, const std::string& best_peer, std::optional<double> ratio);
  void print(const case_results& c, const std::string& best_peer, std::optional<double> ratio);
  void fit_energy_of_results();
  void write();

  options options_;
  nlohmann::json file_;
  stopwatch since_write_;
  bool wrong_ = false, heading_ = false;
  std::vector<std::string> suspects_;  // footnotes
  summary_lines summary_;
  std::shared_ptr<memory_model> model_;
  std::vector<double> predicted_;  // over measured, of ours
  std::vector<models::energy_run> energy_;
};

}  // namespace tessera::bench
