// SPDX-License-Identifier: BSD-3-Clause
// Table 1 as the contraction suite holds it: extents fit the einsums, and the matrix views do the same work.
#include "table1.hpp"

#include <map>
#include <string>

#include <tessera/core/einsum.hpp>
#include <tessera/error.hpp>

#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::index_t;

TEST_CASE("every letter has one extent in all operands of a row, and the sum is as long as is said") {
  for (const bench::table_row& row : bench::table_rows()) {
    INFO(std::string(row.name));
    const tessera::einsum e = tessera::parse_einsum(row.einsum);
    REQUIRE(int(row.operands.size()) == e.inputs + 1);
    std::map<char, char> extent;
    for (int o = 0; o <= e.inputs; ++o) {
      const tessera::modes& m = o == e.inputs ? e.out() : e.operand[o];
      REQUIRE(std::size_t(m.rank) == row.operands[std::size_t(o)].size());
      for (int d = 0; d < m.rank; ++d) {
        const char size = row.operands[std::size_t(o)][std::size_t(d)];
        CHECK(extent.emplace(m.letter[d], size).first->second == size);
      }
    }
    std::string summed;
    for (const auto& [letter, size] : extent)
      if (!e.out().has(letter)) summed += size;
    CHECK(summed == row.inner);
  }
}

TEST_CASE("the matrix view of a row multiplies as often as its einsum") {
  constexpr index_t p = 3, q = 5;
  int views = 0;
  for (const bench::table_row& row : bench::table_rows()) {
    const bench::matrix_view& v = row.matrix;
    if (v.m.empty()) continue;
    INFO(std::string(row.name));
    ++views;
    const auto size = [](bench::extents_text text) { return bench::evaluate(text, p, q); };
    CHECK(size(v.m) * size(v.n) * size(v.k) * size(v.loops) * size(v.rounds) ==
          size(row.operands.back()) * size(row.inner));
    CHECK(size(v.k) == size(row.inner));
  }
  CHECK(views == 18);
}

TEST_CASE("rows are chosen by name") {
  CHECK(bench::choose_rows("all").size() == 20);
  CHECK(bench::choose_rows("4b,D3").size() == 2);
  CHECK_THROWS_AS(bench::choose_rows("5a"), tessera::error);
}
