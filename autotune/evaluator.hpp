// SPDX-License-Identifier: BSD-3-Clause
// How a search learns times: an evaluator takes candidate numbers and gives samples, whatever stands behind it.
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
  std::string reason;  // where not ok
};

/// What the machine did while candidates were timed; 0 where it cannot be read.
struct conditions {
  double clock_mhz = 0, watts = 0;
};

/// After so many rounds of a close contest it goes on in another process.
inline constexpr int rounds_a_sitting = 5;

/// Times the candidates of one case: the worker process, a recording, or the journal in front of either.
class evaluator {
 public:
  virtual ~evaluator() = default;

  /// Announces that these will be timed, so that they are compiled and checked before anything is.
  virtual void prepare(const std::vector<int>& /*candidates*/) {}

  /// One sample of each, in this order, one after the other: drift hits all alike. A candidate that failed once fails
  /// in the same way from then on.
  virtual std::vector<sample> round(const std::vector<int>& candidates) = 0;

  /// What comes next is measured in another process where that can matter: how its stack, code and memory lie makes
  /// some kernels a few percent slower, in every sample that it takes.
  virtual void renew() {}

  virtual conditions seen() const { return {}; }
};

}  // namespace tessera::tune
