// SPDX-License-Identifier: BSD-3-Clause
// Times the loops over the elements of one operator on a CPU: nothing is compiled, a worker checks and runs them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator.hpp"
#include "family.hpp"
#include "work/cpu_evaluator.hpp"
#include "work/worker_process.hpp"

namespace tessera::tune {

class element_evaluator final : public evaluator {
 public:
  /// Settings about compiled code are ignored. Throws if this machine cannot run the case's target.
  element_evaluator(const tuning_case& c, std::vector<config> configs, worker_settings settings = {});

  /// Checks new candidates.
  void prepare(const std::vector<int>& candidates) override;
  std::vector<sample> round(const std::vector<int>& candidates) override;
  void renew() override;
  /// The clock, measured before every 256th sample.
  conditions seen() const override;

  int workers_started() const { return workers_started_; }

 private:
  struct state {
    bool prepared = false;
    outcome how = outcome::ok;
    std::string reason;
  };

  sample time(int candidate);
  nlohmann::json ask_about(int candidate, const char* what);
  void allocate();
  worker_process& worker();

  tuning_case case_;
  std::vector<config> configs_;
  worker_settings settings_;
  std::vector<state> states_;
  std::unique_ptr<worker_process> worker_;
  bool has_memory_ = false;  // the worker, for timing
  std::vector<double> clocks_mhz_;
  long samples_ = 0;
  int workers_started_ = 0;
};

}  // namespace tessera::tune
