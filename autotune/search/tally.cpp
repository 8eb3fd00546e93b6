// SPDX-License-Identifier: BSD-3-Clause
// Rounds of samples, failures and scores without drift.
#include "search/tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <tessera/error.hpp>

#include "measure/statistics.hpp"

namespace tessera::tune {

namespace {

// A clock that did not advance would make a candidate look infinitely fast: not a valid time.
sample checked(sample s) {
  if (s.how == outcome::ok && !(s.seconds > 0 && std::isfinite(s.seconds)))
    return {outcome::wrong, 0, "its measured time is not a positive number"};
  return s;
}

}  // namespace

tally::tally(search_result& result, int candidates) : result_(result), place_(std::size_t(candidates), -1) {
  for (std::size_t i = 0; i < result.all.size(); ++i) place_.at(std::size_t(result.all[i].candidate)) = int(i);
}

void tally::round(std::vector<int>& alive, evaluator& e) {
  const std::vector<sample> samples = e.round(alive);
  if (samples.size() != alive.size())
    throw error("an evaluator gave " + std::to_string(samples.size()) + " samples of " + std::to_string(alive.size()) +
                    " candidates",
                status::internal);
  std::vector<int> healthy;
  for (std::size_t i = 0; i < alive.size(); ++i) {
    const int candidate = alive[i];
    int& place = place_.at(std::size_t(candidate));
    if (place < 0) {
      place = int(result_.all.size());
      result_.all.push_back({candidate, outcome::ok, {}, {}});
    }
    tried& entry = result_.all[std::size_t(place)];
    const sample s = checked(samples[i]);
    if (s.how == outcome::ok) {
      entry.seconds.push_back(s.seconds);
      healthy.push_back(candidate);
    } else {
      entry.how = s.how;
      entry.reason = s.reason;
    }
  }
  alive = std::move(healthy);
}

bool tally::is_healthy(int candidate) const {
  if (candidate < 0 || candidate >= int(place_.size()) || place_[std::size_t(candidate)] < 0) return false;
  return result_.all[std::size_t(place_[std::size_t(candidate)])].how == outcome::ok;
}

const std::vector<double>& tally::seconds(int candidate) const {
  return result_.all[std::size_t(place_.at(std::size_t(candidate)))].seconds;
}

std::vector<double> tally::scores(const std::vector<int>& of, std::size_t from) const {
  std::size_t rounds = std::numeric_limits<std::size_t>::max();
  for (const int c : of) rounds = std::min(rounds, seconds(c).size());
  std::vector<std::vector<double>> relative(of.size());
  std::vector<double> row(of.size());
  for (std::size_t r = from; !of.empty() && r < rounds; ++r) {
    for (std::size_t i = 0; i < of.size(); ++i) row[i] = seconds(of[i])[r];
    // Relative to the fastest of the round, not the median, so that slow candidates have no influence.
    const double fastest = *std::min_element(row.begin(), row.end());
    for (std::size_t i = 0; i < of.size(); ++i) relative[i].push_back(row[i] / fastest);
  }
  std::vector<double> result;
  for (std::vector<double>& r : relative) result.push_back(bench::median(std::move(r)));
  return result;
}

std::vector<int> tally::fastest(int count, int incumbent) const {
  std::size_t most = 0;
  for (const tried& t : result_.all)
    if (t.how == outcome::ok) most = std::max(most, t.seconds.size());
  std::vector<int> able;
  for (const tried& t : result_.all)
    if (t.how == outcome::ok && t.seconds.size() == most) able.push_back(t.candidate);
  const std::vector<double> score = scores(able);
  std::vector<std::pair<double, int>> order;
  for (std::size_t i = 0; i < able.size(); ++i) order.emplace_back(score[i], able[i]);
  std::sort(order.begin(), order.end());
  std::vector<int> chosen;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (int(i) < count || order[i].second == incumbent) chosen.push_back(order[i].second);
  return chosen;
}

std::vector<double> ratios(const std::vector<double>& first, const std::vector<double>& second, std::size_t from) {
  std::vector<double> result;
  for (std::size_t i = from; i < std::min(first.size(), second.size()); ++i) result.push_back(first[i] / second[i]);
  return result;
}

}  // namespace tessera::tune
