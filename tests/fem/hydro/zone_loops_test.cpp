// SPDX-License-Identifier: BSD-3-Clause
// Plain loops over a zone of a gas, and matrices of zones.
#include "fem/hydro/zone_loops.hpp"

#include <random>

#include "fem/hydro/zone_cholesky.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::fem::detail;

namespace {

// Functions of a zone of dim directions, and the same by one sum over all.
template <int dim>
void check_loops(int points, int functions) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> in(-1, 1);
  std::vector<double> B(std::size_t(points * functions)), G(B.size());
  for (auto* table : {&B, &G})
    for (double& each : *table) each = in(random);
  zone_loops<dim> loops(points, functions, B, G);
  const auto count = [](int base) {
    std::size_t made = 1;
    for (int a = 0; a < dim; ++a) made *= std::size_t(base);
    return made;
  };
  const std::size_t d = count(functions), q = count(points);
  REQUIRE(std::size_t(loops.functions()) == d);
  REQUIRE(std::size_t(loops.points()) == q);
  std::vector<double> u(d), values(q), back(d);
  for (double& each : u) each = in(random);
  std::array<std::vector<double>, dim> slopes;
  std::array<double*, dim> to{};
  std::array<const double*, dim> from{};
  for (std::size_t g = 0; g < dim; ++g) {
    slopes[g].resize(q);
    to[g] = slopes[g].data();
    from[g] = slopes[g].data();
  }
  // Function i at point k: a product over the directions, of the derivative in direction `slope`.
  const auto function = [&](std::size_t k, std::size_t i, int slope) {
    double made = 1;
    for (int a = 0; a < dim; ++a, k /= std::size_t(points), i /= std::size_t(functions))
      made *= (a == slope ? G : B)[k % std::size_t(points) + std::size_t(points) * (i % std::size_t(functions))];
    return made;
  };
  loops.values(u.data(), values.data());
  loops.gradients(u.data(), to);
  for (std::size_t k = 0; k < q; ++k)
    for (int slope = -1; slope < dim; ++slope) {
      double sum = 0;
      for (std::size_t i = 0; i < d; ++i) sum += function(k, i, slope) * u[i];
      CHECK(std::abs(sum - (slope < 0 ? values : slopes[std::size_t(std::max(slope, 0))])[k]) < 1e-13);
    }
  loops.sums(values.data(), back.data());
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < q; ++k) sum += function(k, i, -1) * values[k];
    CHECK(std::abs(sum - back[i]) < 1e-12);
  }
  loops.gradient_sums(from, back.data());
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < q; ++k)
      for (int slope = 0; slope < dim; ++slope) sum += function(k, i, slope) * slopes[std::size_t(slope)][k];
    CHECK(std::abs(sum - back[i]) < 1e-12);
  }
}

}  // namespace

TEST_CASE("functions of a zone at points, and sums over them", "[hydro]") {
  for (const auto& [points, functions] : {std::pair{2, 2}, {4, 3}, {3, 1}, {2, 4}}) {
    INFO(points << " points, " << functions << " functions");
    check_loops<1>(points, functions);
    check_loops<2>(points, functions);
    check_loops<3>(points, functions);
  }
}

TEST_CASE("factors of symmetric positive definite matrices", "[hydro]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> in(-1, 1);
  for (const std::size_t n : {1u, 2u, 7u, 33u, 128u}) {
    std::vector<double> R(n * n), A(n * n), x(n), b(n);
    for (double& each : R) each = in(random);
    for (double& each : x) each = in(random);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) A[i + n * j] += R[k + n * i] * R[k + n * j] / double(n);
        if (i == j) A[i + n * j] += 0.1;
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) b[i] += A[i + n * j] * x[j];
    factor(A, index_t(n));
    solve(A, index_t(n), b.data());
    for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(b[i] - x[i]) < 1e-12);
  }
  std::vector<double> indefinite{1, 2, 2, 1};
  CHECK_THROWS(factor(indefinite, 2));
}
