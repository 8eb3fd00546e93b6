// SPDX-License-Identifier: BSD-3-Clause
// Tables of one direction, and those of a whole element that are made of them.
#include <cmath>
#include <vector>

#include "src/element/line_tables.hpp"
#include "testing/catch.hpp"

using namespace tessera;

namespace {

// Some numbers, no two of them alike.
std::vector<double> numbers(int count, double first) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(std::sqrt(first + i));
  return all;
}

}  // namespace

TEST_CASE("tables that mirror themselves, and those that one entry spoils", "[element]") {
  std::vector<double> even{1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1}, odd = even;
  for (std::size_t i = 6; i < 12; ++i) odd[i] = -odd[i];
  CHECK(detail::mirrors(even, 4, 3, 1));
  CHECK(!detail::mirrors(even, 4, 3, -1));
  CHECK(detail::mirrors(odd, 4, 3, -1));
  for (std::size_t i = 0; i < even.size(); ++i) {
    std::vector<double> spoilt = even;
    spoilt[i] += 0.5;
    CHECK(!detail::mirrors(spoilt, 4, 3, 1));
  }
}

TEST_CASE("a transposed table", "[element]") {
  CHECK(detail::transposed_table({1, 2, 3, 4, 5, 6}, 2, 3) == std::vector<double>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("tables of an element are products of those of its directions", "[element]") {
  const int q = 3, n = 2;
  const std::vector<double> values = numbers(q * n, 2), slopes = numbers(q * n, 11);
  const auto of = [&](const std::vector<double>& table, index_t k, index_t i) { return table[std::size_t(k + q * i)]; };
  for (int dim = 1; dim <= 3; ++dim) {
    const dense_basis all = detail::product_basis(values, slopes, q, n, dim);
    index_t points = 1, functions = 1;
    for (int a = 0; a < dim; ++a) points *= q, functions *= n;
    CHECK(all.functions == functions);
    REQUIRE(all.values.size() == std::size_t(points * functions));
    REQUIRE(all.gradients.size() == std::size_t(dim) * all.values.size());
    for (index_t i = 0; i < functions; ++i)
      for (index_t k = 0; k < points; ++k)
        for (int slope = -1; slope < dim; ++slope) {
          double wanted = 1;
          for (index_t a = 0, of_k = k, of_i = i; a < dim; ++a, of_k /= q, of_i /= n)
            wanted *= of(a == slope ? slopes : values, of_k % q, of_i % n);
          const double found = slope < 0 ? all.values[std::size_t(k + points * i)]
                                         : all.gradients[std::size_t(k + points * (i + functions * slope))];
          CHECK(std::abs(found - wanted) <= 1e-15 * wanted);
        }
  }
}
