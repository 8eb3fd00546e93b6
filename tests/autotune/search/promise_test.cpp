// SPDX-License-Identifier: BSD-3-Clause
// What measured candidates teach about those that are like them.
#include "search/promise.hpp"

#include "testing/catch.hpp"

namespace tune = tessera::tune;

namespace {

tune::search_result measured(std::vector<std::pair<int, double>> times) {
  tune::search_result r;
  for (const auto& [candidate, seconds] : times) r.all.push_back({candidate, tune::outcome::ok, {}, {seconds}});
  return r;
}

}  // namespace

TEST_CASE("without axes the model's order stands, and nothing comes twice") {
  const tune::search_problem p{5, {5, 4, 3, 2, 1}, 0, {}};
  CHECK(tune::most_promising(p, measured({}), 2) == std::vector<int>{4, 3});
  CHECK(tune::most_promising(p, measured({{4, 1}, {2, 9}}), 9) == std::vector<int>{3, 1, 0});
}

TEST_CASE("candidates alike share the model's error") {
  // The model ranks axis value 0 before 1; measured, 0 is far slower than predicted and 1 as predicted.
  const tune::search_problem p{6, {1, 1.1, 1.2, 1.3, 1.4, 1.5}, 0, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}};
  CHECK(tune::most_promising(p, measured({{0, 3}, {3, 1.3}}), 1) == std::vector<int>{4});
  CHECK(tune::most_promising(p, measured({{0, 2}, {3, 2.6}}), 2) == std::vector<int>{1, 2});
}

TEST_CASE("without a model the times themselves are carried over") {
  const tune::search_problem p{4, {}, 0, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
  CHECK(tune::most_promising(p, measured({{0, 3}, {2, 1}}), 1) == std::vector<int>{3});
}

TEST_CASE("failures teach nothing about time") {
  const tune::search_problem p{4, {1, 2, 3, 4}, 0, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
  tune::search_result r = measured({});
  r.all.push_back({0, tune::outcome::crashed, "signal 11", {}});
  CHECK(tune::most_promising(p, r, 3) == std::vector<int>{1, 2, 3});
}
