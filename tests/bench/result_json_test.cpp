// SPDX-License-Identifier: BSD-3-Clause
// What a file says of the place of a case's data.
#include "result_json.hpp"

#include <string>

#include "measure/machine.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

std::string regime_in(const std::string& suite, double bytes, const nlohmann::json& facts = {}) {
  bench::options o;
  o.suite = suite;
  bench::case_results c;
  c.facts = facts;
  c.target = "reference";
  c.bytes = bytes;
  return bench::regime_of(c, o);
}

}  // namespace

TEST_CASE("results say where their data is, also of suites without --regime") {
  const double cache = double(bench::this_machine().llc_bytes);
  for (const char* suite : {"stride", "tccg"}) {
    CHECK(regime_in(suite, cache) == "cache");
    CHECK(regime_in(suite, cache + 1) == "stream");
  }
  CHECK(regime_in("two-site", 1, {{"beyond_cache", true}}) == "stream");
  CHECK(regime_in("two-site", 1e12, {{"beyond_cache", false}}) == "cache");
  CHECK(regime_in("registers", 0) == "registers");
  CHECK(regime_in("solve", 1) == "unknowns");
  CHECK(regime_in("hydro", 1) == "points");
  CHECK(regime_in("gemm", 1) == "cache");
  bench::options given;
  given.suite = "gemm";
  given.in = bench::regime::stream;
  CHECK(bench::regime_of({}, given) == "stream");
  given.batch = 7;
  CHECK(bench::regime_of({}, given) == "batch");
}
