// SPDX-License-Identifier: BSD-3-Clause
// What every strategy owes: the same answer for the same samples, its share, failures kept with their reasons.
#include "strategy.hpp"

#include <cmath>
#include <set>

#include "landscape.hpp"
#include "search/replay.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

std::set<int> measured(const tune::search_result& r) {
  std::set<int> numbers;
  for (const tune::tried& t : r.all) numbers.insert(t.candidate);
  return numbers;
}

const tune::sample crash{tune::outcome::crashed, 0, "signal 11"};

}  // namespace

TEST_CASE("strategies are found by name, and a wrong name lists them") {
  CHECK(tune::strategies().front().name == "elimination");
  CHECK(tune::strategies().size() == 4);
  for (const tune::named_strategy& s : tune::strategies()) {
    CHECK(&tune::strategy_named(s.name) == &s);
    CHECK(!s.purpose.empty());
  }
  check_failure(tessera::status::invalid_argument,
                {"'annealing'", "elimination", "exhaustive", "model_first", "random"},
                [] { tune::strategy_named("annealing"); });
}

TEST_CASE("every strategy is deterministic, finds a good candidate and keeps its books") {
  const landscape l = make_landscape(100, 7);
  for (const tune::named_strategy& s : tune::strategies()) {
    INFO(s.name);
    machine first(l, {}), again(l, {});
    const tune::search_result r = s.run(l.problem(), first, {}), same = s.run(l.problem(), again, {});
    CHECK(r.winner == same.winner);
    CHECK(r.median == same.median);
    CHECK(first.total == again.total);
    CHECK(l.reached_by(r.winner) >= l.reached_by(l.incumbent) * 0.98);
    CHECK(std::abs(r.median / l.seconds[std::size_t(r.winner)] - 1) < 0.15);  // the machine drifts
    CHECK(r.runner_up >= 0);
    CHECK(r.runner_up != r.winner);
    CHECK(measured(r).size() == r.all.size());
    CHECK(measured(r).count(l.incumbent) == 1);
    for (const tune::tried& t : r.all) {
      CHECK(int(t.seconds.size()) == first.taken[t.candidate]);
      CHECK(first.prepared[t.candidate] == 1);
    }
  }
}

TEST_CASE("who measures how much") {
  const landscape l = make_landscape(100, 3);
  const auto share_of = [&](std::string_view name, const tune::search_options& o) {
    machine m(l, {});
    return int(tune::strategy_named(name).run(l.problem(), m, o).all.size());
  };
  tune::search_options o;
  CHECK(share_of("exhaustive", o) == 100);
  for (const char* name : {"random", "model_first", "elimination"}) {
    INFO(name);
    o.share = 0.15;
    CHECK(share_of(name, o) == 15);
    o.share = 0.01;
    CHECK(share_of(name, o) == o.least);
    o.share = 2;
    CHECK(share_of(name, o) == 100);
  }
}

TEST_CASE("random search draws another sample with another seed") {
  const landscape l = make_landscape(200, 3);
  tune::search_options one, two;
  two.seed = 2;
  machine m(l, {});
  const tune::named_strategy& random = tune::strategy_named("random");
  CHECK(measured(random.run(l.problem(), m, one)) == measured(random.run(l.problem(), m, one)));
  CHECK(measured(random.run(l.problem(), m, one)) != measured(random.run(l.problem(), m, two)));
}

TEST_CASE("model_first measures what the model ranks first, and says what it misses") {
  tune::search_problem p{6, {5, 1, 4, 2, 6, 3}, 4, {}};
  landscape l;
  l.seconds = {5, 1.5, 4, 1, 6, 3};
  machine m(l, {});
  tune::search_options o;
  o.least = 3;
  const tune::search_result r = tune::strategy_named("model_first").run(p, m, o);
  CHECK(measured(r) == std::set<int>{1, 3, 4});
  CHECK(r.winner == 3);
  CHECK(r.runner_up == 1);
  p.predicted.clear();
  check_failure(tessera::status::invalid_argument, {"model_first", "elimination"},
                [&] { tune::strategy_named("model_first").run(p, m, o); });
}

TEST_CASE("where everything fails there is no winner, and every reason is kept") {
  const landscape l = make_landscape(20, 3);
  for (const tune::named_strategy& s : tune::strategies()) {
    INFO(s.name);
    machine m(l, {});
    for (int c = 0; c < 20; ++c) m.faults[c] = crash;
    const tune::search_result r = s.run(l.problem(), m, {});
    CHECK(r.winner == -1);
    CHECK(r.runner_up == -1);
    CHECK(!r.tie);
    CHECK(r.all.size() >= 8);
    for (const tune::tried& t : r.all) {
      CHECK(t.how == tune::outcome::crashed);
      CHECK(t.reason == "signal 11");
    }
  }
}

TEST_CASE("failures are sampled once and do not change who wins among the others") {
  const landscape l = make_landscape(60, 11);
  const tune::recorded_space space = recorded_from(l, {}, 20);
  tune::search_problem problem = tune::problem_of(space);
  problem.points.clear();  // what a failed candidate would have taught about others is missing: simulate_test.cpp
  for (const tune::named_strategy& s : tune::strategies()) {
    INFO(s.name);
    tune::recorded_evaluator healthy(space, {0.01, 4, {}});
    const tune::search_result without = s.run(problem, healthy, {});
    tune::replay_options faulty{0.01, 4, {}};
    int kind = 0;
    const tune::injected_fault kinds[] = {
        {crash, 0}, {{tune::outcome::timed_out, 0, "10 s"}, 2}, {{tune::outcome::wrong, 0, "C(0, 0)"}, 1}};
    for (const tune::tried& t : without.all)
      if (t.candidate != without.winner && t.candidate != l.incumbent && kind < 3)
        faulty.faults[t.candidate] = kinds[kind++];
    tune::recorded_evaluator disturbed(space, faulty);
    const tune::search_result with = s.run(problem, disturbed, {});
    CHECK(with.winner == without.winner);
    int failed = 0;
    for (const tune::tried& t : with.all)
      if (t.how != tune::outcome::ok) {
        ++failed;
        CHECK(faulty.faults.count(t.candidate) == 1);
        CHECK(t.reason == faulty.faults[t.candidate].how.reason);
      }
    CHECK(failed >= 1);
  }
}

TEST_CASE("a time of zero is no time") {
  landscape l = make_landscape(20, 5);
  for (const tune::named_strategy& s : tune::strategies()) {
    machine m(l, {});
    m.faults[l.best()] = {tune::outcome::ok, 0, {}};
    const tune::search_result r = s.run(l.problem(), m, {});
    INFO(s.name);
    CHECK(r.winner >= 0);
    CHECK(r.winner != l.best());
  }
}

TEST_CASE("a search that may not go on ends with what it has") {
  const landscape l = make_landscape(100, 9);
  for (const tune::named_strategy& s : tune::strategies()) {
    INFO(s.name);
    machine m(l, {});
    tune::search_options o;
    o.may_go_on = [] { return false; };
    const tune::search_result r = s.run(l.problem(), m, o);
    CHECK(m.total == long(r.all.size()));  // one round
    CHECK(r.winner >= 0);
    CHECK(l.reached_by(r.winner) >= 0.95 * l.reached_by(l.incumbent));
  }
}

TEST_CASE("problems that contradict themselves are errors; empty ones have no winner") {
  landscape none;
  machine m(none, {});
  for (const tune::named_strategy& s : tune::strategies()) {
    INFO(s.name);
    CHECK(s.run({0, {}, -1, {}}, m, {}).winner == -1);
    check_failure(tessera::status::invalid_argument, {"3 candidates", "2 predictions"}, [&] {
      s.run({3, {1, 2}, 0, {}}, m, {});
    });
    check_failure(tessera::status::invalid_argument, {"incumbent"}, [&] { s.run({3, {}, 3, {}}, m, {}); });
  }
}

TEST_CASE("a single candidate wins alone") {
  landscape l = make_landscape(1, 1);
  for (const tune::named_strategy& s : tune::strategies()) {
    machine m(l, {});
    const tune::search_result r = s.run(l.problem(), m, {});
    CHECK(r.winner == 0);
    CHECK(r.runner_up == -1);
    CHECK(!r.tie);
  }
}
