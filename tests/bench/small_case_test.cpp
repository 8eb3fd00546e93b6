// SPDX-License-Identifier: BSD-3-Clause
// The suite small: every row that is compiled is right in every way, and what a call costs follows from two times.
#include "small/small_case.hpp"

#include <algorithm>
#include <set>

#include <tessera/error.hpp>

#include "small/overhead.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

TEST_CASE("the cost of a call is what the straight line has left without entries") {
  const bench::call_cost cost = bench::cost_of_call(15, 95, 9);
  CHECK(cost.one_entry == 10);
  CHECK(cost.fixed == 5);
}

TEST_CASE("entries are a multiple of every size of group, and at least those that were asked for") {
  CHECK(bench::entries_for(100, {1, 2, 4, 8}) == 104);
  CHECK(bench::entries_for(104, {1, 8}) == 104);
  CHECK(bench::entries_for(1, {3, 4}) == 12);
  CHECK(bench::entries_for(0, {1}) == 1);
  CHECK_THROWS_AS(bench::entries_for(1, {0}), tessera::error);
  CHECK_THROWS_AS(bench::entries_for(1, {1048576, 3}), tessera::error);
}

TEST_CASE("contract<> inline, and a plan, are right in every row and group") {
  bench::setting s;
  s.with.reps = 1;
  s.with.batch = 12;
  s.on = tessera::default_cpu_target();
  s.peak = 1e12;
  s.peers = bench::choose_peers("plain");
  for (const tessera::scalar_type type : {tessera::scalar_type::f32, tessera::scalar_type::f64}) {
    s.with.type = type;
    const auto& rows = type == tessera::scalar_type::f32 ? bench::inline_rows_f32() : bench::inline_rows_f64();
    CHECK(std::count_if(rows.begin(), rows.end(), [](const bench::inline_row& r) { return !r.square; }) ==
          bench::largest_inline_order);
    for (const bench::inline_row& row : rows) {
      if (row.square && row.size != 2 && row.size != 3 && row.size != 4) continue;
      const std::vector<int> groups{1, 3, 4};
      const std::vector<bench::case_results> cases = bench::small_cases(row, groups, s);
      REQUIRE(cases.size() == groups.size());
      for (std::size_t g = 0; g < groups.size(); ++g) {
        CHECK(cases[g].facts.at("at_once") == groups[g]);
        CHECK(cases[g].facts.at("batch") == 12);
        std::set<std::string> ways;
        for (const bench::result& r : cases[g].all) {
          INFO(cases[g].label << " " << r.impl);
          CHECK(r.checked.correct());
          ways.insert(r.impl);
        }
        std::set<std::string> wanted{"tessera", "tessera-batch", "tessera-plan"};
        if (row.square || row.size <= TESSERA_LARGEST_PEER / 4) wanted.insert("plain");
        CHECK(ways == wanted);
      }
    }
  }
}

TEST_CASE("a line of the table has a time for each group, and the cost of a call") {
  std::vector<bench::case_results> cases(2);
  for (int g : {0, 1}) {
    cases[std::size_t(g)].facts = {{"batch", 1000}};
    cases[std::size_t(g)].all = {{"tessera", {}, {}, ""}};
  }
  cases[0].all[0].time.seconds.median = 12e-6;  // 12 ns an entry
  cases[1].all[0].time.seconds.median = 7e-6;   // 7 ns: 28 a call of 4, so (28 - 12) / 3 each
  const std::vector<std::string> lines = bench::small_table(cases, {1, 4});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "  contract             12.0      7.0      6.7");
  CHECK(bench::small_table(cases, {2, 4})[0] == "  contract             12.0      7.0");
  CHECK(bench::small_heading({1, 4}) == "                          1        4   a call");
}
