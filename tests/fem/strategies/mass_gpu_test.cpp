// SPDX-License-Identifier: BSD-3-Clause
// Tests the mass operator on the GPU, by the checks that hold on a CPU.
#include "mass_checks.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::strategy;

mass_case on_gpu(std::vector<int> cells, int order, int geometry) {
  return {.cells = std::move(cells), .order = order, .geometry = geometry, .space = space_kind::gpu};
}

}  // namespace

TEST_CASE("the five strategies agree with the definition on the GPU", "[fem][gpu]") {
  if (!is_available(target::cuda)) return skip("no GPU");
  for (const int p : {1, 2, 3, 4}) {
    check_strategies<double>(on_gpu({3, 2}, p, 1 + p % 3), testing::all_strategies());
    check_strategies<float>(on_gpu({3, 2}, p, 1 + p % 3), testing::all_strategies());
    check_strategies<double>(on_gpu({2, 1, 3}, p, 1 + p % 3), testing::all_strategies());
    check_strategies<float>(on_gpu({2, 1, 3}, p, 1 + p % 3), testing::all_strategies());
  }
  for (const int p : {6, 8})
    check_strategies<double>(on_gpu({1, 1, 2}, p, 2), {strategy::near_optimal_evaluation, strategy::matrix_free});
  check_strategies<double>(on_gpu({1, 2}, 16, 2), {strategy::near_optimal_evaluation, strategy::matrix_free});
}

TEST_CASE("1^T M 1 is the volume on the GPU", "[fem][gpu]") {
  if (!is_available(target::cuda)) return skip("no GPU");
  for (int p = 2; p <= 8; ++p) {
    check_volume<double>(on_gpu({4, 3, 5}, p, 2), strategy::near_optimal_evaluation);
    check_volume<float>(on_gpu({4, 3, 5}, p, 2), strategy::near_optimal_evaluation);
  }
}

TEST_CASE("element matrices are symmetric and positive definite on the GPU", "[fem][gpu]") {
  if (!is_available(target::cuda)) return skip("no GPU");
  for (const strategy how : testing::all_strategies()) {
    check_matrices<double>(on_gpu({3, 2}, 3, 2), how);
    check_matrices<double>(on_gpu({1, 2, 1}, 2, 2), how);
    check_matrices<float>(on_gpu({1, 2, 1}, 2, 2), how);
  }
}

TEST_CASE("a small mass operator of each strategy on the GPU", "[fem][gpu][sanitize]") {
  if (!is_available(target::cuda)) return skip("no GPU");
  for (const strategy how : testing::all_strategies()) {
    check_strategies<double>(on_gpu({2, 1}, 2, 1), {how});
    check_matrices<float>(on_gpu({1, 1, 2}, 1, 1), how);
  }
}
