// SPDX-License-Identifier: BSD-3-Clause
// The figures of two-site updates: which ways are compared, which cases count, and the means.
#include "two_site_figures.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

struct timed_way {
  const char* name;
  double seconds;
};

// A case with a bound of 1 s.
bench::case_results updates(int dp, int count, const std::vector<timed_way>& ways) {
  bench::case_results c;
  c.label = "dp=" + std::to_string(dp) + " B=" + std::to_string(count);
  c.facts = {{"dp", dp}, {"chi", 64}, {"batch", count}};
  c.limit.seconds = 1;
  for (const timed_way& w : ways) {
    bench::result r{.impl = w.name, .time = {}, .checked = {}, .describe = ""};
    r.time.seconds.median = w.seconds;
    c.all.push_back(r);
  }
  return c;
}

const std::vector<timed_way> all_ways{
    {"tessera", 4},        {"tessera graph", 2},       {"staged", 1},   {"staged graph", 1},
    {"direct", 1},         {"direct graph", 1},        {"cutensor", 9}, {"cutensor graph", 8},
    {"cublas-strided", 8}, {"cublas-strided graph", 5}};

}  // namespace

TEST_CASE("two-site figures: called against called, graph against graph, and only libraries") {
  bench::case_results c = updates(16, 4, all_ways);
  const bench::two_site_parts parts = bench::parts_of(c);
  REQUIRE(parts.called);
  CHECK(parts.called->value == 0.5);
  CHECK(parts.called->library == "cublas-strided");
  REQUIRE(parts.in_graph);
  CHECK(parts.in_graph->value == Approx(0.4));
  CHECK(parts.in_graph->library == "cublas-strided graph");
  CHECK(*parts.of_bound == 0.5);
  CHECK(bench::comparison_text(parts) == "  called 0.50 of cublas-strided  graph 0.40 of cublas-strided graph");

  // A library that is wrong or suspect is none; ours that is suspect has no part.
  c.all.back().checked.error = 1;
  CHECK(bench::parts_of(c).in_graph->library == "cutensor graph");
  c.all[1].suspect = "noise";
  CHECK_FALSE(bench::parts_of(c).in_graph);
  CHECK_FALSE(bench::parts_of(c).of_bound);
  CHECK(bench::parts_of(c).called);
}

TEST_CASE("two-site figures: means over the cases that count, and what was not measured is left out") {
  bench::two_site_figures none;
  none.add(bench::parts_of(updates(16, 1, {{"tessera", 1}, {"staged", 2}})));
  CHECK(none.lines().empty());
  CHECK(none.to_json()["figures"].empty());
  CHECK(none.to_json()["cases"][0]["called"].is_null());

  bench::two_site_figures some;
  some.add(bench::parts_of(updates(16, 1, all_ways)));
  some.add(bench::parts_of(updates(8, 16, {{"tessera", 1}, {"tessera graph", 9}, {"x", 8}, {"x graph", 10}})));
  some.add(bench::parts_of(updates(4, 256, {{"tessera", 50}, {"tessera graph", 8}, {"x", 1}, {"x graph", 8}})));
  const nlohmann::json figures = some.to_json()["figures"];
  CHECK(figures["called_of_best_library"]["cases"] == 2);
  CHECK(figures["called_of_best_library"]["mean"].get<double>() == Approx(std::sqrt(0.5 / 8)));
  CHECK(figures["graph_of_best_library"]["mean"].get<double>() == Approx(std::cbrt(0.4 * 0.9 * 1)));
  CHECK(figures["graph_of_best_library"]["worst"] == 1);
  CHECK(figures["graph_of_best_library"]["worst_case"] == "dp=4 B=256");
  CHECK(figures["graph_of_bound"]["cases"] == 1);
  CHECK(figures["graph_of_bound"]["mean"].get<double>() == Approx(0.125));
  const std::vector<std::string> lines = some.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "called, B <= 16, 2 cases: our time over the best library's: geometric mean 0.250");
  CHECK(lines[1] ==
        "in graphs, 3 cases: our time over the best library's: geometric mean 0.711, worst 1.000 (dp=4 B=256)");
  CHECK(lines[2] == "in graphs, B = 256, 1 cases: part of the bound: geometric mean 0.125");
}
