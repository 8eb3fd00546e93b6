// SPDX-License-Identifier: BSD-3-Clause
// Orders of candidates, and the plain search over a list of them.
#include "search/selection.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include <tessera/error.hpp>

#include "search/tally.hpp"

namespace tessera::tune {

int allowance(const search_problem& p, const search_options& o) {
  return std::min(p.candidates, std::max({o.least, int(o.share * p.candidates), 1}));
}

bool is_modelled(const search_problem& p) {
  return !p.predicted.empty() && std::all_of(p.predicted.begin(), p.predicted.end(), [](double s) { return s > 0; });
}

std::vector<int> in_order(int candidates) {
  std::vector<int> order(std::size_t(candidates), 0);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> by_prediction(const search_problem& p) {
  std::vector<int> order = in_order(p.candidates);
  if (is_modelled(p))
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return p.predicted[std::size_t(a)] < p.predicted[std::size_t(b)]; });
  return order;
}

void shuffle(std::vector<int>& candidates, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = candidates.size(); i > 1; --i) std::swap(candidates[i - 1], candidates[random() % i]);
}

std::vector<int> first_with_incumbent(const std::vector<int>& order, int count, int incumbent) {
  std::vector<int> chosen(order.begin(), order.begin() + std::min(count, int(order.size())));
  const bool exists = std::find(order.begin(), order.end(), incumbent) != order.end();
  if (exists && !chosen.empty() && std::find(chosen.begin(), chosen.end(), incumbent) == chosen.end())
    chosen.back() = incumbent;
  return chosen;
}

void check(const search_problem& p) {
  if (p.candidates < 0 || (!p.predicted.empty() && int(p.predicted.size()) != p.candidates) ||
      p.incumbent >= std::max(1, p.candidates))
    throw error("a search over " + std::to_string(p.candidates) + " candidates has " +
                    std::to_string(p.predicted.size()) + " predictions and candidate " + std::to_string(p.incumbent) +
                    " as incumbent: give one prediction a candidate, or none, and an incumbent that is a candidate",
                status::invalid_argument);
}

search_result measure_and_settle(const std::vector<int>& chosen, const search_problem& p, evaluator& e,
                                 const search_options& o) {
  search_result result;
  tally books(result, p.candidates);
  std::vector<int> alive = chosen;
  if (!alive.empty()) e.prepare(alive);
  for (int round = 0; round < o.rounds && !alive.empty(); ++round) {
    if (round > 0 && !o.may_go_on()) break;
    books.round(alive, e);
  }
  settle(result, books.fastest(finalist_count, p.incumbent), p, e, o);
  return result;
}

}  // namespace tessera::tune
