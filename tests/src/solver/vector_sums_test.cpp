// SPDX-License-Identifier: BSD-3-Clause
// Sums of vectors with factors, and inner products.
#include <omp.h>

#include <cmath>

#include <tessera/error.hpp>
#include <tessera/solver/vector_sums.hpp>

#include "systems.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;

}  // namespace

TEST_CASE("sums of vectors with factors", "[solver]") {
  for (const index_t n : {0, 1, 7, 1024, 5000, 100'000}) {
    const std::vector<double> x = some_numbers<double>(n, 1), a = some_numbers<double>(n, 2),
                              b = some_numbers<double>(n, 3);
    std::vector<double> y(at(n), std::nan(""));
    const scaled_vector terms[] = {{2, a.data()}, {-0.5, b.data()}};
    combine(n, x.data(), terms, y.data());
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(std::abs(y[i] - (x[i] + 2 * a[i] - 0.5 * b[i])) < 1e-15);
    // Without x, and without vectors; y in the place of x and of a vector.
    combine(n, nullptr, terms, y.data());
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(std::abs(y[i] - (2 * a[i] - 0.5 * b[i])) < 1e-15);
    combine(n, x.data(), {}, y.data());
    CHECK(y == x);
    const scaled_vector itself[] = {{3, y.data()}};
    combine(n, y.data(), itself, y.data());
    for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(std::abs(y[i] - 4 * x[i]) < 1e-14);
  }
  double y = 0;
  const scaled_vector none[] = {{1, nullptr}};
  CHECK_THROWS(combine(-1, nullptr, {}, &y));
  CHECK_THROWS(combine(1, nullptr, {}, nullptr));
  CHECK_THROWS(combine(1, nullptr, none, &y));
  CHECK_THROWS(combine(1, nullptr, std::vector<scaled_vector>(17, {1, &y}), &y));
}

TEST_CASE("inner products are the same bits for any number of threads", "[solver]") {
  for (const index_t n : {0, 1, 1000, 300'000}) {
    const std::vector<double> a = some_numbers<double>(n, 4), b = some_numbers<double>(n, 5);
    const inner_product dot(n);
    CHECK(std::abs(dot(n, a.data(), b.data()) - plain_dot(a, b)) < 1e-13 * double(n + 1));
    const int threads = omp_get_max_threads();
    omp_set_num_threads(3);
    const double by_three = dot(n, a.data(), b.data());
    omp_set_num_threads(1);
    CHECK(dot(n, a.data(), b.data()) == by_three);
    omp_set_num_threads(threads);
    CHECK_THROWS(dot(n + 1, a.data(), b.data()));
    CHECK_THROWS(dot(-1, a.data(), b.data()));
    if (n > 0) CHECK_THROWS(dot(n, nullptr, b.data()));
  }
  CHECK_THROWS(inner_product(-1));
}
