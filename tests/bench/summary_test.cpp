// SPDX-License-Identifier: BSD-3-Clause
// Means, worst cases, groups, and steps between neighbouring sizes.
#include "summary.hpp"

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

bench::case_figures square(int n, double ratio, double fraction, double seconds_per_flop) {
  return {"n=" + std::to_string(n), {{"squares"}, "squares nn", n}, ratio, fraction, seconds_per_flop};
}

}  // namespace

TEST_CASE("the summary of all cases has geometric means and the worst cases") {
  bench::summary_lines lines;
  CHECK(lines.empty());
  lines.add(square(2, 2.0, 0.25, 1));
  lines.add(square(3, 0.5, 1.0, 1));
  CHECK(lines.of_all() ==
        "peer time / our time: geometric mean 1.000, worst 0.500 (n=3); fraction of the bound: geometric mean 0.500, "
        "worst 0.250 (n=2)");
}

TEST_CASE("a case without peers counts for the fraction only") {
  bench::summary_lines lines;
  lines.add({"alone", {}, std::nullopt, 0.5, 1});
  CHECK(lines.of_all() ==
        "peer time / our time: none; fraction of the bound: geometric mean 0.500, worst 0.500 (alone)");
  CHECK(lines.of_groups().empty());
  CHECK(lines.of_steps().empty());
}

TEST_CASE("groups of two cases or more have a line each, in order") {
  bench::summary_lines lines;
  lines.add({"4b p=1", {{"4b", "middle index"}, "4b", 1}, 1.0, 0.5, 1});
  lines.add({"4b p=2", {{"4b", "middle index"}, "4b", 2}, 4.0, 0.5, 1});
  lines.add({"4e p=1", {{"4e", "middle index"}, "4e", 1}, 2.0, 0.25, 1});
  const std::vector<std::string> groups = lines.of_groups();
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] ==
        "4b, 2 cases: peer time / our time: geometric mean 2.000, worst 1.000 (4b p=1); fraction of the "
        "bound: geometric mean 0.500, worst 0.500 (4b p=1)");
  CHECK(groups[1].rfind("middle index, 3 cases: peer time / our time: geometric mean 2.000", 0) == 0);
  CHECK(groups[1].find("worst 0.250 (4e p=1)") != std::string::npos);
}

TEST_CASE("a size that is slower a flop than both neighbours is named") {
  bench::summary_lines lines;
  lines.add(square(2, 1, 1, 9));  // an end: no neighbour below
  lines.add(square(3, 1, 1, 2));
  lines.add(square(4, 1, 1, 3));
  lines.add(square(5, 1, 1, 1));
  lines.add(square(7, 1, 1, 8));  // n=6 is missing: no neighbours
  CHECK(lines.of_steps() == "time per flop over the larger of its neighbours': worst 1.500 (n=4), of 2 cases");
}

TEST_CASE("neighbours are those of the same series") {
  bench::summary_lines lines;
  for (const char* series : {"4a", "4b"})
    for (int p : {1, 2, 3})
      lines.add({std::string(series) + " p=" + std::to_string(p),
                 {{series}, series, p},
                 1.0,
                 1.0,
                 series == std::string("4b") && p == 2 ? 2.0 : 1.0});
  CHECK(lines.of_steps() == "time per flop over the larger of its neighbours': worst 2.000 (4b p=2), of 2 cases");
}
