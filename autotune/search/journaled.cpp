// SPDX-License-Identifier: BSD-3-Clause
// Samples from the journal first, then from the machine.
#include "search/journaled.hpp"

#include <algorithm>
#include <cstdio>

#include <tessera/detail/record_figures.hpp>
#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

// A candidate without a valid time fails: neither the journal nor a record would accept it.
sample believed(sample s) {
  if (s.how != outcome::ok || is_time(s.seconds)) return s;
  char reason[80];
  std::snprintf(reason, sizeof reason, "timed as %g s, which no clock gives", s.seconds);
  return {outcome::wrong, 0, reason};
}

}  // namespace

journaled_evaluator::journaled_evaluator(evaluator& inner, journal& into, std::string of_case,
                                         std::vector<config> configs)
    : inner_(inner),
      into_(into),
      of_case_(std::move(of_case)),
      configs_(std::move(configs)),
      given_(configs_.size(), 0) {}

void journaled_evaluator::prepare(const std::vector<int>& candidates) {
  waiting_.insert(waiting_.end(), candidates.begin(), candidates.end());
}

std::vector<sample> journaled_evaluator::round(const std::vector<int>& candidates) {
  std::vector<sample> samples;
  for (const int c : candidates) samples.push_back(next_of(c));
  return samples;
}

sample journaled_evaluator::next_of(int candidate) {
  const config& c = configs_.at(std::size_t(candidate));
  std::size_t& given = given_.at(std::size_t(candidate));
  const std::vector<sample>& known = into_.recorded(of_case_, c);
  if (given < known.size()) {
    ++replayed_;
    return known[given++];
  }
  if (!known.empty() && known.back().how != outcome::ok) return known.back();
  prepare_waiting();
  const std::vector<sample> all = inner_.round({candidate});
  if (all.size() != 1) throw error("an evaluator gave no sample of the one candidate in a round", status::internal);
  sample fresh = believed(all.front());
  into_.append(of_case_, c, fresh);
  ++given;
  ++measured_;
  return fresh;
}

void journaled_evaluator::prepare_waiting() {
  std::erase_if(waiting_, [&](int c) {
    const std::vector<sample>& known = into_.recorded(of_case_, configs_.at(std::size_t(c)));
    return !known.empty() && known.back().how != outcome::ok;
  });
  if (waiting_.empty()) return;
  const std::vector<int> now = std::move(waiting_);
  waiting_.clear();
  inner_.prepare(now);
}

}  // namespace tessera::tune
