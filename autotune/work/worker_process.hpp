// SPDX-License-Identifier: BSD-3-Clause
// The tuner's side of a worker: starts it, sends requests with a time limit, and reports how it died.
#pragma once

#include <sys/types.h>

#include <string>

#include <nlohmann/json.hpp>

#include "evaluator.hpp"

namespace tessera::tune {

/// The sample in a worker's answer, which may hold anything after a candidate has run: `wrong` if it has no time.
sample sample_in(const nlohmann::json& reply);

class worker_process {
 public:
  /// Throws if the program cannot be started.
  explicit worker_process(const std::string& program);
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;
  ~worker_process();

  struct answer {
    outcome how = outcome::ok;  // crashed and timed_out: the worker is dead, `reason` has the cause
    std::string reason;
    nlohmann::json reply;
  };
  answer ask(const nlohmann::json& request, double seconds);

  bool is_alive() const { return process_ > 0; }

 private:
  bool send(const std::string& line) const;
  answer died();
  std::string end();

  pid_t process_ = -1;
  int socket_ = -1;
  std::string received_;
};

}  // namespace tessera::tune
