// SPDX-License-Identifier: BSD-3-Clause
// Made-up spaces and the machine that times them.
#include "landscape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace tessera::testing {

namespace {

constexpr int axes = 4, values = 6;

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

std::vector<double> ranks(const std::vector<double>& of) {
  std::vector<std::size_t> order(of.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return of[a] < of[b]; });
  std::vector<double> rank(of.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = double(i);
  return rank;
}

}  // namespace

int landscape::best() const { return int(std::min_element(seconds.begin(), seconds.end()) - seconds.begin()); }

double landscape::reached_by(int candidate) const {
  return candidate < 0 ? 0 : seconds[std::size_t(best())] / seconds[std::size_t(candidate)];
}

landscape make_landscape(int candidates, std::uint64_t seed, model_errors errors) {
  std::mt19937_64 random(seed);
  std::array<std::array<double, values>, axes> effect{}, believed{};
  std::array<std::array<double, values * values>, axes> pair{};
  for (std::size_t a = 0; a < axes; ++a)
    for (std::size_t v = 0; v < values; ++v) {
      effect[a][v] = 0.25 * normal(random);
      believed[a][v] = effect[a][v] + errors.of_values * normal(random);
    }
  for (auto& axis : pair)
    for (double& e : axis) e = 0.1 * normal(random);
  landscape made;
  std::vector<double> work, seen;
  std::set<std::array<std::size_t, axes>> taken;
  for (int c = 0; c < candidates; ++c) {
    std::array<std::size_t, axes> at{};
    do {
      for (std::size_t& v : at) v = random() % values;
    } while (!taken.insert(at).second);
    double modelled = 0, whole = 0;
    for (std::size_t a = 0; a < axes; ++a) {
      modelled += believed[a][at[a]];
      whole += effect[a][at[a]] + pair[a][at[a] * values + at[(a + 1) % axes]];
    }
    made.points.emplace_back(at.begin(), at.end());
    work.push_back(std::exp(whole));
    seen.push_back(std::exp(modelled + errors.of_candidates * normal(random)));
  }
  // What memory allows: between half and all of the fastest candidate's own time.
  const double least = *std::min_element(work.begin(), work.end());
  const double memory = least * (0.5 + 0.5 * double(random() % 1000) / 1000);
  for (std::size_t c = 0; c < work.size(); ++c) {
    made.seconds.push_back(1e-8 * std::pow(std::pow(memory, 4) + std::pow(work[c], 4), 0.25));
    made.predicted.push_back(1e-8 * std::max(memory, seen[c]));
  }
  // The default of a kernel was chosen with some thought.
  made.incumbent = 0;
  for (int draw = 0; draw < 4; ++draw) {
    const int other = int(random() % std::uint64_t(candidates));
    if (made.seconds[std::size_t(other)] < made.seconds[std::size_t(made.incumbent)]) made.incumbent = other;
  }
  return made;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> first = ranks(a), second = ranks(b);
  const double middle = double(a.size() - 1) / 2;
  double both = 0, one = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (first[i] - middle) * (second[i] - middle);
    one += (first[i] - middle) * (first[i] - middle);
  }
  return both / one;
}

void machine::prepare(const std::vector<int>& candidates) {
  for (const int c : candidates) ++prepared[c];
}

std::vector<tune::sample> machine::round(const std::vector<int>& candidates) {
  std::vector<tune::sample> samples;
  drifted_ += how_.drift * normal(random_);
  for (const int c : candidates) {
    ++taken[c];
    ++total;
    const double luck = std::uniform_real_distribution<double>()(random_);
    double seconds = of_.seconds[std::size_t(c)] * std::exp(drifted_ + how_.noise * normal(random_));
    if (luck < how_.outliers) seconds *= 1 + luck / how_.outliers;
    if (how_.processes > 0) {
      const auto [of_this, is_new] = of_process_.try_emplace(c, 1.0);
      if (is_new) of_this->second = std::exp(how_.processes * normal(random_));
      seconds *= of_this->second;
    }
    const auto fault = faults.find(c);
    samples.push_back(fault != faults.end() ? fault->second : tune::sample{tune::outcome::ok, seconds, {}});
  }
  return samples;
}

void machine::renew() {
  ++renewals;
  of_process_.clear();
}

tune::recorded_space recorded_from(const landscape& of, disturbance d, int rounds) {
  tune::recorded_space space{"made up", of.incumbent, {}};
  std::vector<int> everyone;
  for (std::size_t c = 0; c < of.seconds.size(); ++c) {
    everyone.push_back(int(c));
    tune::recorded_candidate each;
    std::copy(of.points[c].begin(), of.points[c].end(), each.of.value);
    each.predicted = of.predicted[c];
    space.candidates.push_back(std::move(each));
  }
  machine timed(of, d);
  for (int r = 0; r < rounds; ++r) {
    const std::vector<tune::sample> samples = timed.round(everyone);
    for (std::size_t c = 0; c < samples.size(); ++c) space.candidates[c].seconds.push_back(samples[c].seconds);
  }
  return space;
}

}  // namespace tessera::testing
