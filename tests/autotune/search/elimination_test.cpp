// SPDX-License-Identifier: BSD-3-Clause
// The default strategy against exhaustive search, against itself, and against a model that is wrong.
#include <algorithm>
#include <cmath>

#include "landscape.hpp"
#include "measure/statistics.hpp"
#include "search/strategies.hpp"
#include "testing/catch.hpp"

namespace tune = tessera::tune;
namespace bench = tessera::bench;
using namespace tessera::testing;

namespace {

constexpr int drawn_spaces = 60;

landscape of_number(int i, int candidates) { return make_landscape(candidates, std::uint64_t(i + 1)); }

}  // namespace

TEST_CASE("97 % of exhaustive search's winner for 15 % of the candidates, by a model of rank correlation 0.7") {
  for (const int candidates : {64, 200, 600}) {
    std::vector<double> reached, share, effort, correlation;
    for (int i = 0; i < drawn_spaces; ++i) {
      const landscape l = of_number(i, candidates);
      correlation.push_back(rank_correlation(l.seconds, l.predicted));
      machine one(l, {0.01, 0.003, 0.03, std::uint64_t(i)}), all(l, {0.01, 0.003, 0.03, std::uint64_t(i + 1000)});
      const tune::search_result found = tune::elimination(l.problem(), one, {});
      const tune::search_result yardstick = tune::exhaustive(l.problem(), all, {});
      reached.push_back(l.seconds[std::size_t(yardstick.winner)] / l.seconds[std::size_t(found.winner)]);
      share.push_back(double(found.all.size()) / candidates);
      effort.push_back(double(one.total) / double(all.total));
    }
    INFO(candidates << " candidates: reached " << bench::geometric_mean(reached) << " with a model of correlation "
                    << bench::median(correlation));
    CHECK(bench::geometric_mean(reached) >= 0.97);
    CHECK(*std::max_element(share.begin(), share.end()) <= 0.15);
    CHECK(bench::geometric_mean(effort) < 0.2);
    CHECK(bench::median(correlation) > 0.6);
    CHECK(bench::median(correlation) < 0.8);
  }
}

TEST_CASE("two runs under different noise pick winners within 3 % of each other") {
  std::vector<double> apart;
  for (int i = 0; i < drawn_spaces; ++i) {
    const landscape l = of_number(i, 64);
    machine one(l, {0.02, 0.005, 0.05, 11}), two(l, {0.02, 0.005, 0.05, 12});
    const int first = tune::elimination(l.problem(), one, {}).winner;
    const int second = tune::elimination(l.problem(), two, {}).winner;
    apart.push_back(std::abs(std::log(l.seconds[std::size_t(first)] / l.seconds[std::size_t(second)])));
  }
  INFO("largest difference " << *std::max_element(apart.begin(), apart.end()));
  // Noise can turn the choice of whom to try, so that one of a hundred spaces may be unlucky.
  CHECK(std::count_if(apart.begin(), apart.end(), [](double d) { return d >= 0.03; }) <= 1);
  CHECK(bench::quantile(apart, 0.9) < 0.01);
}

TEST_CASE("a model that is wrong costs less than blindness") {
  std::vector<double> misled, blind;
  for (int i = 0; i < drawn_spaces; ++i) {
    landscape l = of_number(i, 200);
    for (double& p : l.predicted) p = 1e-16 / p;  // the opposite of what it knew
    machine m(l, {});
    misled.push_back(l.reached_by(tune::elimination(l.problem(), m, {}).winner));
    blind.push_back(l.reached_by(l.incumbent));
  }
  CHECK(bench::geometric_mean(misled) > bench::geometric_mean(blind));
}

TEST_CASE("without a model, and without axes, it still searches") {
  landscape l = of_number(4, 200);
  l.predicted.clear();
  machine m(l, {});
  CHECK(l.reached_by(tune::elimination(l.problem(), m, {}).winner) >= l.reached_by(l.incumbent));
  l.points.clear();
  machine n(l, {});
  const tune::search_result r = tune::elimination(l.problem(), n, {});
  CHECK(r.all.size() == 30);
  CHECK(l.reached_by(r.winner) >= l.reached_by(l.incumbent));
}

TEST_CASE("where all that the model likes fails, others get their chance") {
  const landscape l = of_number(2, 100);
  machine m(l, {});
  std::vector<double> sorted = l.predicted;
  std::sort(sorted.begin(), sorted.end());
  for (int c = 0; c < 100; ++c)
    if (l.predicted[std::size_t(c)] < sorted[95] || c == l.incumbent)
      m.faults[c] = {tune::outcome::not_compiled, 0, "error: spilled"};
  const tune::search_result r = tune::elimination(l.problem(), m, {});
  REQUIRE(r.winner >= 0);
  CHECK(m.faults.count(r.winner) == 0);
}

TEST_CASE("survivors are sampled in every round, the clearly worse are dropped early") {
  landscape l;
  for (int c = 0; c < 20; ++c) l.seconds.push_back(c < 6 ? 1e-8 * (1 + 0.02 * c) : 3e-8);
  machine m(l, {0.005, 0.02, 0, 5});
  tune::search_options o;
  o.share = 1;
  const tune::search_result r = tune::elimination(l.problem(), m, o);
  CHECK(r.winner == 0);
  CHECK(r.runner_up == 1);
  for (int c = 6; c < 20; ++c) CHECK(m.taken[c] == 3);
  CHECK(m.taken[0] >= m.taken[5]);
  CHECK(m.taken[1] >= 6);
}
