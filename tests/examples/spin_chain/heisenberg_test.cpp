// SPDX-License-Identifier: BSD-3-Clause
// The chain's operator as a product over its sites, and Bethe's equations, against the matrix of all states.
#include "heisenberg.hpp"

#include <cmath>

#include "exact_chain.hpp"

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace sc = tessera::spin_chain;

namespace {

// <bra| H |ket>: the product of the sites' matrices over the operator's bonds.
double entry_of_product(int sites, int bra, int ket) {
  std::vector<double> row(std::size_t(sc::operator_bond), 0.0);
  row[std::size_t(sc::first_bond)] = 1;
  for (int i = 0; i < sites; ++i) {
    std::vector<double> next(row.size(), 0.0);
    for (index_t v = 0; v < sc::operator_bond; ++v)
      for (index_t w = 0; w < sc::operator_bond; ++w)
        next[std::size_t(v)] += row[std::size_t(w)] * sc::site_entry(w, bra >> i & 1, ket >> i & 1, v);
    row = next;
  }
  return row[std::size_t(sc::last_bond)];
}

}  // namespace

TEST_CASE("the operator of the sites is the sum over neighbours") {
  for (int sites = 2; sites <= 6; ++sites) {
    const std::vector<double> H = chain_matrix(sites);
    const int size = 1 << sites;
    for (int bra = 0; bra < size; ++bra)
      for (int ket = 0; ket < size; ++ket)
        REQUIRE(entry_of_product(sites, bra, ket) == H[std::size_t(bra + size * ket)]);
  }
}

TEST_CASE("operators in the orders of the products have the sites' entries") {
  const sc::chain_operators made(space_kind::cpu);
  const std::vector<double> left = made.left.numbers(), right = made.right.numbers(), pair = made.pair.numbers();
  const index_t n = sc::operator_bond, d = sc::states;
  for (index_t w = 0; w < n; ++w)
    for (index_t v = 0; v < n; ++v)
      for (index_t t = 0; t < d; ++t)
        for (index_t s = 0; s < d; ++s) {
          REQUIRE(left[std::size_t(w + n * (s + d * (t + d * v)))] == sc::site_entry(w, t, s, v));
          REQUIRE(right[std::size_t(s + d * (v + n * (w + n * t)))] == sc::site_entry(w, t, s, v));
          for (index_t u = 0; u < d; ++u)
            for (index_t r = 0; r < d; ++r) {
              double sum = 0;
              for (index_t m = 0; m < n; ++m) sum += sc::site_entry(w, t, s, m) * sc::site_entry(m, u, r, v);
              REQUIRE(pair[std::size_t(s + d * (r + d * (v + n * (w + n * (t + d * u)))))] == sum);
            }
        }
}

TEST_CASE("Bethe's equations give the lowest eigenvalue") {
  for (int sites = 2; sites <= 8; ++sites) {
    INFO(sites);
    CHECK(std::abs(sc::exact_energy(sites).value() - exact_by_diagonalisation(sites)) < 1e-13 * sites);
  }
  CHECK(std::abs(sc::exact_energy(20).value() + 8.682473334399) < 1e-12);
  // Of a long chain: 1/4 - log 2 a site, and -(pi - 1 - 2 log 2) / 4 at the ends in all, up to 1/sites.
  const double pi = std::acos(-1.0), bulk = 0.25 - std::log(2.0), ends = (pi - 1 - 2 * std::log(2.0)) / 4;
  for (const int sites : {400, 999, 1000})
    CHECK(std::abs(sc::exact_energy(sites).value() - sites * bulk - ends) < 2. / sites);
  CHECK(std::abs(sc::exact_energy(100).value() + 44.1277398932962) < 1e-12);
  CHECK_FALSE(sc::exact_energy(sc::most_exact_sites + 1));
  CHECK_FALSE(sc::exact_energy(10000));
  check_failure(status::invalid_argument, {"1 sites"}, [] { sc::exact_energy(1); });
}
