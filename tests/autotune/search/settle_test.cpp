// SPDX-License-Identifier: BSD-3-Clause
// The end of a search: who wins, when it is a tie, and what drift and outliers may not do.
#include <algorithm>
#include <cmath>

#include "landscape.hpp"
#include "strategy.hpp"
#include "testing/catch.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

landscape of(std::vector<double> seconds, int incumbent) {
  landscape l;
  l.seconds = std::move(seconds);
  l.incumbent = incumbent;
  return l;
}

struct settled {
  tune::search_result result;
  long samples;
};

settled settle_all(const landscape& l, disturbance d, const tune::search_options& o = {}) {
  machine m(l, d);
  std::vector<int> everyone;
  settled s;
  for (int c = 0; c < int(l.seconds.size()); ++c) {
    everyone.push_back(c);
    s.result.all.push_back({c, tune::outcome::ok, {}, {}});
  }
  tune::settle(s.result, everyone, l.problem(), m, o);
  s.samples = m.total;
  return s;
}

}  // namespace

TEST_CASE("a clear winner needs few rounds") {
  const settled s = settle_all(of({1.2, 1.0, 1.1}, 0), {0.01, 0, 0, 1});
  CHECK(s.result.winner == 1);
  CHECK(s.result.runner_up == 2);
  CHECK(!s.result.tie);
  CHECK(s.samples == 45);
  CHECK(std::abs(s.result.median - 1.0) < 0.02);
  CHECK(std::abs(s.result.runner_up_median - 1.1) < 0.03);
  CHECK(s.result.mad > 0);
  CHECK(s.result.mad < 0.02);
}

TEST_CASE("in a tie the incumbent stays, else the lowest number wins, whatever the noise says") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const settled kept = settle_all(of({1.0, 1.002, 1.001, 1.3}, 2), {0.01, 0.003, 0.03, seed});
    CHECK(kept.result.tie);
    CHECK(kept.result.winner == 2);
    CHECK(kept.result.runner_up != 3);
    const settled lowest = settle_all(of({1.3, 1.002, 1.001, 1.0}, 0), {0.01, 0.003, 0.03, seed});
    CHECK(lowest.result.tie);
    CHECK(lowest.result.winner == 1);
  }
}

TEST_CASE("an incumbent that is clearly slower goes") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const settled s = settle_all(of({1.05, 1.0}, 0), {0.01, 0.003, 0.03, seed});
    INFO("seed " << seed);
    CHECK(s.result.winner == 1);
    CHECK(!s.result.tie);
    CHECK(s.result.runner_up == 0);
  }
}

TEST_CASE("drift far larger than the difference does not hide it") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const settled s = settle_all(of({1.0, 1.03}, 1), {0.005, 0.05, 0, seed});
    INFO("seed " << seed);
    CHECK(s.result.winner == 0);
    CHECK(!s.result.tie);
    CHECK(std::abs(s.result.runner_up_median / s.result.median - 1.03) < 0.01);
  }
}

TEST_CASE("outliers do not decide") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const settled s = settle_all(of({1.04, 1.0}, 0), {0.005, 0.003, 0.2, seed});
    INFO("seed " << seed);
    CHECK(s.result.winner == 1);
  }
}

TEST_CASE("what a process does to a kernel is not taken for the kernel's own speed") {
  int ties = 0, right = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    // Within a process the two look several percent apart, in either direction.
    const tune::search_result alike = settle_all(of({1.0, 1.0}, 1), {0.005, 0.003, 0.03, seed, 0.04}).result;
    ties += alike.tie ? 1 : 0;
    right += settle_all(of({1.12, 1.0}, 0), {0.005, 0.003, 0.03, seed, 0.02}).result.winner == 1 ? 1 : 0;
  }
  CHECK(ties >= 80);
  CHECK(right == 100);
}

TEST_CASE("a close contest goes through more processes than a clear one") {
  const auto renewals = [](double second) {
    const landscape l = of({1.0, second}, 0);
    machine m(l, {0.01, 0.003, 0.03, 1});
    tune::search_result r;
    for (int c = 0; c < 2; ++c) r.all.push_back({c, tune::outcome::ok, {}, {}});
    tune::settle(r, {0, 1}, l.problem(), m, {});
    CHECK(m.total == 2 * tune::rounds_a_sitting * m.renewals);
    return m.renewals;
  };
  CHECK(renewals(1.2) == 3);
  CHECK(renewals(1.01) > 3);
}

TEST_CASE("what cannot be told apart in all rounds is a tie") {
  tune::search_options o;
  o.final_rounds = 20;
  const settled s = settle_all(of({1.0, 1.012}, 1), {0.03, 0, 0, 3}, o);
  CHECK(s.samples == 40);
  CHECK(s.result.tie);
  CHECK(s.result.winner == 1);
}

TEST_CASE("an incumbent that looks far worse goes, even where noise hides by how much") {
  int gone = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    gone += settle_all(of({1.0, 1.25}, 1), {0.5, 0, 0.1, seed}).result.winner == 0 ? 1 : 0;
  CHECK(gone >= 45);
}

TEST_CASE("finalists that fail make room for others that were measured") {
  const landscape l = of({1.0, 1.1, 1.2, 1.3}, 3);
  machine m(l, {0.01, 0, 0, 1});
  tune::search_result r;
  for (int c = 0; c < 4; ++c) r.all.push_back({c, tune::outcome::ok, {}, {l.seconds[std::size_t(c)]}});
  m.faults[0] = m.faults[1] = {tune::outcome::timed_out, 0, "10 s"};
  tune::settle(r, {0, 1}, l.problem(), m, {});
  CHECK(r.winner == 2);
  CHECK(r.runner_up == 3);
  CHECK(r.all[0].how == tune::outcome::timed_out);
  CHECK(r.all[0].reason == "10 s");
  CHECK(r.all[0].seconds.size() == 1);
  m.faults[2] = m.faults[3] = m.faults[0];
  tune::settle(r, {2}, l.problem(), m, {});
  CHECK(r.winner == -1);
}

TEST_CASE("without time for more, earlier samples decide") {
  const landscape l = of({1.2, 1.0, 1.1}, 0);
  machine m(l, {});
  tune::search_result r;
  for (int c = 0; c < 3; ++c)
    r.all.push_back({c, tune::outcome::ok, {}, std::vector<double>(7, l.seconds[std::size_t(c)])});
  tune::search_options o;
  o.may_go_on = [] { return false; };
  tune::settle(r, {0, 1, 2}, l.problem(), m, o);
  CHECK(m.total == 0);
  CHECK(r.winner == 1);
  CHECK(r.median == 1.0);
  CHECK(!r.tie);
}
