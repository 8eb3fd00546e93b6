// SPDX-License-Identifier: BSD-3-Clause
// Successive elimination: many candidates get a few samples, few candidates get many.
#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/statistics.hpp"
#include "search/promise.hpp"
#include "search/selection.hpp"
#include "search/strategies.hpp"
#include "search/tally.hpp"

namespace tessera::tune {

namespace {

// The first samples of a candidate are compared with predictions and show which candidates are hopeless. Those of
// different parts were taken at different times, so that drift affects them; later samples are paired.
constexpr int first_samples = 3;
constexpr double hopeless = 1.25;  // times the best: more than a machine drifts in a minute
constexpr int rounds_before_dropping = 3;
constexpr double kept_each_round = 0.8;    // at most, of those without a sample against them
constexpr double deviations = 3;           // MADs by which a dropped candidate must be slower
constexpr double least_deviation = 0.005;  // few samples can agree by chance: lower limit of the MAD

// In parts, since the first part corrects the model that chooses the candidates of the next one.
constexpr int parts_of_start = 3;

// The incumbent, the model's first, and, if there are many, some drawn from all, in case the model is wrong.
std::vector<int> first_part(const search_problem& p, int count, const search_options& o) {
  std::vector<int> order = by_prediction(p);
  std::vector<int> drawn = in_order(p.candidates);
  shuffle(drawn, o.seed);
  const int by_chance = is_modelled(p) ? count / 8 : count;
  std::vector<int> chosen = first_with_incumbent(order, std::max(1, count - by_chance), p.incumbent);
  for (const int c : drawn)
    if (int(chosen.size()) < count && std::find(chosen.begin(), chosen.end(), c) == chosen.end()) chosen.push_back(c);
  return chosen;
}

void sample_first(std::vector<int>& candidates, tally& books, evaluator& e, const search_options& o) {
  e.prepare(candidates);
  for (int round = 0; round < first_samples && !candidates.empty(); ++round) {
    if (round > 0 && !o.may_go_on()) break;
    books.round(candidates, e);
  }
}

// The first samples of each selected candidate. If all of them fail more are tried: only a space in which nothing works
// has no winner.
std::vector<int> start(const search_problem& p, search_result& result, tally& books, evaluator& e,
                       const search_options& o) {
  const int allowed = allowance(p, o);
  const int at_first = (allowed + 1) / 2;
  const int later = std::max(1, (allowed - at_first + parts_of_start - 2) / (parts_of_start - 1));
  std::vector<int> alive, next = first_part(p, at_first, o);
  while (!next.empty()) {
    sample_first(next, books, e, o);
    alive.insert(alive.end(), next.begin(), next.end());
    const int left = allowed - int(result.all.size());
    if (!o.may_go_on() || (left <= 0 && !alive.empty())) break;
    next = most_promising(p, result, left > 0 ? std::min(later, left) : later);
  }
  return alive;
}

// By its own best sample: two outliers among the first three must not cost the winner.
void drop_hopeless(std::vector<int>& alive, const tally& books) {
  double best = std::numeric_limits<double>::infinity();
  for (const int c : alive) best = std::min(best, bench::median(books.seconds(c)));
  std::erase_if(alive, [&](int c) {
    const std::vector<double>& seconds = books.seconds(c);
    return *std::min_element(seconds.begin(), seconds.end()) > hopeless * best;
  });
}

bool is_clearly_worse(const std::vector<double>& seconds, const std::vector<double>& best) {
  const std::vector<double> relative = ratios(seconds, best, first_samples);
  const double spread = std::max(bench::median_absolute_deviation(relative), least_deviation);
  return bench::median(relative) - deviations * spread > 1;
}

// The incumbent is only dropped if it is clearly worse: a tie is decided in its favour later.
void drop(std::vector<int>& alive, const tally& books, std::size_t most, int incumbent) {
  const std::vector<double> score = books.scores(alive, first_samples);
  std::vector<std::pair<double, int>> order;
  for (std::size_t i = 0; i < alive.size(); ++i) order.emplace_back(score[i], alive[i]);
  std::sort(order.begin(), order.end());
  const std::vector<double>& best = books.seconds(order.front().second);
  std::vector<int> kept;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int c = order[i].second;
    const bool in_reach = i < most || c == incumbent;
    if (i == 0 || (in_reach && !is_clearly_worse(books.seconds(c), best))) kept.push_back(c);
  }
  // The order of candidates is the same in every round.
  std::erase_if(alive, [&](int c) { return std::find(kept.begin(), kept.end(), c) == kept.end(); });
}

}  // namespace

search_result elimination(const search_problem& p, evaluator& e, const search_options& o) {
  check(p);
  search_result result;
  tally books(result, p.candidates);
  std::vector<int> alive = start(p, result, books, e, o);
  drop_hopeless(alive, books);
  double most = double(alive.size());
  for (int round = 1; round <= o.rounds && int(alive.size()) > finalist_count && o.may_go_on(); ++round) {
    books.round(alive, e);
    if (round < rounds_before_dropping || alive.empty()) continue;
    most = std::max(most * kept_each_round, double(finalist_count));
    drop(alive, books, std::size_t(std::ceil(most)), p.incumbent);
  }
  settle(result, alive, p, e, o);
  return result;
}

}  // namespace tessera::tune
