// SPDX-License-Identifier: BSD-3-Clause
// The contest at the end: ratios, rivals that fail, a winner that fails, and who wins after all.
#include "command/contest.hpp"

#include "testing/catch.hpp"

using namespace tessera::tune;

namespace {

// Candidate i takes seconds[i] times what the machine drifts; those of 0 fail.
class drifting_times final : public evaluator {
 public:
  explicit drifting_times(std::vector<double> seconds) : seconds_(std::move(seconds)) {}
  std::vector<sample> round(const std::vector<int>& candidates) override {
    drift_ *= 1.3;
    std::vector<sample> samples;
    for (const int c : candidates) {
      const double seconds = seconds_.at(std::size_t(c));
      samples.push_back(seconds > 0 ? sample{outcome::ok, drift_ * seconds, ""} : sample{outcome::crashed, 0, ""});
      ++taken[c];
    }
    return samples;
  }

  std::map<int, int> taken;

 private:
  std::vector<double> seconds_;
  double drift_ = 1;
};

search_result found(int winner, double median) {
  search_result r;
  r.winner = winner;
  r.median = median;
  return r;
}

}  // namespace

TEST_CASE("rivals are measured beside the winner, whatever drifts", "[tune]") {
  drifting_times e({2, 3, 1});
  const std::map<int, duel> contest = contest_of(2, {0, 1, 0}, e);
  CHECK(contest.size() == 3);
  CHECK(contest.at(0).ratio == Approx(2));
  CHECK(contest.at(1).ratio == Approx(3));
  CHECK(contest.at(1).least == Approx(3));
  CHECK(seconds_of(contest.at(1), 1e-9) == Approx(3e-9));
  CHECK(seconds_of(contest.at(2), 1e-9) == Approx(1e-9));
  CHECK(beats_all(2, contest, true));
  CHECK((e.taken.at(0) == e.taken.at(2) && e.taken.at(1) == e.taken.at(2)));
}

TEST_CASE("a winner that is its own only rival is not measured", "[tune]") {
  drifting_times e({1});
  const std::map<int, duel> contest = contest_of(0, {0, 0}, e);
  CHECK((contest.size() == 1 && e.taken.empty()));
  CHECK(beats_all(0, contest, true));
  CHECK(seconds_of(contest.at(0), 5.0) == 5.0);
}

TEST_CASE("a rival that fails drops out and is beaten; a winner that fails ends the contest", "[tune]") {
  drifting_times e({0, 2, 1});
  const std::map<int, duel> contest = contest_of(2, {0, 1}, e);
  CHECK(contest.at(0).how == outcome::crashed);
  CHECK(seconds_of(contest.at(0), 1.0) == 0);
  CHECK(contest.at(1).ratio == Approx(2));
  CHECK((e.taken.at(0) == 1 && e.taken.at(1) > 1));
  CHECK(beats_all(2, contest, true));

  const std::map<int, duel> lost = contest_of(0, {1, 2}, e);
  CHECK(lost.at(0).how == outcome::crashed);
  CHECK(lost.at(1).how == outcome::ok);
}

TEST_CASE("the fastest rival wins after all where the winner does not beat all of them", "[tune]") {
  drifting_times e({0.9, 0.8, 1, 0});
  const std::map<int, duel> contest = contest_of(2, {0, 1, 3}, e);
  CHECK_FALSE(beats_all(2, contest, false));
  search_result result = found(2, 1e-9);
  give_way(result, contest);
  CHECK((result.winner == 1 && result.runner_up == 2 && result.tie));
  CHECK(result.median == Approx(0.8e-9));
  CHECK(result.runner_up_median == Approx(1e-9));
}

TEST_CASE("a rival that is as fast is beaten, but not clearly", "[tune]") {
  drifting_times e({1, 1});
  const std::map<int, duel> contest = contest_of(0, {1}, e);
  CHECK(beats_all(0, contest, false));
  CHECK_FALSE(beats_all(0, contest, true));
}
