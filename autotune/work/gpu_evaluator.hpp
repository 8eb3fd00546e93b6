// SPDX-License-Identifier: BSD-3-Clause
// Times the GPU candidates of one case: compiled here by NVRTC, checked and run in a worker that is replaced when it
// dies or when a candidate has broken its context.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tessera/detail/jit.hpp>

#include "evaluator.hpp"
#include "family.hpp"
#include "work/compiler_settings.hpp"
#include "work/worker_process.hpp"

namespace tessera::tune {

struct gpu_settings {
  std::string program = default_worker_program();
  std::string cache;              // folder of compiled candidates; may not be empty
  int architecture = 90;          // compute capability x 10
  int compile_threads = 0;        // 0: one per core
  double candidate_seconds = 30;  // for the check of one candidate, and for one sample of it
  double least_sample = 2e-3;     // seconds, of each of C = A B and C += A B
  int most_local_bytes = 0;       // of a thread: more is a spill
};

/// The worker of all GPU cases: one process and one context, replaced when it dies.
class gpu_worker {
 public:
  explicit gpu_worker(std::string program) : program_(std::move(program)) {}

  /// `c`: the case of the request; a new worker receives it first.
  worker_process::answer ask(const tuning_case& c, const nlohmann::json& request, double seconds);
  void replace() { process_.reset(); }
  int started() const { return started_; }

 private:
  std::string program_;
  std::unique_ptr<worker_process> process_;
  std::string case_;  // the current case of the process
  int started_ = 0;
};

class gpu_evaluator final : public evaluator {
 public:
  /// The worker must outlive it.
  gpu_evaluator(const tuning_case& c, std::vector<config> configs, gpu_worker& worker, gpu_settings settings);

  /// Compiles and checks new candidates: nothing compiles during timings.
  void prepare(const std::vector<int>& candidates) override;
  std::vector<sample> round(const std::vector<int>& candidates) override;

  /// The medians over all samples of the SM clock and the power.
  conditions seen() const override;

 private:
  struct state {
    bool prepared = false;
    outcome how = outcome::ok;
    std::string reason;
  };

  std::vector<jit_code> compiled(const std::vector<int>& candidates) const;
  void check(int candidate);
  sample time(int candidate);
  nlohmann::json ask_about(int candidate, const char* what);

  tuning_case case_;
  std::vector<config> configs_;
  gpu_worker& worker_;
  gpu_settings settings_;
  std::vector<state> states_;
  std::vector<double> clocks_mhz_, watts_;
  double best_mhz_ = 0;
};

}  // namespace tessera::tune
