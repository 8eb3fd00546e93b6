// SPDX-License-Identifier: BSD-3-Clause
// The check of timed results: accepts round-off, and nothing more.
#include "reference.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "bench/case_builder.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::index_t;
using tessera::scalar_type;

TEST_CASE("gamma is n u / (1 - n u)") {
  CHECK(bench::gamma_bound(1, scalar_type::f64) == 0x1p-53 / (1 - 0x1p-53));
  CHECK(bench::gamma_bound(4, scalar_type::f32) == 0x1p-22 / (1 - 0x1p-22));
}

TEST_CASE("sampled positions hold the first and the last, and are all of a small batch") {
  CHECK(bench::sample_positions(3, 16) == std::vector<index_t>{0, 1, 2});
  const auto some = bench::sample_positions(100000, 16);
  REQUIRE(some.size() == 16);
  CHECK(std::set<index_t>(some.begin(), some.end()).count(0) == 1);
  CHECK(std::set<index_t>(some.begin(), some.end()).count(99999) == 1);
}

TEST_CASE("plain loops pass the check in both types, overwriting and adding") {
  for (scalar_type type : {scalar_type::f32, scalar_type::f64})
    for (double beta : {0.0, 1.0, -0.5})
      for (bool transposed : {false, true}) {
        auto work = tessera::testing::small_gemm({3, 5, 4}, type, beta, transposed, transposed);
        tessera::testing::multiply(work);
        const bench::verdict v = bench::check(work);
        CHECK(v.correct());
        CHECK(v.error > 0);
        CHECK(v.bound == bench::gamma_bound(6, type));
      }
}

TEST_CASE("one entry off by a few units in the last place of the sum, or NaN, fails the check") {
  auto work = tessera::testing::small_gemm({4, 4, 4}, scalar_type::f64, 0);
  tessera::testing::multiply(work);
  double* const last = static_cast<double*>(const_cast<void*>(work.out().host().data)) + work.out().host().reach() - 1;
  const double right = *last;
  *last = right + 8 * 0x1p-52 * 4;
  CHECK_FALSE(bench::check(work).correct());
  *last = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(bench::check(work).correct());
  *last = right;
  CHECK(bench::check(work).correct());
}

TEST_CASE("an output that nobody wrote fails the check") {
  const auto work = tessera::testing::small_gemm({2, 2, 2}, scalar_type::f32, 0);
  CHECK_FALSE(bench::check(work).correct());
}

TEST_CASE("interleaved storage: every lane of every block is checked at its own offset") {
  using tessera::bench::data;
  const tessera::bench::storage_order order{bench::storage_order::kind::interleaved, 4};
  bench::workload work{.label = "interleaved", .what = tessera::contraction("ik,kj->ij")};
  for (int seed = 1; seed <= 3; ++seed) work.operands.push_back(data(scalar_type::f64, {2, 2}, order, 7, 3, seed));
  for (data& d : work.operands) d.fill();
  work.inner = 2;
  const auto value = [&](int o, index_t e, index_t b) -> double& {
    const tessera::operand& host = work.operands[std::size_t(o)].host();
    return static_cast<double*>(const_cast<void*>(host.data))[host.offset(e, b)];
  };
  for (index_t b = 0; b < 7; ++b)
    for (index_t i = 0; i < 2; ++i)
      for (index_t j = 0; j < 2; ++j)
        value(2, i + 2 * j, b) = value(0, i, b) * value(1, 2 * j, b) + value(0, i + 2, b) * value(1, 1 + 2 * j, b);
  CHECK(bench::check(work).correct());
  value(2, 3, 6) += 1;
  CHECK_FALSE(bench::check(work).correct());
}
