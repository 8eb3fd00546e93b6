// SPDX-License-Identifier: BSD-3-Clause
// The reference itself: against sums written out by hand, and its compensated accumulator against exact arithmetic.
#include <tessera/cpu/detail/reference.hpp>

#include <cmath>

#include "testing/catch.hpp"

using namespace tessera;

TEST_CASE("a matrix product written out", "[cpu]") {
  const double a[] = {1, 2, 3, 4, 5, 6};   // (2, 3)
  const double b[] = {1, -1, 2, 0, 3, 1};  // (3, 2)
  double c[] = {10, 20, 30, 40};           // (2, 2)
  reference_contract<double>(parse_einsum("ik,kj->ij"), view(a, of_size<2, 3>()), view(b, of_size<3, 2>()),
                             view(c, of_size<2, 2>()), scaling{2, 1});
  CHECK(c[0] == 2 * (1 * 1 + 3 * -1 + 5 * 2) + 10);
  CHECK(c[1] == 2 * (2 * 1 + 4 * -1 + 6 * 2) + 20);
  CHECK(c[2] == 2 * (1 * 0 + 3 * 3 + 5 * 1) + 30);
  CHECK(c[3] == 2 * (2 * 0 + 4 * 3 + 6 * 1) + 40);
}

TEST_CASE("kernel (9) written out", "[cpu]") {
  const double b[] = {1, 2, 3, 4};  // (k 2, i 2)
  const double d[] = {5, 7};        // (k 2, l 1)
  double m[4] = {};                 // (i, l, j)
  reference_contract<double>(parse_einsum("ki,kj,kl->ilj"), view(b, of_size<2, 2>()), view(b, of_size<2, 2>()),
                             view(d, of_size<2, 1>()), view(m, of_size<2, 1, 2>()));
  CHECK(m[0] == 1 * 1 * 5 + 2 * 2 * 7);
  CHECK(m[1] == 3 * 1 * 5 + 4 * 2 * 7);
  CHECK(m[2] == m[1]);
  CHECK(m[3] == 3 * 3 * 5 + 4 * 4 * 7);
}

TEST_CASE("the magnitude takes absolute values", "[cpu]") {
  const double a[] = {1, -2}, b[] = {-3, -4};
  double c = -5;
  each_reference<double>(
      parse_einsum("k,k->"), scaling{-2, 3},
      [](double&, const reference_value<double>& r) {
        CHECK(r.value == -2 * (1 * -3 + -2 * -4) + 3 * -5);
        CHECK(r.magnitude == 2 * (3 + 8) + 15);
      },
      view(&c, extents<>{}), view(a, of_size<2>()), view(b, of_size<2>()));
}

TEST_CASE("compensated sums keep what double loses", "[cpu]") {
  compensated<double> sum(1e16);
  for (int i = 0; i < 1000; ++i) sum += compensated<double>(1.0) * compensated<double>(0.125);
  CHECK(double(sum - compensated<double>(1e16)) == 125);
  const double eps = std::ldexp(1.0, -30);
  const compensated<double> product = compensated<double>(1 + eps) * compensated<double>(1 - eps);
  CHECK(double(product - compensated<double>(1.0)) == -eps * eps);
  CHECK(double(abs(-compensated<double>(3.0))) == 3);
}
