// SPDX-License-Identifier: BSD-3-Clause
// How a search gets times: an evaluator takes candidate numbers and returns samples, from any source.
#pragma once

#include <string>
#include <vector>

namespace tessera::tune {

enum class outcome { ok, wrong, crashed, timed_out, not_compiled, spilled };

constexpr const char* name_of(outcome o) {
  switch (o) {
    case outcome::ok: return "ok";
    case outcome::wrong: return "wrong";
    case outcome::crashed: return "crashed";
    case outcome::timed_out: return "timed out";
    case outcome::not_compiled: return "not compiled";
    case outcome::spilled: return "spilled";
  }
  return "unknown";
}

struct sample {
  outcome how = outcome::ok;
  double seconds = 0;  // of one product
  std::string reason;  // if not ok
};

/// The state of the machine while candidates were timed; 0 if it cannot be read.
struct conditions {
  double clock_mhz = 0, watts = 0;
};

/// After this many rounds of a close contest it continues in another process.
inline constexpr int rounds_a_sitting = 5;

/// Times the candidates of one case: by the worker process, a recording, or the journal in front of either.
class evaluator {
 public:
  virtual ~evaluator() = default;

  /// Announces that these will be timed, so that they are compiled and checked before anything is.
  virtual void prepare(const std::vector<int>& /*candidates*/) {}

  /// One sample of each, in this order: drift affects all equally. A candidate that failed once fails in the same way
  /// from then on.
  virtual std::vector<sample> round(const std::vector<int>& candidates) = 0;

  /// Later samples are measured in another process if that can matter: the addresses of a process's stack, code and
  /// memory make some kernels a few percent slower in all of its samples.
  virtual void renew() {}

  virtual conditions seen() const { return {}; }
};

}  // namespace tessera::tune
