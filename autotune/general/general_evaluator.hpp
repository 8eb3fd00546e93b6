// SPDX-License-Identifier: BSD-3-Clause
// Times the tiles of one contraction in a worker, which is replaced when it dies or a kernel has broken its context.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "evaluator.hpp"
#include "general/general_case.hpp"
#include "work/worker_process.hpp"

namespace tessera::tune {

/// Asks a worker; tests have one of their own.
using general_asks = std::function<worker_process::answer(const nlohmann::json& request, double seconds)>;

/// The process that serves general_session; a new one is told the case first.
class general_worker {
 public:
  explicit general_worker(std::string program) : program_(std::move(program)) {}

  /// What follows is about this contraction.
  void take(const general_case& c);
  worker_process::answer ask(const nlohmann::json& request, double seconds);
  void replace() { process_.reset(); }

 private:
  std::string program_;
  nlohmann::json case_;
  bool is_told_ = false;
  std::unique_ptr<worker_process> process_;
};

class general_evaluator final : public evaluator {
 public:
  /// `replace` is called after a fault of the worker or of the device.
  general_evaluator(general_form form, std::vector<detail::general_tile> tiles, general_asks ask,
                    std::function<void()> replace);

  /// Compiles new tiles, many at once, and checks each against the others.
  void prepare(const std::vector<int>& candidates) override;
  std::vector<sample> round(const std::vector<int>& candidates) override;
  conditions seen() const override;

  /// Of a tile's compilation; 0 where it was not compiled, since the journal had its samples.
  double compile_seconds(int candidate) const { return states_.at(std::size_t(candidate)).compile_seconds; }
  /// From the first to the last compilation of each call of prepare.
  double compile_seconds() const { return compiling_; }

 private:
  struct state {
    bool is_prepared = false;
    outcome how = outcome::ok;
    std::string reason;
    double compile_seconds = 0;
  };

  void compile(const std::vector<int>& candidates);
  void check(std::vector<int> candidates);
  sample time(int candidate);
  nlohmann::json ask_about(int candidate, const char* what);

  general_form form_;
  std::vector<detail::general_tile> tiles_;
  general_asks ask_;
  std::function<void()> replace_;
  std::vector<state> states_;
  double compiling_ = 0;
  std::vector<double> clocks_mhz_, watts_;
  double best_mhz_ = 0;
};

}  // namespace tessera::tune
