// SPDX-License-Identifier: BSD-3-Clause
// sqrt, exp, log, pow, abs, min, max and select of numbers, and of the lanes of every instruction set, against the C
// library: special values, subnormal and huge numbers, and random ones.
#include "math/lanes_math.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tessera/detail/cpu_isas.hpp>
#include <tessera/memory.hpp>

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
std::vector<T> edge_values() {
  using is = std::numeric_limits<T>;
  const T largest_exponent = std::log(is::max()), smallest_exponent = std::log(is::denorm_min());
  std::vector<T> all{0,
                     1,
                     T(0.5),
                     2,
                     3,
                     T(2.5),
                     T(1e-3),
                     T(1e10),
                     is::min(),
                     is::min() / 4,
                     is::denorm_min(),
                     is::max(),
                     is::infinity(),
                     is::epsilon(),
                     1 + is::epsilon(),
                     1 - is::epsilon() / 2,
                     largest_exponent,
                     std::nextafter(largest_exponent, T(0)),
                     largest_exponent + 1,
                     -std::log(is::min()),
                     -smallest_exponent,
                     -smallest_exponent - 1,
                     -smallest_exponent + 1,
                     T(sizeof(T) == 8 ? 700 : 85),
                     T(sizeof(T) == 8 ? 705 : 86),
                     T(5000)};
  for (const std::size_t n = all.size(); T x : std::vector<T>(all.begin(), all.begin() + std::ptrdiff_t(n)))
    all.push_back(-x);
  all.push_back(is::quiet_NaN());
  return all;
}

/// Pairs of arguments in memory that lanes can be loaded from.
template <class T>
class arguments {
 public:
  explicit arguments(const std::vector<std::pair<T, T>>& pairs)
      : count_(int(pairs.size() + most_lanes - 1) / most_lanes * most_lanes),
        x_(space_kind::cpu, sizeof(T) * std::size_t(count_)),
        y_(space_kind::cpu, sizeof(T) * std::size_t(count_)),
        to_(space_kind::cpu, sizeof(T) * std::size_t(count_)) {
    for (int i = 0; i < count_; ++i) {
      x()[i] = pairs[std::size_t(i) % pairs.size()].first;
      y()[i] = pairs[std::size_t(i) % pairs.size()].second;
    }
  }
  int count() const { return count_; }
  T* x() { return static_cast<T*>(x_.data()); }
  T* y() { return static_cast<T*>(y_.data()); }
  T* to() { return static_cast<T*>(to_.data()); }

 private:
  static constexpr int most_lanes = 16;
  int count_;
  buffer x_, y_, to_;
};

template <class T>
std::vector<std::pair<T, T>> edge_pairs() {
  std::vector<std::pair<T, T>> pairs;
  for (const T x : edge_values<T>())
    for (const T y : edge_values<T>()) pairs.emplace_back(x, y);
  return pairs;
}

/// The first of any size and sign, spread over exponents; the second moderate.
template <class T>
std::vector<std::pair<T, T>> random_pairs(bool exponents) {
  std::mt19937_64 bits(7);
  const auto uniform = [&](T low, T high) { return low + (high - low) * T(double(bits() >> 11) * 0x1p-53); };
  const T most = T(std::numeric_limits<T>::max_exponent - 1), least = std::log(std::numeric_limits<T>::denorm_min());
  std::vector<std::pair<T, T>> pairs;
  for (int i = 0; i < 20000; ++i) {
    const T x = exponents ? uniform(least, -least) : std::exp2(uniform(-most, most));
    pairs.emplace_back(i % 3 == 0 ? -x : x, uniform(T(-20), T(20)));
  }
  return pairs;
}

/// Whether they are the same special value, of one sign if zero, or at most so many units in the last place apart.
template <class T>
bool agree(T found, T wanted, int units) {
  if (std::isnan(wanted) || std::isnan(found)) return std::isnan(wanted) && std::isnan(found);
  if (found == wanted) return found != 0 || std::signbit(found) == std::signbit(wanted);
  if (std::isinf(wanted) || std::isinf(found)) return false;
  const T size = std::abs(wanted), unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return std::abs(found - wanted) <= T(units) * unit;
}

template <class T>
void check(const char* name, const char* where, math_function<T> f, T (*wanted)(T, T), int units,
           const std::vector<std::pair<T, T>>& pairs) {
  arguments<T> a(pairs);
  f(a.x(), a.y(), a.count(), a.to());
  for (int i = 0; i < a.count(); ++i) {
    const T is = a.to()[i], should_be = wanted(a.x()[i], a.y()[i]);
    if (agree(is, should_be, units)) continue;
    INFO(where << ": " << name << "(" << a.x()[i] << ", " << a.y()[i] << ") = " << is << ", not " << should_be);
    CHECK(false);
    return;
  }
  CHECK(a.count() > 0);
}

template <class T>
T chosen(T x, T y) {
  return x > 1 && x < y ? x / y : !(x <= y) || x == 0 ? y : T(-1);
}

template <class T>
void check_all(const char* where, const math_functions<T>& f, const std::vector<std::pair<T, T>>& pairs) {
  const auto one = [&](const char* name, math_function<T> is, T (*wanted)(T, T), int units) {
    check<T>(name, where, is, wanted, units, pairs);
  };
  one(
      "sqrt", f.sqrt, [](T x, T) { return std::sqrt(x); }, 0);
  one(
      "exp", f.exp, [](T x, T) { return std::exp(x); }, 4);
  one(
      "log", f.log, [](T x, T) { return std::log(x); }, 4);
  one(
      "pow", f.pow, [](T x, T y) { return std::pow(x, y); }, 0);
  one(
      "cube", f.cube, [](T x, T) { return std::pow(x, T(3)); }, 0);
  one(
      "abs", f.abs, [](T x, T) { return std::abs(x); }, 0);
  one(
      "min", f.min, [](T x, T y) { return std::min(x, y); }, 0);
  one(
      "max", f.max, [](T x, T y) { return std::max(x, y); }, 0);
  one(
      "max with 0", f.not_negative, [](T x, T) { return std::max(x, T(0)); }, 0);
  one("select", f.select, &chosen<T>, 0);
}

template <class T, T (*f)(const T&, const T&)>
void on_numbers(const T* x, const T* y, int count, T* to) {
  for (int i = 0; i < count; ++i) to[i] = f(x[i], y[i]);
}

template <class T>
constexpr math_functions<T> of_numbers{&on_numbers<T, &calls::square_root<T>>,  &on_numbers<T, &calls::exponential<T>>,
                                       &on_numbers<T, &calls::logarithm<T>>,    &on_numbers<T, &calls::power<T>>,
                                       &on_numbers<T, &calls::cube<T>>,         &on_numbers<T, &calls::magnitude<T>>,
                                       &on_numbers<T, &calls::smaller<T>>,      &on_numbers<T, &calls::larger<T>>,
                                       &on_numbers<T, &calls::not_negative<T>>, &on_numbers<T, &calls::chosen<T>>};

template <class T>
void check_arguments(const char* where, const math_functions<T>& f) {
  check_all<T>(where, f, edge_pairs<T>());
  check_all<T>(where, f, random_pairs<T>(true));
  check_all<T>(where, f, random_pairs<T>(false));
}

}  // namespace

static_assert(tessera::max(2.0, 3) == 3.0 && tessera::min(2, 3) == 2 && tessera::select(true, 1.0f, 2) == 1.0f);

TEMPLATE_TEST_CASE("math: of numbers, as the C library's", "[math]", float, double) {
  check_arguments<TestType>("numbers", of_numbers<TestType>);
}

TEMPLATE_TEST_CASE("math: of lanes, every instruction set of this build", "[math]", float, double) {
  bool ran = false;
  for (const detail::cpu_isa_numbers& of : detail::cpu_isas) {
    const math_functions<TestType>* const f = math_functions_of<TestType>(of.isa);
    if (f == nullptr || !is_available(of.isa)) continue;
    check_arguments<TestType>(name_of(of.isa), *f);
    ran = true;
  }
  if (!ran) skip("no instruction set of this build runs here");
}
