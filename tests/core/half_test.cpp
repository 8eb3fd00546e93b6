// SPDX-License-Identifier: BSD-3-Clause
// half and bfloat16 against their definitions: every pattern to float, and back from all values that decide a rounding.
#include <tessera/core/half.hpp>

#include <cmath>
#include <limits>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

// A 16-bit format by its definition: (-1)^s 2^(e - bias) 1.f, subnormal where e is 0, infinite or NaN where it is all
// ones.
struct format {
  int exponent_bits, fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  long double value(unsigned bits) const {
    const int exponent = int(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const long double fraction = bits & ((1u << fraction_bits) - 1), sign = (bits & 0x8000u) != 0 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1)
      return fraction == 0 ? sign * std::numeric_limits<long double>::infinity()
                           : std::numeric_limits<long double>::quiet_NaN();
    const long double whole = fraction + (exponent == 0 ? 0 : std::ldexp(1.0L, fraction_bits));
    return sign * std::ldexp(whole, (exponent == 0 ? 1 : exponent) - bias() - fraction_bits);
  }
  unsigned infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
};

constexpr format binary16{5, 10}, brain{8, 7};

template <class T>
constexpr format format_of = std::is_same_v<T, half> ? binary16 : brain;

bool same_value(float a, long double b) {
  return std::isnan(b) ? std::isnan(a) : static_cast<long double>(a) == b && std::signbit(a) == std::signbit(b);
}

float next_to(float x, bool up) {
  return std::nextafterf(x, up ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity());
}

// `x` lies between the values of two neighbours `low` and `low + 1` of one sign (of magnitudes, without sign bit): the
// nearer one, on a tie the even one. Above the largest number the next one counts as 2^(emax + 1).
template <class T>
unsigned nearest_by_definition(float x, unsigned low) {
  const format f = format_of<T>;
  const unsigned sign = std::signbit(x) ? 0x8000u : 0;
  const long double size = std::fabs(static_cast<long double>(x)), below = f.value(low),
                    above = low + 1 == f.infinity() ? std::ldexp(1.0L, f.bias() + 1) : f.value(low + 1);
  const long double to_below = size - below, to_above = above - size;
  if (to_below != to_above) return sign | (to_below < to_above ? low : low + 1);
  return sign | (low % 2 == 0 ? low : low + 1);
}

}  // namespace

TEMPLATE_TEST_CASE("16 bits: every pattern has its value in float, and comes back from there", "[half]", half,
                   bfloat16) {
  int wrong = 0;
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    const TestType number = TestType::of_bits(static_cast<unsigned short>(bits));
    const long double wanted = format_of<TestType>.value(bits);
    if (!same_value(float(number), wanted)) ++wrong;
    const TestType back(static_cast<float>(number));
    if (std::isnan(wanted) ? !std::isnan(float(back)) : back.bits != bits) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("16 bits: float is rounded to the nearest, ties to even", "[half]", half, bfloat16) {
  const format f = format_of<TestType>;
  int wrong = 0;
  for (unsigned low = 0; low < f.infinity(); ++low) {
    const long double below = f.value(low),
                      above = low + 1 == f.infinity() ? std::ldexp(1.0L, f.bias() + 1) : f.value(low + 1);
    const float middle = float((below + above) / 2);
    if (static_cast<long double>(middle) != (below + above) / 2) continue;  // less than float's least
    for (const float x :
         {float(below), next_to(float(below), true), next_to(middle, false), middle, next_to(middle, true)})
      for (const float signed_x : {x, -x})
        if (TestType(signed_x).bits != nearest_by_definition<TestType>(signed_x, low)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("16 bits: infinities, what is too large, NaN, and the least numbers", "[half]", half, bfloat16) {
  const format f = format_of<TestType>;
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(TestType(infinity).bits == f.infinity());
  CHECK(TestType(-infinity).bits == (0x8000u | f.infinity()));
  CHECK(TestType(std::numeric_limits<float>::max()).bits == f.infinity());
  CHECK(std::isnan(float(TestType(std::numeric_limits<float>::quiet_NaN()))));
  // A NaN whose payload is in the bits that are cut off must not become an infinity.
  CHECK(std::isnan(float(TestType(std::nanf("1")))));
  CHECK(TestType(0.0f).bits == 0);
  CHECK(TestType(-0.0f).bits == 0x8000u);
  CHECK(TestType(std::numeric_limits<float>::denorm_min()).bits == 0);
}

TEST_CASE("16 bits: memory of integers is memory of theirs", "[half]") {
  unsigned short raw[] = {0x3c00, 0x4000};
  const unsigned short* const fixed = raw;
  CHECK(float(as_half(raw)[1]) == 2.0f);
  CHECK(float(as_half(fixed)[0]) == 1.0f);
  as_bfloat16(raw)[0] = bfloat16(1.0f);
  CHECK(raw[0] == 0x3f80);
  static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2);
  static_assert(std::is_trivially_copyable_v<half> && std::is_standard_layout_v<bfloat16>);
}
