// SPDX-License-Identifier: BSD-3-Clause
// Times the CPU candidates of one case: compiled here, checked and run in a worker that is replaced when it dies.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "evaluator.hpp"
#include "work/cpu_compiler.hpp"
#include "work/worker_process.hpp"

namespace tessera::tune {

struct worker_settings {
  std::string program = default_worker_program();
  double candidate_seconds = 20;  // for the checks of one candidate, and for one sample of it
  double allocation_seconds = 120;
  double least_sample = 1e-3;    // seconds, of each of C = A B and C += A B
  int most_stack_accesses = 64;  // of vectors, among its multiplications: more is a spill
};

class cpu_evaluator final : public evaluator {
 public:
  /// The compiler must outlive it; evaluators with the same compiler reuse its results. Throws if this machine cannot
  /// run the case's target.
  cpu_evaluator(const tuning_case& c, std::vector<config> configs, cpu_compiler& compiler,
                worker_settings settings = {});

  /// Compiles and checks new candidates: nothing compiles during timings.
  void prepare(const std::vector<int>& candidates) override;
  std::vector<sample> round(const std::vector<int>& candidates) override;

  void renew() override;

  /// Processes started so far: one, and one more for each that died or was abandoned, and for each renewal.
  int workers_started() const { return workers_started_; }
  /// Samples that the system disturbed in every attempt.
  int disturbed() const { return disturbed_; }
  /// The clock of the worker's core, measured before every 256th sample: the median; and the package's mean power.
  conditions seen() const override;

 private:
  struct state {
    bool prepared = false;
    outcome how = outcome::ok;
    std::string reason;
    std::string object;
    int index = 0;
  };

  void compile(const std::vector<int>& candidates);
  void refuse_spills(const std::vector<int>& candidates);
  void note_stack_accesses(const std::string& object);
  void check(state& s);
  sample time(state& s);
  nlohmann::json ask_about(state& s, nlohmann::json request);
  worker_process::answer ask_once(const nlohmann::json& request);
  void allocate();  // the worker's memory for timing, if it has none yet
  void record_clock();
  worker_process& worker();

  tuning_case case_;
  std::vector<config> configs_;
  cpu_compiler& compiler_;
  worker_settings settings_;
  std::vector<state> states_;
  std::unique_ptr<worker_process> worker_;
  bool has_memory_ = false;                                 // the worker, for timing
  std::map<std::string, std::vector<int>> stack_accesses_;  // of each object's functions
  std::vector<double> clocks_mhz_;
  double joules_ = 0, seconds_ = 0;  // over all rounds
  int workers_started_ = 0, disturbed_ = 0;
  long samples_ = 0;
};

}  // namespace tessera::tune
