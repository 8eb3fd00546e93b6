// SPDX-License-Identifier: BSD-3-Clause
// The ratio to the best peer: chosen in one half of the rounds, compared in the other.
#include "comparison.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace bench = tessera::bench;

namespace {

bench::timing of_samples(std::vector<double> samples) {
  bench::timing t;
  t.seconds = bench::summarise(samples);
  t.samples = std::move(samples);
  return t;
}

}  // namespace

TEST_CASE("without peers there is no ratio, with one it is that of the times") {
  const bench::timing ours = of_samples({2, 2, 2, 2}), peer = of_samples({3, 3, 3, 3});
  CHECK_FALSE(bench::compare_with_best(ours, {}).has_value());
  const auto with = bench::compare_with_best(ours, {&peer});
  REQUIRE(with.has_value());
  CHECK(with->index == 0);
  CHECK(std::abs(with->ratio - 1.5) < 1e-14);
}

TEST_CASE("a peer that was fast by chance in one half is compared in the other half") {
  const bench::timing ours = of_samples({1, 1, 1, 1, 1, 1});
  // Both take 1 on average; each looks fast in one half.
  const bench::timing even = of_samples({0.5, 1.5, 0.5, 1.5, 0.5, 1.5});
  const bench::timing odd = of_samples({1.5, 0.5, 1.5, 0.5, 1.5, 0.5});
  const auto of_both = bench::compare_with_best(ours, {&even, &odd});
  REQUIRE(of_both.has_value());
  CHECK(std::abs(of_both->ratio - 1.5) < 1e-14);  // the least of all times would give 0.5
}

TEST_CASE("a peer that is faster in both halves is the best one") {
  const bench::timing ours = of_samples({1, 1, 1, 1}), slow = of_samples({4, 4, 4, 4});
  const bench::timing fast = of_samples({2, 8, 2, 2});
  const auto of_both = bench::compare_with_best(ours, {&slow, &fast});
  REQUIRE(of_both.has_value());
  CHECK(of_both->index == 1);
  // Even rounds choose `fast` (2) and compare by odd ones (5); odd rounds choose `slow` (4) and compare by even ones
  // (4).
  CHECK(std::abs(of_both->ratio - std::sqrt(5.0 * 4.0)) < 1e-14);
}

TEST_CASE("a single sample is both halves") {
  const bench::timing ours = of_samples({2}), peer = of_samples({5});
  const auto with = bench::compare_with_best(ours, {&peer});
  REQUIRE(with.has_value());
  CHECK(std::abs(with->ratio - 2.5) < 1e-14);
}
