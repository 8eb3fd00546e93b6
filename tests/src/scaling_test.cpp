// SPDX-License-Identifier: BSD-3-Clause
// alpha = 0 and beta = 0 over NaN and infinite data: the output is not read, the inputs are, on every target.
#include <tessera/batch.hpp>
#include <tessera/cpu/contract.hpp>
#include <tessera/plan.hpp>

#include <cmath>
#include <limits>

#include "testing/catch.hpp"
#include "testing/definition.hpp"
#include "testing/targets.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr index_t count = 5;
constexpr index_t sizes[][3] = {{1, 1, 1}, {3, 5, 4}, {4, 4, 4}, {8, 8, 8}, {17, 3, 9}};  // m, n, k

template <class T>
bool is_nan(const T& value) {
  if constexpr (is_complex<T>)
    return std::isnan(value.re) || std::isnan(value.im);
  else
    return std::isnan(float(value));
}

template <class T>
T nan_of() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if constexpr (is_complex<T>)
    return T(complex<double>(nan, nan));
  else
    return T(float(nan));
}

// run(what, a, x, y) by a plan on every target.
template <class Check>
void on_all_targets(Check check) {
  for (const target t : cpu_targets()) {
    INFO(name_of(t));
    check([t](const contraction& what, const auto& a, const auto& x, const auto& y) {
      make_plan(what, a, x, y, on(t)).run(a, x, y);
    });
  }
}

template <class T, class Layout>
void check_beta(Layout layout) {
  for (const auto& [m, n, k] : sizes)
    on_all_targets([&, m = m, n = n, k = k](const auto& run) {
      auto a = make_tensor<T>(of_size(m, k));
      auto x = make_batch<T>(layout(of_size(k, n)), count);
      auto y = make_batch<T>(layout(of_size(m, n)), count);
      std::fill(a.begin(), a.end(), T(1));
      std::fill(x.begin(), x.end(), T(2));
      for (const double alpha : {1.0, 3.0}) {
        std::fill(y.begin(), y.end(), nan_of<T>());
        run(contraction("ij,jk->ik", {alpha, 0}), a.view(), x.view(), y.view());
        INFO(m << " x " << n << " x " << k << ", alpha " << alpha);
        index_t wrong = 0;
        for (const auto& value : read(y.view()).value) wrong += !(value == T(float(2 * double(k) * alpha)));
        CHECK(wrong == 0);
      }
    });
}

// Row 0 of a is infinite: row 0 of every result is NaN, all else is beta y.
template <class T, class Layout>
void check_alpha(Layout layout) {
  for (const auto& [m, n, k] : sizes)
    for (const bool is_infinite : {true, false})
      on_all_targets([&, m = m, n = n, k = k](const auto& run) {
        auto a = make_tensor<T>(of_size(m, k));
        auto x = make_batch<T>(layout(of_size(k, n)), count);
        auto y = make_batch<T>(layout(of_size(m, n)), count);
        std::fill(a.begin(), a.end(), T(1));
        std::fill(x.begin(), x.end(), T(2));
        a(0, 0) = is_infinite ? T(std::numeric_limits<float>::infinity()) : nan_of<T>();
        for (const double beta : {0.0, 1.0, 3.0}) {
          std::fill(y.begin(), y.end(), T(5));
          run(contraction("ij,jk->ik", {0, beta}), a.view(), x.view(), y.view());
          INFO(m << " x " << n << " x " << k << ", beta " << beta);
          index_t wrong = 0;
          for (index_t b = 0; b < count; ++b)
            for (index_t j = 0; j < n; ++j)
              for (index_t i = 0; i < m; ++i) {
                const T value = y(b)(i, j);
                wrong += i == 0 ? !is_nan(value) : !(value == T(float(5 * beta)));
              }
          CHECK(wrong == 0);
        }
      });
}

constexpr auto as_given = [](const auto& extents) { return extents; };
constexpr auto by_lanes = [](const auto& extents) { return interleave<4>(extents); };

}  // namespace

TEST_CASE("beta = 0 does not read the output", "[plan][scaling]") {
  check_beta<double>(as_given);
  check_beta<float>(as_given);
  check_beta<double>(by_lanes);
  check_beta<float>(by_lanes);
  check_beta<complex<double>>(as_given);
}

TEST_CASE("alpha = 0 reads the inputs: what is not finite gives NaN", "[plan][scaling]") {
  check_alpha<double>(as_given);
  check_alpha<float>(as_given);
  check_alpha<double>(by_lanes);
  check_alpha<float>(by_lanes);
}

TEST_CASE("alpha = 0 and beta = 0 of pointwise products and of contract<>", "[plan][scaling]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto a = make_tensor<double>(of_size(5, 3));
  auto x = make_batch<double>(of_size(5, 3), count), y = make_batch<double>(of_size(5, 3), count);
  const auto reset = [&] {
    std::fill(a.begin(), a.end(), 2.0);
    std::fill(x.begin(), x.end(), 3.0);
    std::fill(y.begin(), y.end(), nan);
  };
  const auto holds = [&](double wanted) {
    return std::all_of(y.begin(), y.end(), [&](double v) { return v == wanted; });
  };
  on_all_targets([&](const auto& run) {
    reset();
    run(contraction("ab,ab->ab", {4, 0}), a.view(), x.view(), y.view());
    CHECK(holds(24));
    a(4, 2) = nan;
    run(contraction("ab,ab->ab", {0, 1}), a.view(), x.view(), y.view());
    CHECK(std::isnan(y(0)(4, 2)));
    CHECK(y(0)(3, 2) == 24);
  });
  reset();
  contract<"ab,ab->ab">(a, x, y, scaling{4, 0});
  CHECK(holds(24));
  reset();
  auto square = make_tensor<double>(of_size(5, 5));
  std::fill(square.begin(), square.end(), 1.0);
  contract<"ij,jk->ik">(square, x, y, scaling{2, 0});
  CHECK(holds(30));
  square(1, 1) = nan;
  contract<"ij,jk->ik">(square, x, y, scaling{0, 1});
  CHECK(std::isnan(y(0)(1, 0)));
  CHECK(y(0)(2, 0) == 30);
}
