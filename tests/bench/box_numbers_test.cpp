// SPDX-License-Identifier: BSD-3-Clause
// Boxes of elements in all numberings have the same mesh; what is near in it is near in `mesh`.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <tessera/error.hpp>

#include "box_numbers.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

namespace bench = tessera::bench;
using bench::numbering;
using tessera::index_t;

namespace {

// Node of the box of entry i of an element of it, in 3-D, first direction fastest.
index_t node_of(const std::vector<int>& cells, int p, index_t element, index_t i) {
  const index_t d = p + 1, c0 = cells[0], c1 = cells[1], s0 = c0 * p + 1, s1 = c1 * p + 1;
  const index_t at[] = {element % c0 * p + i % d, element / c0 % c1 * p + i / d % d, element / c0 / c1 * p + i / d / d};
  return at[0] + s0 * (at[1] + s1 * at[2]);
}

}  // namespace

TEST_CASE("each node of a box has one number in every numbering, and each element is there once") {
  const std::vector<int> cells{3, 2, 4};
  for (const int p : {1, 2, 4})
    for (const numbering how : {numbering::box, numbering::mesh, numbering::random}) {
      const bench::box_numbers made = bench::number_box(cells, p, how);
      const index_t n = (p + 1) * (p + 1) * (p + 1);
      REQUIRE(made.elements() == 24);
      REQUIRE(made.nodes == (3 * p + 1) * (2 * p + 1) * (4 * p + 1));
      CHECK(std::set<index_t>(made.cell.begin(), made.cell.end()).size() == 24);
      std::map<index_t, std::int32_t> number;
      std::set<std::int32_t> used;
      bool same = true;
      for (index_t e = 0; e < made.elements(); ++e)
        for (index_t i = 0; i < n; ++i) {
          const std::int32_t given = made.offsets[std::size_t(i + n * e)];
          const auto [at, added] = number.insert({node_of(cells, p, made.cell[std::size_t(e)], i), given});
          same = same && at->second == given;
          used.insert(given);
        }
      INFO(name_of(how) << ", order " << p);
      CHECK(same);
      CHECK(used.size() == std::size_t(made.nodes));
      CHECK((*used.begin() == 0 && *used.rbegin() == made.nodes - 1));
      const bool ascending = std::is_sorted(made.cell.begin(), made.cell.end());
      CHECK(ascending == (how == numbering::box));
    }
}

TEST_CASE("the insides of elements have numbers one after the other in the numbering mesh") {
  const bench::box_numbers made = bench::number_box({4, 4}, 3, numbering::mesh);
  for (index_t e = 0; e < made.elements(); ++e) {
    const std::int32_t* const own = made.offsets.data() + 16 * e;
    CHECK((own[6] == own[5] + 1 && own[9] == own[5] + 2 && own[10] == own[5] + 3));
    CHECK(own[2] == own[1] + 1);  // of an edge
  }
}

TEST_CASE("boxes have about as many nodes as wanted") {
  for (const double wanted : {3e3, 1e5, 5e6})
    for (const int p : {1, 3, 8})
      for (const int dim : {2, 3}) {
        double nodes = 1;
        for (const int cells : bench::cells_for(wanted, p, dim)) nodes *= double(cells) * p + 1;
        INFO(wanted << ", order " << p << ", " << dim << "-D: " << nodes);
        CHECK((nodes > 0.6 * wanted && nodes < 1.6 * wanted));
      }
  CHECK(bench::cells_for(1, 4, 3) == std::vector<int>{1, 1, 1});
}

TEST_CASE("numbers of unknowns and names of numberings are read, or refused by name") {
  CHECK(bench::parse_unknowns("7,100k,5M") == std::vector<index_t>{7, 100'000, 5'000'000});
  for (const char* wrong : {"", "k", "0", "1.5k", "3000M", "5m"}) {
    INFO(wrong);
    CHECK_THROWS_AS(bench::parse_unknowns(wrong), tessera::error);
  }
  CHECK(bench::numbering_from("random") == numbering::random);
  tessera::testing::check_failure(tessera::status::invalid_argument, {"'mash'", "did you mean 'mesh'?"},
                                  [] { bench::numbering_from("mash"); });
}
