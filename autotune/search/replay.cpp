// SPDX-License-Identifier: BSD-3-Clause
// Replays recorded samples.
#include "search/replay.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace tessera::tune {

namespace {

// Box-Muller: the standard distribution differs between libraries.
double normal(std::uint64_t seed, std::uint64_t candidate, std::uint64_t index) {
  std::seed_seq mixed{seed, candidate, index};
  std::uint32_t bits[2];
  mixed.generate(bits, bits + 2);
  const double first = (double(bits[0]) + 1) / 4294967296.0, second = double(bits[1]) / 4294967296.0;
  return std::sqrt(-2 * std::log(first)) * std::cos(2 * std::numbers::pi * second);
}

}  // namespace

recorded_evaluator::recorded_evaluator(const recorded_space& s, replay_options how)
    : space_(s), how_(std::move(how)), given_(s.candidates.size(), 0) {}

std::vector<sample> recorded_evaluator::round(const std::vector<int>& candidates) {
  std::vector<sample> samples;
  for (const int c : candidates) samples.push_back(next_of(c));
  return samples;
}

sample recorded_evaluator::next_of(int candidate) {
  const recorded_candidate& c = space_.candidates.at(std::size_t(candidate));
  const std::uint64_t index = given_[std::size_t(candidate)]++;
  const auto fault = how_.faults.find(candidate);
  if (fault != how_.faults.end() && index >= std::uint64_t(fault->second.after)) return fault->second.how;
  if (c.how != outcome::ok) return {c.how, 0, c.reason};
  const double seconds = c.seconds[(how_.seed + index) % c.seconds.size()];
  const double factor = how_.noise > 0 ? std::exp(how_.noise * normal(how_.seed, std::uint64_t(candidate), index)) : 1;
  return {outcome::ok, seconds * factor, {}};
}

}  // namespace tessera::tune
