// SPDX-License-Identifier: BSD-3-Clause
// An evaluator that replays recorded samples, with optional noise and faults.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "search/recording.hpp"

namespace tessera::tune {

/// A candidate that works at first and then fails for good.
struct injected_fault {
  sample how;     // crashed, timed out, wrong
  int after = 0;  // samples
};

struct replay_options {
  double noise = 0;  // relative standard deviation added to the recorded times
  std::uint64_t seed = 1;
  std::map<int, injected_fault> faults;  // of candidates
};

/// Sample i of a candidate depends only on i and the seed, not on other candidates: a fault affects no other samples.
/// All candidates start at the same recorded round, chosen by the seed, and wrap around.
class recorded_evaluator : public evaluator {
 public:
  explicit recorded_evaluator(const recorded_space& s, replay_options how = {});

  std::vector<sample> round(const std::vector<int>& candidates) override;

 private:
  sample next_of(int candidate);

  const recorded_space& space_;
  replay_options how_;
  std::vector<std::uint64_t> given_;
};

}  // namespace tessera::tune
