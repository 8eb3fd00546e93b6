// SPDX-License-Identifier: BSD-3-Clause
// The lines of the suite tccg and its means: ratios of each peer, groups, what is suspect, wrong or no peer.
#include "tccg_table.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

bench::result result_of(const char* impl, double seconds, const char* brief = "") {
  bench::result r{.impl = impl, .time = {}, .checked = {}, .describe = ""};
  r.time.seconds.median = seconds;
  r.brief = brief;
  return r;
}

// A row that takes `seconds` of a bound of 1 s.
bench::case_results row(int id, const char* group, double seconds, std::vector<bench::result> peers) {
  bench::case_results c;
  c.label = std::to_string(id) + " ab-ac-cb";
  c.row = "kernel";
  c.flops = 2e12;
  c.bytes = 3e9;
  c.limit.seconds = 1;
  c.place = {{group}, group, id};
  c.all.push_back(result_of("tessera", seconds));
  for (bench::result& r : peers) c.all.push_back(std::move(r));
  return c;
}

}  // namespace

TEST_CASE("a line has time, rates, the part of the bound, and each peer's time over ours") {
  bench::tccg_table table({"fast", "a-peer-of-a-long-name", "none"});
  const std::string heading = table.heading();
  const std::string line =
      table.add(row(7, "g", 2, {result_of("fast", 3), result_of("a-peer-of-a-long-name", 1, "gett rank 3 of 9")}));
  for (const char* part : {"7 ab-ac-cb", "2.00 s", "1.5", "1.00", "50.0% bandwidth", "1.50", "0.50", " - ", "kernel",
                           "a-peer-of-a-long-name: gett rank 3 of 9"})
    CHECK(line.find(part) != std::string::npos);
  // Numbers end where their headings end.
  CHECK(line.substr(heading.find("fast") + 4 - 4, 4) == "1.50");
  CHECK(line.substr(heading.find("a-peer") + 21 - 4, 4) == "0.50");
}

TEST_CASE("means are geometric, by group and in all, with the worst row") {
  bench::tccg_table table({"peer"});
  table.add(row(1, "first", 2, {result_of("peer", 4)}));
  table.add(row(2, "first", 8, {result_of("peer", 8)}));
  table.add(row(3, "second", 4, {}));
  const nlohmann::json all = table.means_as_json();
  REQUIRE(all.size() == 3);
  CHECK(all[0]["group"] == "first");
  CHECK(all[0]["rows"] == 2);
  CHECK(all[0]["fraction"]["mean"].get<double>() == Approx(0.25));
  CHECK(all[0]["fraction"]["worst"].get<double>() == Approx(0.125));
  CHECK(all[0]["fraction"]["worst_row"] == "2");
  CHECK(all[0]["peers"]["peer"]["mean"].get<double>() == Approx(std::sqrt(2.0)));
  CHECK(all[0]["peers"]["peer"]["worst"].get<double>() == Approx(1));
  CHECK(all[0]["peers"]["peer"]["gm_2"].get<double>() == Approx(std::sqrt(2.0)));
  CHECK_FALSE(all[0]["fraction"].contains("gm_2"));
  CHECK(all[1]["peers"].empty());
  CHECK(all[2]["group"] == "all");
  CHECK(all[2]["fraction"]["mean"].get<double>() == Approx(0.25));
  CHECK(all[2]["peers"]["peer"]["rows"] == 2);
  const std::vector<std::string> lines = table.means();
  REQUIRE(lines.size() == 5);
  CHECK(lines[1].find("25.0%, 12.5% (2)") != std::string::npos);
  CHECK(lines[1].find("1.41, 1.41, 1.00 (2)") != std::string::npos);
  CHECK(lines[4].find("max(1, that)") != std::string::npos);
}

TEST_CASE("GM_2 counts a peer that is faster as 1") {
  bench::tccg_table table({"peer"});
  table.add(row(1, "g", 1, {result_of("peer", 4)}));
  table.add(row(2, "g", 4, {result_of("peer", 1)}));
  table.add(row(3, "g", 1, {result_of("peer", 2)}));
  const nlohmann::json all = table.means_as_json();
  REQUIRE(all.size() == 1);
  CHECK(all[0]["peers"]["peer"]["mean"].get<double>() == Approx(std::cbrt(2.0)));
  CHECK(all[0]["peers"]["peer"]["gm_2"].get<double>() == Approx(2));
  CHECK(table.means()[1].find("1.26, 2.00, 0.25 (2)") != std::string::npos);
  // Without peers there is nothing to explain.
  bench::tccg_table alone({});
  alone.add(row(1, "g", 1, {}));
  CHECK(alone.means().size() == 2);
}

TEST_CASE("what is suspect or wrong is marked, and left out of the means") {
  bench::tccg_table table({"peer"});
  bench::case_results suspect = row(1, "g", 1, {result_of("peer", 2)});
  suspect.all[0].suspect = "noise";
  CHECK(table.add(suspect).ends_with("SUSPECT"));
  bench::case_results wrong = row(2, "g", 1, {result_of("peer", 2)});
  wrong.all[0].checked = {1, 0.5};
  CHECK(table.add(wrong).ends_with("WRONG"));
  CHECK(table.means().empty());
  CHECK(table.means_as_json().empty());
  bench::case_results of_peer = row(3, "g", 1, {result_of("peer", 2)});
  of_peer.all[1].checked = {1, 0.5};
  table.add(of_peer);
  CHECK(table.means_as_json()[0]["peers"].empty());
}
