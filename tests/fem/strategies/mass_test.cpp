// SPDX-License-Identifier: BSD-3-Clause
// Tests the mass operator: five strategies against the definition, volumes, element matrices, and the exact mass
// matrix.
#include "mass_checks.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/skip.hpp"

#include <tessera/error.hpp>
#include <tessera/fem/strategies/mass.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::point;
using fem::strategy;

const fem::coefficient varying =
    std::function<double(const point&)>([](const point& x) { return 1 + 0.5 * x[0] - 0.25 * x[1] * x[1] + x[2]; });

std::vector<int> some_cells(int dim) { return dim == 2 ? std::vector<int>{3, 2} : std::vector<int>{2, 1, 3}; }

std::vector<target> cpu_targets() {
  std::vector<target> result;
  for (const target t : available_targets())
    if (t != target::cuda) result.push_back(t);
  return result;
}

}  // namespace

TEST_CASE("all five strategies agree with the definition", "[fem]") {
  for (const int dim : {2, 3})
    for (const int p : {1, 2, 3, 4}) {
      const mass_case c{.cells = some_cells(dim), .order = p, .geometry = 1 + p % 3};
      check_strategies<double>(c, testing::all_strategies());
      check_strategies<float>(c, testing::all_strategies());
    }
  for (const int p : {5, 8, 11, 16})
    check_strategies<double>({.cells = {1, 2}, .order = p, .geometry = 2}, testing::all_strategies());
}

TEST_CASE("strategies agree on every target of this machine", "[fem]") {
  for (const target t : cpu_targets())
    for (const int dim : {2, 3})
      for (const int p : {2, 3, 5}) {
        const mass_case c{.cells = some_cells(dim), .order = p, .geometry = 2, .plans = {.on = t}};
        check_strategies<double>(c, testing::all_strategies());
        check_strategies<float>(c, testing::all_strategies());
      }
}

TEST_CASE("bases, points and coefficients are free to choose", "[fem]") {
  for (const basis_kind kind : {basis_kind::gauss, basis_kind::bernstein})
    for (const int dim : {2, 3})
      check_strategies<double>({.cells = some_cells(dim), .order = 3, .geometry = 2, .kind = kind, .rho = varying},
                               testing::all_strategies());
  check_strategies<double>({.cells = {2, 2}, .order = 4, .geometry = 3, .points = {1, 7}, .rho = varying},
                           testing::all_strategies());
  check_strategies<double>({.cells = {2, 1, 2}, .order = 2, .geometry = 2, .points = {5, 1, 3}, .rho = 2.5},
                           testing::all_strategies());
  check_strategies<float>({.cells = {2, 1, 2}, .order = 2, .geometry = 1, .points = {2, 4, 3}, .rho = varying},
                          testing::all_strategies());
  const std::vector<double> values = seeded<double>(4 * 9, 3);  // of either sign: M is then not definite, but still M
  check_strategies<double>({.cells = {2, 2}, .order = 1, .geometry = 2, .rho = values}, testing::all_strategies());
}

TEST_CASE("high orders evaluate in 3-D", "[fem]") {
  for (const int p : {5, 6, 7, 8})
    check_strategies<double>({.cells = {1, 1, 2}, .order = p, .geometry = 2},
                             {strategy::near_optimal_evaluation, strategy::matrix_free});
  check_strategies<float>({.cells = {1, 1, 1}, .order = 10, .geometry = 3},
                          {strategy::near_optimal_evaluation, strategy::matrix_free});
}

TEST_CASE("1^T M 1 is the volume of the deformed mesh", "[fem][threads]") {
  for (int p = 1; p <= 16; ++p) {
    check_volume<double>({.cells = {3, 4}, .order = p, .geometry = 2}, strategy::near_optimal_evaluation);
    check_volume<float>({.cells = {3, 4}, .order = p, .geometry = 2}, strategy::near_optimal_evaluation);
  }
  for (int p = 1; p <= 8; ++p) {
    const std::vector<int> cells = p < 5 ? std::vector<int>{2, 3, 2} : std::vector<int>{2, 1, 2};
    check_volume<double>({.cells = cells, .order = p, .geometry = 2}, strategy::near_optimal_evaluation);
    check_volume<float>({.cells = cells, .order = p, .geometry = 2}, strategy::near_optimal_evaluation);
  }
  for (const strategy how : testing::all_strategies()) {
    check_volume<double>({.cells = {2, 3, 2}, .order = 2, .geometry = 2}, how);
    check_volume<double>({.cells = {5, 3}, .order = 3, .geometry = 3}, how);
  }
  check_volume<double>({.cells = {2, 2, 2}, .order = 1, .geometry = 2}, strategy::matrix_free);
}

TEST_CASE("element matrices are symmetric, positive definite and those of the definition", "[fem]") {
  for (const strategy how : testing::all_strategies())
    for (const int dim : {2, 3})
      for (const int p : {1, 2}) {
        check_matrices<double>({.cells = some_cells(dim), .order = p, .geometry = 2}, how);
        check_matrices<float>({.cells = some_cells(dim), .order = p, .geometry = 2}, how);
      }
  for (const strategy how : {strategy::full_assembly, strategy::near_optimal_evaluation}) {
    for (const basis_kind kind : {basis_kind::gauss_lobatto, basis_kind::gauss, basis_kind::bernstein})
      check_matrices<double>({.cells = {2, 1}, .order = 5, .geometry = 3, .kind = kind, .rho = varying}, how);
    check_matrices<double>({.cells = {1, 1, 1}, .order = 3, .geometry = 2, .points = {4, 5, 6}}, how);
  }
  for (const target t : cpu_targets())
    check_matrices<double>({.cells = {1, 2, 1}, .order = 3, .geometry = 1, .plans = {.on = t}},
                           strategy::near_optimal_evaluation);
}

TEST_CASE("element matrices on a cube are products of exact mass matrices", "[fem]") {
  // Integral of two Bernstein polynomials of order p: C(p,i) C(p,j) / C(2p,i+j) / (2p+1).
  const auto binomial = [](int n, int k) {
    double value = 1;
    for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
  };
  for (int p = 1; p <= 4; ++p) {
    const fem::mesh cube({2, 1, 4}, 1);
    fem::mass_operator<double> M(cube, p, {.kind = basis_kind::bernstein, .rho = 3.0});
    auto matrices = make_batch<double>(of_size(M.size(), M.size()), cube.elements());
    M.assemble(matrices);
    const auto exact = [&](int i, int j) {
      return binomial(p, i) * binomial(p, j) / binomial(2 * p, i + j) / (2 * p + 1);
    };
    const int d = p + 1;
    double worst = 0;
    for (index_t e = 0; e < cube.elements(); ++e)
      for (index_t j = 0; j < M.size(); ++j)
        for (index_t i = 0; i < M.size(); ++i) {
          double product = 3.0 / 8;
          index_t ii = i, jj = j;
          for (int a = 0; a < 3; ++a) {
            product *= exact(static_cast<int>(ii % d), static_cast<int>(jj % d));
            ii /= d;
            jj /= d;
          }
          worst = std::max(worst, std::abs(matrices(e)(i, j) - product) / product);
        }
    // All terms are positive: relative errors of a chain over q points and of a determinant of order 1.
    CHECK(worst <= gamma<double>(roundings(strategy::near_optimal_assembly, {p + 2, p + 2, p + 2}, d, 0, 0) +
                                 5 * determinant_roundings(3, 2) + 4 * 3 * d));
  }
}

TEST_CASE("results do not depend on threads, and operators work on batches, views and raw operands", "[fem]") {
  const fem::mesh domain({3, 3, 5}, 2, bubble(3, 0.1));
  for (const strategy how : testing::all_strategies()) {
    INFO(fem::name_of(how));
    fem::mass_operator<double> one(domain, 3, {.how = how, .plans = {{}, 1}});
    fem::mass_operator<double> two(domain, 3, {.how = how, .plans = {{}, 2}});
    auto x = make_batch<double>(of_size(4_c, 4_c, 4_c), domain.elements());
    const std::vector<double> values = seeded<double>(64 * domain.elements(), 11);
    std::copy(values.begin(), values.end(), x.begin());
    fem::field<double> y1 = one.vector();
    std::vector<double> y2(values.size());
    one.apply(x, y1);
    two.apply(x, view_batch(y2.data(), of_size(64), domain.elements()));
    CHECK(y1.host() == y2);
    // Elements apart from each other: a stride of one more entry.
    std::vector<double> apart(at(65 * domain.elements()), -7.0);
    one.apply(x, view_batch(apart.data(), of_size(4, 4, 4), domain.elements(), 65));
    bool equal = true;
    for (index_t e = 0; e < domain.elements(); ++e) {
      for (index_t i = 0; i < 64; ++i) equal = equal && apart[at(i + 65 * e)] == y2[at(i + 64 * e)];
      equal = equal && apart[at(64 + 65 * e)] == -7.0;
    }
    CHECK(equal);
  }
}

TEST_CASE("what a strategy stores is what was counted", "[fem]") {
  const fem::mesh domain({3, 2, 2}, 2);
  for (const strategy how : testing::all_strategies()) {
    INFO(fem::name_of(how));
    for (const fem::coefficient& rho : {fem::coefficient(2.0), varying}) {
      const fem::mass_operator<float> M(domain, 3, {.how = how, .points = {4, 5, 6}, .rho = rho});
      CHECK(double(M.stored_bytes()) == 4 * (12 * M.cost().stored + M.cost().stored_shared));
      CHECK_FALSE(M.describe().empty());
      CHECK_FALSE(M.describe_assembly().empty());
    }
  }
}
