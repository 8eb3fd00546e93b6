// SPDX-License-Identifier: BSD-3-Clause
// An evaluator with a journal: returns the samples of the journal, measures and records others.
#pragma once

#include <string>
#include <vector>

#include "search/journal.hpp"

namespace tessera::tune {

/// Wraps the evaluator that measures. Since strategies are deterministic given the samples, a run that was killed and
/// restarted finds the same winner.
class journaled_evaluator : public evaluator {
 public:
  /// `configs` are those of the candidates, in order of their numbers; `of_case` is key_of the case.
  journaled_evaluator(evaluator& inner, journal& into, std::string of_case, std::vector<config> configs);

  /// Passed on when the first sample is missing: candidates in the journal are not compiled.
  void prepare(const std::vector<int>& candidates) override;

  /// Candidates are measured one by one, so that each sample is on disk before the next is taken.
  std::vector<sample> round(const std::vector<int>& candidates) override;

  void renew() override { inner_.renew(); }

  /// Of this run: the journal has none.
  conditions seen() const override { return inner_.seen(); }

  long replayed() const { return replayed_; }
  long measured() const { return measured_; }

 private:
  sample next_of(int candidate);
  void prepare_waiting();

  evaluator& inner_;
  journal& into_;
  std::string of_case_;
  std::vector<config> configs_;
  std::vector<std::size_t> given_;  // samples of each candidate
  std::vector<int> waiting_;        // to be prepared
  long replayed_ = 0, measured_ = 0;
};

}  // namespace tessera::tune
