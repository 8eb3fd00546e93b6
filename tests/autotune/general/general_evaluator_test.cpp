// SPDX-License-Identifier: BSD-3-Clause
// Tiles compiled, checked and timed by a made-up worker: each bad one costs only itself; searches go on from journals.
#include "general/general_evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "general/general_run.hpp"
#include "made_up_worker.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using fault = made_up_worker::fault;

namespace {

journal_header some_header() { return {"Example GPU", "hash", {{"target", "cuda"}}}; }

// Tiles that the worker times as 1 / (1 + rows), the model in the opposite order.
general_result result_of(const std::vector<int>& rows) {
  general_result r;
  r.of = square_case();
  r.bound = 1e-6;
  r.ranked = int(rows.size());
  double predicted = 1e-3;
  for (const detail::general_tile& tile : tiles_of_square(rows))
    r.tiles.push_back({tile, predicted += 1e-4, outcome::ok, "", 0, 0, int(r.tiles.size()) + 1});
  return r;
}

}  // namespace

TEST_CASE("general tiles: good ones are timed, each bad one has its reason and costs only itself", "[tune]") {
  const general_form form = square_case().form;
  const auto tiles = tiles_of_square({16, 32, 48, 64, 96, 128});
  made_up_worker worker(form);
  worker.give(tiles[1], fault::refused);
  worker.give(tiles[2], fault::wrong);
  worker.give(tiles[3], fault::crashes);
  general_evaluator evaluator(form, tiles, worker.asks(), worker.replacement());
  evaluator.prepare({0, 1, 2, 3, 4, 5});
  CHECK(worker.compiled == 6);
  for (int round = 0; round < 2; ++round) {
    const std::vector<sample> samples = evaluator.round({0, 1, 2, 3, 4, 5});
    REQUIRE(samples.size() == 6);
    for (const int good : {0, 4, 5}) {
      CHECK(samples[std::size_t(good)].how == outcome::ok);
      CHECK(samples[std::size_t(good)].seconds == made_up_worker::seconds_of(tiles[std::size_t(good)]));
    }
    CHECK(samples[1].how == outcome::not_compiled);
    CHECK(samples[1].reason == "NVRTC refuses it");
    CHECK(samples[2].how == outcome::wrong);
    CHECK(samples[2].reason.find("entry 7") == 0);
    CHECK(samples[3].how == outcome::crashed);
    CHECK(samples[3].reason == "illegal address");
  }
  CHECK(worker.replaced == 2);  // the one that crashes had two tries
  CHECK(evaluator.compile_seconds(0) == 0.5);
  CHECK(evaluator.compile_seconds() > 0);
  CHECK((evaluator.seen().clock_mhz == 1980 && evaluator.seen().watts == 600));
}

TEST_CASE("general tiles: one that kills the compiler does not take the others with it", "[tune]") {
  const general_form form = square_case().form;
  const auto tiles = tiles_of_square({16, 32, 48});
  made_up_worker worker(form);
  worker.give(tiles[1], fault::kills_compiler);
  general_evaluator evaluator(form, tiles, worker.asks(), worker.replacement());
  const std::vector<sample> samples = evaluator.round({0, 1, 2});
  CHECK(samples[0].how == outcome::ok);
  CHECK(samples[1].how == outcome::not_compiled);
  CHECK(samples[1].reason == "SIGSEGV");
  CHECK(samples[2].how == outcome::ok);
}

TEST_CASE("general tiles: a wrong result that others were compared with is found", "[tune]") {
  const general_form form = square_case().form;
  const auto tiles = tiles_of_square({16, 32, 48});
  made_up_worker worker(form);
  worker.give(tiles[0], fault::first_to_be_compared);
  general_evaluator evaluator(form, tiles, worker.asks(), worker.replacement());
  const std::vector<sample> samples = evaluator.round({0, 1, 2});
  CHECK(samples[0].how == outcome::wrong);
  CHECK(samples[0].reason.find("entry 9") == 0);
  CHECK(samples[1].how == outcome::ok);
  CHECK(samples[2].how == outcome::ok);
}

TEST_CASE("general search: the fastest of the model's tiles wins, and the journal continues it", "[tune]") {
  const tessera::testing::scratch_folder folder;
  const std::string path = (folder / "general.journal").string();
  made_up_worker worker(square_case().form);
  general_result first = result_of({16, 32, 128, 64, 96});
  {
    journal memory(path, some_header());
    measure(first, worker.asks(), worker.replacement(), memory, [] { return true; });
  }
  REQUIRE(first.has_winner());
  CHECK(first.found.winner == 2);
  CHECK(first.tiles[2].seconds == made_up_worker::seconds_of(first.tiles[2].tile));
  CHECK(first.tiles[0].compile_seconds == 0.5);
  CHECK(first.seen.clock_mhz == 1980);
  CHECK_FALSE(first.rarity);
  const model_figures f = figures_of(first);
  CHECK((f.measured == 5 && f.rank == 3));
  CHECK(std::abs(f.first - 17.0 / 129) < 1e-12);
  CHECK(f.ten == 1);
  // Again: nothing is compiled or timed, and the result is the same.
  const int timed = worker.timed, compiled = worker.compiled;
  general_result again = result_of({16, 32, 128, 64, 96});
  journal memory(path, some_header());
  measure(again, worker.asks(), worker.replacement(), memory, [] { return true; });
  CHECK(worker.timed == timed);
  CHECK(worker.compiled == compiled);
  CHECK((again.found.winner == 2 && again.found.median == first.found.median));
  CHECK(again.tiles[0].compile_seconds == 0);
  // With one tile more the samples of the others still count.
  general_result more = result_of({16, 32, 128, 64, 96, 256});
  measure(more, worker.asks(), worker.replacement(), memory, [] { return true; });
  CHECK(more.found.winner == 5);
  CHECK(worker.timed - timed < timed);
}

TEST_CASE("general search: a search that was stopped goes on", "[tune]") {
  const tessera::testing::scratch_folder folder;
  const std::string path = (folder / "general.journal").string();
  made_up_worker worker(square_case().form);
  int rounds = 0;
  {
    general_result r = result_of({16, 32, 64});
    journal memory(path, some_header());
    measure(r, worker.asks(), worker.replacement(), memory, [&] { return ++rounds < 2; });
  }
  const int before = worker.timed;
  CHECK(before > 0);
  journal memory(path, some_header());
  CHECK(memory.samples() == before);
  general_result r = result_of({16, 32, 64});
  measure(r, worker.asks(), worker.replacement(), memory, [] { return true; });
  CHECK(r.found.winner == 2);
  CHECK(memory.samples() == worker.timed);
}

TEST_CASE("general search: random tiles tell how rare good ones are", "[tune]") {
  options o;
  o.search = "random";
  o.candidates = 30;
  general_result r = proposed(square_case(), o, "NVIDIA H200");
  CHECK(r.is_random);
  CHECK(r.ranked == 1);
  REQUIRE(r.tiles.size() >= 30);
  CHECK(r.counts.left() > 1000);
  CHECK(r.counts.by_hardware > 0);
  r.bound = 1e-6;
  made_up_worker worker(r.of.form);
  const tessera::testing::scratch_folder folder;
  journal memory((folder / "general.journal").string(), some_header());
  measure(r, worker.asks(), worker.replacement(), memory, [] { return true; });
  REQUIRE(r.rarity);
  CHECK(r.rarity->measured == int(r.tiles.size()) - 1);
  CHECK(double(r.rarity->candidates) == std::floor(r.counts.left()));
  // (V + 1) / (V (1 - F) + 1)
  const double v = r.rarity->candidates;
  for (const rarity& level : r.rarity->levels)
    CHECK(std::abs(level.expected_tests - (v + 1) / (v * (1 - level.below) + 1)) < 1e-9 * level.expected_tests);
  CHECK(table_of({r}, "NVIDIA H200").find("random tests: expected") != std::string::npos);
}

TEST_CASE("general search: random tiles until enough near the best were drawn", "[tune]") {
  options o;
  o.search = "random";
  o.candidates = 300;
  // Every tile is within 90 % of a time that is 1 / (1 + rows) of up to 8 times as many rows; few within 1 %.
  const auto searched = [&](double within) {
    o.within = within;
    general_result r = proposed(square_case(), o, "NVIDIA H200");
    REQUIRE(r.enough);
    r.bound = 1e-6;
    made_up_worker worker(r.of.form);
    const tessera::testing::scratch_folder folder;
    journal memory((folder / "general.journal").string(), some_header());
    measure(r, worker.asks(), worker.replacement(), memory, [] { return true; });
    CHECK(r.has_winner());
    REQUIRE(r.rarity);
    CHECK(worker.compiled == int(r.found.all.size()));
    const double expected = rarity_at(within, *r.rarity).expected_tests;
    if (r.rarity->measured < int(r.tiles.size()) - 1) CHECK(r.rarity->measured >= 3 * expected);
    CHECK(table_of({r}, "NVIDIA H200").find("enough after " + std::to_string(r.rarity->measured) + " of ") !=
          std::string::npos);
    return r.rarity->measured;
  };
  const int loose = searched(0.9), tight = searched(0.01);
  CHECK(loose <= 32);
  CHECK(tight > loose);
}

TEST_CASE("general search: without a tile that works there is no winner", "[tune]") {
  general_result r = result_of({16, 32});
  made_up_worker worker(r.of.form);
  for (const measured_tile& t : r.tiles) worker.give(t.tile, fault::refused);
  const tessera::testing::scratch_folder folder;
  journal memory((folder / "general.journal").string(), some_header());
  measure(r, worker.asks(), worker.replacement(), memory, [] { return true; });
  CHECK_FALSE(r.has_winner());
  CHECK(table_of({r}, "Example GPU").find("no tile works: NVRTC refuses it") != std::string::npos);
}
