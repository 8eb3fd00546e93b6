// SPDX-License-Identifier: BSD-3-Clause
// complex: the layout of std::complex, conversions to and from it, arithmetic, and memory of others seen as it.
#include <tessera/core/complex.hpp>

#include <complex>
#include <type_traits>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;

static_assert(sizeof(complex<float>) == 8 && alignof(complex<float>) == alignof(float));
static_assert(sizeof(complex<double>) == 16 && alignof(complex<double>) == alignof(double));
static_assert(std::is_trivially_copyable_v<complex<float>> && std::is_standard_layout_v<complex<float>>);
static_assert(std::is_trivially_default_constructible_v<complex<double>>);
static_assert(complex<double>(1, 2) * complex<double>(3, -1) == complex<double>(5, 5));
static_assert(conj(complex<float>(1, 2)) == complex<float>(1, -2));
static_assert(complex<double>(2) == 2 && complex<double>(2, 1) != 2);
static_assert(!std::is_convertible_v<complex<double>, double>, "an imaginary part is not lost in silence");
static_assert(std::is_convertible_v<complex<double>, std::complex<double>>);
static_assert(std::is_convertible_v<std::complex<float>, complex<float>>);
static_assert(!std::is_convertible_v<complex<double>, complex<float>> &&
              std::is_constructible_v<complex<float>, complex<double>>);

TEST_CASE("complex: to and from std::complex", "[complex]") {
  const std::complex<double> given(1, -2);
  const complex<double> mine = given;
  CHECK(mine == complex<double>(1, -2));
  const std::complex<double> back = mine, built(mine);
  CHECK(back == given);
  CHECK(built == given);
  CHECK(complex<float>(mine) == complex<float>(1, -2));
}

TEST_CASE("complex: arithmetic is std::complex's", "[complex]") {
  const std::complex<double> a(1.5, -2), b(0.25, 3);
  const complex<double> x = a, y = b;
  CHECK(std::complex<double>(x + y) == a + b);
  CHECK(std::complex<double>(x - y) == a - b);
  CHECK(std::complex<double>(x * y) == a * b);
  CHECK(std::complex<double>(-x) == -a);
  complex<double> sum = x;
  add_product(sum, x, y);
  CHECK(std::complex<double>(sum) == a + a * b);
  sum = x;
  sum += y;
  sum *= 2;
  CHECK(std::complex<double>(sum) == (a + b) * 2.0);
}

TEST_CASE("complex: memory of std::complex and of two numbers is memory of complex", "[complex]") {
  std::vector<std::complex<float>> many{{1, 2}, {3, 4}};
  const std::vector<std::complex<float>>& fixed = many;
  as_complex(many.data())[1].im = 5;
  CHECK(many[1].imag() == 5);
  static_assert(std::is_same_v<decltype(as_complex(fixed.data())), const complex<float>*>);
  CHECK(as_complex(fixed.data())[0] == complex<float>(1, 2));
  struct pair {  // as CUDA's double2, which cuDoubleComplex is
    double x, y;
  } two{6, 7};
  static_assert(std::is_same_v<decltype(as_complex(&two)), complex<double>*>);
  CHECK(as_complex(&two)->im == 7);
}
