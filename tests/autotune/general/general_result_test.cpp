// SPDX-License-Identifier: BSD-3-Clause
// Bounds, figures about the model, and the texts of a run.
#include "general/general_result.hpp"

#include <cmath>

#include "general/general_page.hpp"
#include "general/general_run.hpp"
#include "made_up_worker.hpp"
#include "search/simulate.hpp"
#include "testing/catch.hpp"
#include "testing/scratch.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

general_case square_of(const char* type) {
  options o;
  o.einsum = "ik,kj->ij";
  o.extents = "i=1000,j=1000,k=1000";
  o.types = type;
  return general_cases_from(o).at(0);
}

// Of 12 tiles in the model's order; 0: fails.
general_result measured(const std::vector<double>& seconds) {
  general_result r;
  r.of = square_case();
  r.bound = 1e-4;
  r.counts = {.tiles = {}, .enumerated = 1e6, .by_rules = 9e5, .by_hardware = 8e4, .by_model = 19000};
  r.ranked = int(seconds.size());
  r.compile_seconds = 3.5;
  double predicted = 1e-3;
  int box = 1;
  for (const double s : seconds) {
    const detail::general_tile tile = tiles_of_square({box++}).front();
    r.tiles.push_back({tile, predicted += 1e-5, outcome::ok, "", 0, 0.5, int(r.tiles.size()) + 1});
    tried t;
    t.candidate = int(r.tiles.size()) - 1;
    if (s > 0)
      t.seconds = {s, s, s};
    else
      t.how = outcome::wrong, t.reason = "entry 7 of the output is 1, not 2";
    r.found.all.push_back(t);
    if (s > 0 && (r.found.winner < 0 || s < r.found.median)) r.found.winner = t.candidate, r.found.median = s;
  }
  take_times(r);
  return r;
}

}  // namespace

TEST_CASE("general bounds: bytes, or flops of the instructions", "[tune]") {
  const general_limits fast_memory{1e30, 60e12, 30e12, 55e12}, fast_flops{4e12, 1e30, 1e30, 1e30};
  CHECK(near(bound_of(square_of("f64"), fast_memory), 2e9 / 60e12));
  CHECK(near(bound_of(square_of("f32"), fast_memory), 2e9 / 55e12));
  CHECK(near(bound_of(square_of("c32"), fast_memory), 8e9 / 55e12));
  CHECK(near(bound_of(square_of("c64"), fast_memory), 8e9 / 30e12));
  CHECK(near(bound_of(square_of("tf32"), fast_memory), 2e9 / (60e12 * 494 / 67)));
  CHECK(near(bound_of(square_of("3xtf32"), fast_memory), 3 * bound_of(square_of("tf32"), fast_memory)));
  CHECK(near(bound_of(square_of("f16"), fast_memory), 2e9 / (60e12 * 989 / 67)));
  CHECK(near(bound_of(square_of("f64"), fast_flops), 24e6 / 4e12));
  CHECK(near(bound_of(square_of("bf16"), fast_flops), 6e6 / 4e12));
}

TEST_CASE("general figures: rank, first choice, first ten, rank correlation", "[tune]") {
  const general_result r = measured({4, 3, 2.5, 5, 6, 7, 8, 9, 10, 11, 2, 12});
  const model_figures f = figures_of(r);
  CHECK((f.measured == 12 && f.rank == 11));
  CHECK(f.first == 0.5);
  CHECK(f.ten == 0.8);
  CHECK((f.spearman > 0.2 && f.spearman < 0.7));
  CHECK(figures_of(measured({1, 2, 3, 4})).spearman == 1);
  const model_figures failing = figures_of(measured({0, 3, 2}));
  CHECK((failing.first == 0 && failing.rank == 3 && failing.measured == 2));
  CHECK(figures_of(measured({0, 0})).rank == 0);
  // Of tiles spread over the model's order only the first ten of that order count as such.
  general_result spread = measured({4, 3, 8, 2, 1});
  const int ranks[] = {1, 2, 10, 11, 40};
  for (std::size_t i = 0; i < 5; ++i) spread.tiles[i].rank = ranks[i];
  CHECK(figures_of(spread).rank == 40);
  CHECK(figures_of(spread).ten == 1.0 / 3);
  CHECK(figures_of(spread).first == 0.25);
}

TEST_CASE("general tiles: the model's first ten, and others spread over its order", "[tune]") {
  using places = std::vector<std::size_t>;
  CHECK(places_to_measure(0, 16).empty());
  CHECK(places_to_measure(3, 16) == places{0, 1, 2});
  CHECK(places_to_measure(100, 4) == places{0, 1, 2, 3});
  CHECK(places_to_measure(100, 16) == places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 24, 39, 54, 69, 84, 99});
  CHECK(places_to_measure(16, 16).back() == 15);
  const places many = places_to_measure(1000, 64);
  REQUIRE(many.size() == 64);
  CHECK((many[31] == 31 && many[32] > 50 && many.back() == 999));
  for (std::size_t i = 1; i < many.size(); ++i) CHECK(many[i] > many[i - 1]);
  // As proposed, for a contraction with more than 16 tiles.
  const general_result r = proposed(square_case(), {}, "NVIDIA H200");
  REQUIRE(r.tiles.size() == 16);
  for (int i = 0; i < 10; ++i) CHECK(r.tiles[std::size_t(i)].rank == i + 1);
  CHECK(r.tiles[10].rank > 11);
  CHECK(r.tiles.back().predicted > 1.1 * r.tiles[9].predicted);
  CHECK(model_text(r).find(std::to_string(r.tiles.back().rank)) != std::string::npos);
}

TEST_CASE("general table: a line for each contraction, and means", "[tune]") {
  const std::string text = table_of({measured({2e-4, 4e-4}), measured({8e-4, 2e-4}), measured({0, 0})}, "Example GPU");
  INFO(text);
  const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
  CHECK(has("Example GPU, general contractions"));
  CHECK(has("no. 1"));
  CHECK(has("no. 2"));
  CHECK(has("3.5 s"));
  CHECK(has("50%"));
  CHECK(has("no tile works: entry 7 of the output is 1, not 2"));
  // 100 % and 25 % of the best.
  CHECK(
      has("geometric mean of 2: 50% of the bound; of the best measured tile the model's first choice reaches 50.0 %, "
          "the best of its first ten 100.0 %"));
}

TEST_CASE("general counts: before and after pruning", "[tune]") {
  const general_result r = measured({1, 2});
  CHECK(
      counts_text(r) ==
      "ik,kj->ij f64: 1,000,000 combinations, 900,000 left out by rules; of 100,000 others 80.0 % do not fit the GPU, "
      "19.00 % are rated slow, 1,000 left; 0.00 s");
  options o;
  o.candidates = 5;
  const general_result modelled = proposed(square_case(), o, "NVIDIA H200");
  REQUIRE(modelled.tiles.size() == 5);
  CHECK((modelled.ranked == 5 && modelled.present == 0));
  CHECK(modelled.counts.enumerated > 10000);
  CHECK(modelled.counts.by_hardware > 0);
  CHECK(modelled.counts.left() >= 5);
  for (std::size_t i = 1; i < 5; ++i) CHECK(modelled.tiles[i].predicted >= modelled.tiles[i - 1].predicted);
  const std::string text = model_text(modelled);
  INFO(text);
  CHECK(text.find("combinations") != std::string::npos);
  CHECK(text.find("1.000  rows ") != std::string::npos);
  CHECK(text.find("     1* ") != std::string::npos);
  CHECK(text.find("     2  ") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '*') == 1);
  CHECK(std::count(text.begin(), text.end(), '\n') == 7);
}

TEST_CASE("general report: a page, its data, and what simulate reads", "[tune]") {
  const tessera::testing::scratch_folder folder;
  tuning_records facts;
  facts.device = "Example <GPU>";
  facts.on = target::cuda;
  const std::vector<general_result> results{measured({2e-4, 1e-4, 0, 4e-4, 5e-4})};
  write_general_report(results, facts, (folder / "report").string());
  const std::string page = tessera::testing::text_of_file((folder / "report/index.html").string());
  for (const char* words :
       {"Example &lt;GPU&gt;", "<svg", "class=\"best\"", "ik,kj-&gt;ij f64", "entry 7 of the output"}) {
    INFO(words);
    CHECK(page.find(words) != std::string::npos);
  }
  CHECK(page.find("<GPU>") == std::string::npos);
  const auto data = nlohmann::json::parse(tessera::testing::text_of_file((folder / "report/data.json").string()));
  const auto& one = data.at("contractions").at(0);
  CHECK(one.at("winner") == 1);
  CHECK(one.at("rank") == 2);
  CHECK(one.at("tiles").size() == 5);
  CHECK(one.at("tiles").at(2).at("seconds").is_null());
  CHECK(one.at("tiles").at(2).at("rank") == 3);
  CHECK(one.at("by_rules") == 9e5);
  CHECK(one.at("by_hardware") == 8e4);
  CHECK(one.at("by_model") == 19000);
  const std::string table = tessera::testing::text_of_file((folder / "report/table.txt").string());
  CHECK(table == table_of(results, facts.device));

  recording timings{"Example GPU", {}, {recorded_of(results[0])}};
  REQUIRE(timings.spaces[0].candidates.size() == 5);
  write_recording(timings, (folder / "timings.json").string());
  const recording read = read_recording((folder / "timings.json").string());
  CHECK(read.spaces[0].candidates[1].of == timings.spaces[0].candidates[1].of);
  CHECK(read.spaces[0].of == key_of(results[0].of));
}
