// SPDX-License-Identifier: BSD-3-Clause
// The end of every search: finalists are measured interleaved until the best is clearly faster than the others, or they
// tie.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "measure/statistics.hpp"
#include "search/tally.hpp"
#include "strategy.hpp"

namespace tessera::tune {

namespace {

// Sittings before the first test, so that processes can be compared instead of single samples.
constexpr int enough_sittings = 3;
constexpr int enough_rounds = 3;  // with fewer, earlier samples count, too
// Repeated tests find a difference by chance sooner or later, hence not 95 %.
constexpr double confidence = 0.99;
constexpr int resamples = 300;
// Candidates that noise does not distinguish tie only up to this difference of the medians: keeping an incumbent that
// looks worse by more costs more on average than dropping it by chance.
constexpr double largest_tie = 0.03;
// If the search was interrupted there may be a single sample: then the spread is a guess.
constexpr std::size_t enough_samples = 5;
constexpr double guessed_spread = 0.03;

struct comparison {
  double middle = 1;
  bench::interval range{1, 1};

  bool is_apart(double same) const { return range.low > 1 && middle >= 1 + same; }
  bool is_tie(double same) const { return !is_apart(same) && middle < 1 + largest_tie; }
  bool is_clearly_apart(double same) const { return range.low > 1 + same; }
  bool is_same(double same) const { return range.high < 1 + same; }
};

// Student's t, two-sided 99 %, for the mean of 3, 4, ... values.
constexpr double students[] = {9.92, 5.84, 4.60, 4.03, 3.71, 3.50, 3.36, 3.25, 3.17, 3.11};

// Samples of one process have the same systematic error: only the medians of sittings vary randomly.
std::vector<double> by_sitting(const std::vector<double>& rounds) {
  std::vector<double> medians;
  for (auto first = rounds.begin(); rounds.end() - first >= rounds_a_sitting; first += rounds_a_sitting)
    medians.push_back(bench::median({first, first + rounds_a_sitting}));
  return medians;
}

// For so few values a bootstrap would give the range; this interval leads to more sittings if they disagree.
comparison of_sittings(const std::vector<double>& medians) {
  const double n = double(medians.size());
  double mean = 0, squares = 0;
  for (const double m : medians) mean += std::log(m) / n;
  for (const double m : medians) squares += (std::log(m) - mean) * (std::log(m) - mean);
  const std::size_t row = std::min(medians.size() - enough_sittings, std::size(students) - 1);
  const double half = students[row] * std::sqrt(squares / (n - 1) / n);
  return {bench::median(medians), {std::exp(mean - half), std::exp(mean + half)}};
}

class contest {
 public:
  contest(tally& books, std::vector<int> finalists) : books_(books), entered_(std::move(finalists)) {
    alive_ = entered_;
    from_ = entered_.empty() ? 0 : books.seconds(entered_.front()).size();
  }

  void run(evaluator& e, const search_options& o) {
    const int longest = entered_.size() > 1 ? o.final_rounds : std::min(o.rounds, o.final_rounds);
    while (rounds_ < longest && !alive_.empty() && o.may_go_on()) {
      if (rounds_ % rounds_a_sitting == 0) e.renew();
      books_.round(alive_, e);
      ++rounds_;
      const bool is_end = rounds_ % rounds_a_sitting == 0;
      if (is_end && rounds_ >= enough_sittings * rounds_a_sitting && is_decided(o.same)) break;
    }
    if (rounds_ < enough_rounds) from_ = 0;
  }

  /// Writes the verdict; false: all finalists failed.
  bool name_winner(search_result& result, int incumbent, double same) {
    std::erase_if(alive_, [&](int c) { return !books_.is_healthy(c); });
    if (alive_.empty()) return false;
    const int best = best_of_alive();
    std::vector<int> tied{best};
    // Candidates that were clearly slower than an earlier best do not return by the noise of a few samples.
    for (const int c : alive_)
      if (c != best && compared(c, best).is_tie(same)) tied.push_back(c);
    result.tie = tied.size() > 1;
    const bool stays = std::find(tied.begin(), tied.end(), incumbent) != tied.end();
    result.winner = stays ? incumbent : *std::min_element(tied.begin(), tied.end());
    const std::vector<double> fresh = fresh_seconds(result.winner);
    result.median = bench::median(fresh);
    result.mad = bench::median_absolute_deviation(fresh);
    name_runner_up(result);
    return true;
  }

 private:
  std::vector<double> fresh_seconds(int c) const {
    const std::vector<double>& all = books_.seconds(c);
    return {all.begin() + std::ptrdiff_t(std::min(from_, all.size())), all.end()};
  }

  int best_of_alive() const {
    const std::vector<double> score = books_.scores(alive_, from_);
    return alive_[std::size_t(std::min_element(score.begin(), score.end()) - score.begin())];
  }

  comparison compared(int c, int with) const {
    const std::vector<double> rounds = ratios(books_.seconds(c), books_.seconds(with), from_);
    const std::vector<double> sittings = by_sitting(rounds);
    if (sittings.size() >= enough_sittings) return of_sittings(sittings);
    const double middle = bench::median(rounds);
    if (rounds.size() < enough_samples) return {middle, {middle * (1 - guessed_spread), middle * (1 + guessed_spread)}};
    return {middle, bench::bootstrap_median(rounds, resamples, confidence)};
  }

  // Clearly slower ones need no more samples; the rest continues until the best is known or no more can be learned.
  bool is_decided(double same) {
    if (alive_.empty()) return true;
    const int best = best_of_alive();
    std::vector<int> left{best};
    bool is_open = false;
    for (const int c : alive_) {
      if (c == best) continue;
      const comparison with_best = compared(c, best);
      if (with_best.is_clearly_apart(same)) continue;
      left.push_back(c);
      is_open |= !with_best.is_same(same);
    }
    std::erase_if(alive_, [&](int c) { return std::find(left.begin(), left.end(), c) == left.end(); });
    return !is_open;
  }

  // Among the finalists, else among all that were measured. Its time is that of the winner times their ratio in common
  // rounds, so that a machine that became slower in between has no effect.
  void name_runner_up(search_result& result) const {
    const bool is_alone = entered_.size() < 2;
    double closest = INFINITY;
    for (const tried& t : result.all) {
      const bool competes = is_alone || std::find(entered_.begin(), entered_.end(), t.candidate) != entered_.end();
      if (t.how != outcome::ok || t.candidate == result.winner || !competes) continue;
      const double ratio = bench::median(ratios(t.seconds, books_.seconds(result.winner), is_alone ? 0 : from_));
      if (!(ratio < closest)) continue;
      closest = ratio;
      result.runner_up = t.candidate;
      result.runner_up_median = ratio * result.median;
    }
  }

  tally& books_;
  std::vector<int> entered_, alive_;
  std::size_t from_ = 0;  // samples of a finalist before the contest
  int rounds_ = 0;
};

}  // namespace

void settle(search_result& result, std::vector<int> finalists, const search_problem& p, evaluator& e,
            const search_options& o) {
  result.winner = result.runner_up = -1;
  result.tie = false;
  result.median = result.mad = result.runner_up_median = 0;
  tally books(result, p.candidates);
  std::erase_if(finalists, [&](int c) { return !books.is_healthy(c); });
  if (finalists.empty()) finalists = books.fastest(finalist_count, p.incumbent);
  // Finalists can still fail; the next candidate then replaces them.
  while (!finalists.empty()) {
    contest final_round(books, finalists);
    final_round.run(e, o);
    if (final_round.name_winner(result, p.incumbent, o.same)) return;
    finalists = books.fastest(finalist_count, p.incumbent);
  }
}

}  // namespace tessera::tune
