// SPDX-License-Identifier: BSD-3-Clause
// Searches over recordings: replayed samples, injected faults, and the table that judges strategies.
#include "search/simulate.hpp"

#include <cmath>

#include "landscape.hpp"
#include "measure/statistics.hpp"
#include "testing/catch.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

tune::recording made_up(int spaces, int candidates) {
  tune::recording r;
  for (int i = 0; i < spaces; ++i)
    r.spaces.push_back(
        recorded_from(make_landscape(candidates, std::uint64_t(i + 1)), {0.01, 0.003, 0.03, std::uint64_t(i)}, 15));
  return r;
}

}  // namespace

TEST_CASE("samples are replayed in their rounds, and go round") {
  const tune::recorded_space s = recorded_from(make_landscape(3, 1), {}, 4);
  tune::recorded_evaluator e(s, {0, 2, {}});
  for (std::size_t round = 0; round < 9; ++round) {
    const std::vector<tune::sample> samples = e.round({2, 0});
    CHECK(samples[0].seconds == s.candidates[2].seconds[(round + 2) % 4]);
    CHECK(samples[1].seconds == s.candidates[0].seconds[(round + 2) % 4]);
  }
}

TEST_CASE("added noise is seeded, of the size asked for, and nobody else's matter") {
  const tune::recorded_space s = recorded_from(make_landscape(3, 1), {0, 0, 0, 1}, 1);
  tune::recorded_evaluator alone(s, {0.05, 9, {}}), together(s, {0.05, 9, {}}), other(s, {0.05, 10, {}});
  std::vector<double> logs;
  for (int round = 0; round < 500; ++round) {
    const double seconds = alone.round({1})[0].seconds;
    CHECK(seconds == together.round({0, 1, 2})[1].seconds);
    CHECK(seconds != other.round({1})[0].seconds);
    logs.push_back(std::log(seconds / s.candidates[1].seconds[0]));
  }
  CHECK(std::abs(tessera::bench::median(logs)) < 0.01);
  CHECK(std::abs(1.4826 * tessera::bench::median_absolute_deviation(logs) - 0.05) < 0.01);
}

TEST_CASE("faults are injected when asked, recorded failures stay") {
  tune::recorded_space s = recorded_from(make_landscape(3, 1), {}, 4);
  s.candidates[0].how = tune::outcome::not_compiled;
  s.candidates[0].reason = "syntax";
  tune::recorded_evaluator e(s, {0, 1, {{1, {{tune::outcome::timed_out, 0, "10 s"}, 2}}}});
  for (int round = 0; round < 5; ++round) {
    const std::vector<tune::sample> samples = e.round({0, 1, 2});
    CHECK(samples[0].how == tune::outcome::not_compiled);
    CHECK(samples[0].reason == "syntax");
    CHECK(samples[1].how == (round < 2 ? tune::outcome::ok : tune::outcome::timed_out));
    CHECK(samples[2].how == tune::outcome::ok);
  }
}

TEST_CASE("strategies are judged by the true time of their winners") {
  const tune::recording r = made_up(30, 64);
  const std::vector<tune::simulated_strategy> results = tune::simulate(r, {});
  REQUIRE(results.size() == 4);
  const auto of = [&](std::string_view name) {
    for (const tune::simulated_strategy& s : results)
      if (s.name == name) return s;
    return tune::simulated_strategy{};
  };
  INFO(tune::text_of(results));
  CHECK(of("exhaustive").reached > 0.995);
  CHECK(of("exhaustive").share == 1);
  CHECK(of("elimination").reached > 0.97);
  CHECK(of("elimination").share <= 0.15);
  CHECK(of("random").reached < of("elimination").reached);
  for (const tune::simulated_strategy& s : results) {
    CHECK(s.searches.size() == 30);
    CHECK(s.worst <= s.reached);
    CHECK(s.failed == 0);
    CHECK(tune::text_of(results).find(s.name) != std::string::npos);
  }
}

TEST_CASE("on recordings of two machines elimination finds what exhaustive search finds, with a seventh of the work") {
  for (const char* name : {"nvidia_h200-cuda-f64-stream.json", "intel_xeon_model_207-avx512-f64-cache.json"}) {
    const tune::recording r = tune::read_recording(std::string(TESSERA_RECORDINGS "/") + name);
    REQUIRE(r.spaces.size() == 31);
    const std::vector<tune::simulated_strategy> results = tune::simulate(r, {});
    INFO(name << "\n" << tune::text_of(results));
    for (const tune::simulated_strategy& s : results) {
      CHECK(s.searches.size() == 31);
      if (s.name == "exhaustive") CHECK(s.of_exhaustive == 1);
      if (s.name != "elimination") continue;
      CHECK(s.of_exhaustive >= 0.97);
      CHECK(s.share <= 0.15);
    }
    const tune::model_quality model = tune::quality_of_model(r);
    INFO(tune::text_of(model));
    CHECK(model.spaces >= 30);
    // Streamed, the model's best 64 all wait for memory: it has little to rank there.
    CHECK(model.rank_correlation > 0);
    CHECK(model.top_10 >= model.top_5);
    CHECK(model.top_5 >= model.top_1);
    CHECK(model.top_10 > 0.9);
    CHECK(tune::rarity_in(r).levels.size() == 7);
  }
}

TEST_CASE("candidates that fail late take nothing with them: the winner is the same") {
  for (const char* name : {"nvidia_h200-cuda-f64-stream.json", "intel_xeon_model_207-avx512-f64-cache.json"}) {
    const tune::recording r = tune::read_recording(std::string(TESSERA_RECORDINGS "/") + name);
    for (const char* strategy : {"elimination", "exhaustive"})
      for (const tune::recorded_space& on : r.spaces) {
        const tune::named_strategy& s = tune::strategy_named(strategy);
        const tune::simulated_search without = tune::simulate(s, on, {}, {});
        tune::replay_options faulty;
        int added = 0;
        // Losers, that crash, hang, or compute something wrong after the samples by which they lost.
        const tune::outcome faults[] = {tune::outcome::crashed, tune::outcome::timed_out, tune::outcome::wrong};
        for (int c = 1; c < int(on.candidates.size()); c += 7)
          if (c != without.winner && c != on.incumbent &&
              tune::true_seconds(on.candidates[std::size_t(c)]) >
                  1.3 * tune::true_seconds(on.candidates[std::size_t(without.winner)]))
            faulty.faults[c] = {{faults[added++ % 3], 0, "injected"}, 3};
        const tune::simulated_search with = tune::simulate(s, on, {}, faulty);
        INFO(name << " " << strategy << " " << on.of << ", " << added << " faults");
        CHECK(with.winner == without.winner);
      }
  }
}

TEST_CASE("faults in simulation: the same winner nearly always, and one as good on average") {
  const tune::recording r = made_up(40, 64);
  const tune::named_strategy& s = tune::strategy_named("elimination");
  std::vector<double> gained;
  int same = 0;
  for (const tune::recorded_space& on : r.spaces) {
    const tune::simulated_search without = tune::simulate(s, on, {}, {});
    tune::replay_options faulty;
    int added = 0;
    for (int c = 3; c < 64; c += 20)
      if (c != without.winner && c != on.incumbent)
        faulty.faults[c] = {{tune::outcome::crashed, 0, "signal 6"}, added++};
    const tune::simulated_search with = tune::simulate(s, on, {}, faulty);
    CHECK(faulty.faults.count(with.winner) == 0);
    same += with.winner == without.winner;
    gained.push_back(with.reached / without.reached);
  }
  // A candidate that fails teaches nothing about those like it, so that others may be tried in the end.
  INFO(same << " of 40 winners are the same");
  CHECK(same >= 36);
  CHECK(tessera::bench::geometric_mean(gained) > 0.995);
}

TEST_CASE("spaces without a candidate that works are left out, those without a model to the others") {
  tune::recording r = made_up(2, 20);
  for (tune::recorded_candidate& c : r.spaces[0].candidates) c.how = tune::outcome::wrong;
  for (tune::recorded_candidate& c : r.spaces[1].candidates) c.predicted = 0;
  for (const tune::simulated_strategy& s : tune::simulate(r, {}))
    CHECK(s.searches.size() == (s.name == "model_first" ? 0u : 1u));
}
