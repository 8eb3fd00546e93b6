// SPDX-License-Identifier: BSD-3-Clause
// The rows of the TCCG benchmark: contractions that they are, their work, and how a command line names them.
#include "tccg_rows.hpp"

#include <cmath>
#include <string>

#include <tessera/core/einsum.hpp>
#include <tessera/error.hpp>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

TEST_CASE("the rows of TCCG are contractions, with as much work as is published") {
  double flops = 0;
  int id = 0;
  for (const bench::tccg_row& row : bench::tccg_rows) {
    INFO(row.id << " " << std::string(row.text));
    CHECK(row.id == ++id);
    const tessera::einsum e = tessera::parse_einsum(bench::einsum_of(row).c_str());
    REQUIRE(e.fault == tessera::einsum_fault::none);
    // Each letter is in two of the three tensors.
    double all = 2;
    for (char c = 'a'; c <= 'g'; ++c) {
      const int holders = int(e.operand[0].has(c)) + int(e.operand[1].has(c)) + int(e.out().has(c));
      const auto extent = row.extents[c - 'a'];
      CHECK(holders == (extent > 0 ? 2 : 0));
      if (extent > 0) all *= double(extent);
      CHECK(bench::extent_of(row, c, 1e-9) == 1);
      if (extent > 0) CHECK(bench::extent_of(row, c, 1) == extent);
    }
    flops += all;
  }
  CHECK(id == 48);
  CHECK(std::abs(flops - 3505.783e9) < 1e6);
}

TEST_CASE("a command line names rows of TCCG by numbers and ranges") {
  CHECK(bench::choose_tccg_rows("all").size() == 48);
  const auto some = bench::choose_tccg_rows("1-3,12,48");
  REQUIRE(some.size() == 5);
  CHECK(some[3].id == 12);
  CHECK(std::string(bench::group_of(some[0])) == "tensor by matrix");
  CHECK(std::string(bench::group_of(some[4])) == "CCSD(T)");
  for (const char* wrong : {"", "0", "49", "3-1", "1,,2", "4b", "1-"}) {
    INFO(wrong);
    CHECK_THROWS_AS(bench::choose_tccg_rows(wrong), tessera::error);
  }
}
