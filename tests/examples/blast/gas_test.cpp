// SPDX-License-Identifier: BSD-3-Clause
// The point function of blast, loops over a zone, matrices of zones, and exact solutions.
#include <tessera/fem/basis.hpp>

#include <cmath>
#include <random>

#include "cholesky.hpp"
#include "exact.hpp"
#include "gas_point.hpp"
#include "testing/catch.hpp"
#include "zone_loops.hpp"

using namespace tessera;
using namespace tessera::blast;

namespace {

template <int dim>
matrix<dim> drawn(std::mt19937& random, double scale = 1) {
  std::uniform_real_distribution<double> in(-scale, scale);
  matrix<dim> made;
  for (auto& row : made.row)
    for (double& each : row) each = in(random);
  return made;
}

template <std::size_t dim>
double length(const double (&v)[dim]) {
  double sum = 0;
  for (const double each : v) sum += each * each;
  return std::sqrt(sum);
}

template <int dim>
matrix<dim> transposed(const matrix<dim>& A) {
  matrix<dim> made;
  for (std::size_t i = 0; i < dim; ++i)
    for (std::size_t j = 0; j < dim; ++j) made[i][j] = A[j][i];
  return made;
}

// A rotation in the plane of two directions.
template <int dim>
matrix<dim> rotation(double angle) {
  matrix<dim> made{};
  for (std::size_t i = 0; i < dim; ++i) made[i][i] = 1;
  made[0][0] = made[1][1] = std::cos(angle);
  made[0][1] = -std::sin(angle);
  made[1][0] = std::sin(angle);
  return made;
}

template <int dim>
double largest_difference(const matrix<dim>& A, const matrix<dim>& B) {
  double most = 0;
  for (std::size_t i = 0; i < dim; ++i)
    for (std::size_t j = 0; j < dim; ++j) most = std::max(most, std::abs(A[i][j] - B[i][j]));
  return most;
}

template <int dim>
void check_eigenvalues(std::mt19937& random) {
  for (int draw = 0; draw < 200; ++draw) {
    matrix<dim> S = drawn<dim>(random);
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < i; ++j) S[i][j] = S[j][i];
    auto found = smallest_of(S);
    const double scale = length(found.direction);
    REQUIRE(scale > 0);
    for (double& each : found.direction) each /= scale;
    for (std::size_t i = 0; i < dim; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < dim; ++j) sum += S[i][j] * found.direction[j];
      CHECK(std::abs(sum - found.value * found.direction[i]) < 1e-13);
    }
    // It is the smallest: S less a little less of it is positive definite.
    std::vector<double> A;
    for (std::size_t j = 0; j < dim; ++j)
      for (std::size_t i = 0; i < dim; ++i) A.push_back(S[i][j] - (i == j ? found.value - 1e-13 : 0));
    CHECK_NOTHROW(factor(A, dim));

    const matrix<dim> J = drawn<dim>(random);
    const matrix<dim> identity = product(J, inverse(J, determinant(J)));
    double condition = 0;
    for (const auto& row : inverse(J, determinant(J)).row) condition = std::max(condition, length(row));
    CHECK(largest_difference<dim>(identity, rotation<dim>(0)) < 1e-14 * (1 + condition));
    // The shortest image of a unit vector: not longer than that of any drawn one, and one over the norm of the inverse.
    const double least = smallest_singular_value(J);
    const double most = 1 / least, of_inverse = condition;
    CHECK(most >= of_inverse * (1 - 1e-6));
    CHECK(most <= of_inverse * std::sqrt(double(dim)) * (1 + 1e-6));
    for (int k = 0; k < 20; ++k) {
      const matrix<dim> directions = drawn<dim>(random), images = product(J, directions);
      CHECK(least <= length(transposed(images).row[0]) / length(transposed(directions).row[0]) * (1 + 1e-9) + 1e-9);
    }
  }
}

// Turned coordinates turn the stress and change no rate.
template <int dim>
void check_turned(std::mt19937& random) {
  const gas is{.gamma = 1.4, .length = 0.1, .order = 2, .viscous = true, .vorticity = true};
  for (int draw = 0; draw < 50; ++draw) {
    gas_at_point<dim> at{.jacobian = drawn<dim>(random, 0.2),
                         .velocity_gradient = drawn<dim>(random),
                         .start_inverse = rotation<dim>(0),
                         .energy = 2,
                         .mass = 0.3,
                         .weight = 0.25};
    for (std::size_t i = 0; i < dim; ++i) at.jacobian[i][i] += 1;
    const auto before = force_of(at, is);
    const matrix<dim> turn = rotation<dim>(0.1 + draw);
    gas_at_point<dim> turned = at;
    turned.jacobian = product(turn, at.jacobian);
    turned.velocity_gradient = product(turn, at.velocity_gradient);
    turned.start_inverse = transposed(turn);
    const auto after = force_of(turned, is);
    CHECK(std::abs(after.rate - before.rate) < 1e-11 * before.rate);
    CHECK(std::abs(after.determinant - before.determinant) < 1e-13);
    CHECK(largest_difference<dim>(after.stress, product(turn, before.stress)) < 1e-12);
  }
}

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

TEST_CASE("blast: smallest eigenvalues and singular values, inverses", "[blast]") {
  std::mt19937 random(3);
  check_eigenvalues<2>(random);
  check_eigenvalues<3>(random);
  // Ties: the first direction where all are equal, else one in the plane of the two.
  const auto first = [](const auto& found) { return found.direction[0] == 1 && found.direction[1] == 0; };
  CHECK(first(smallest_of(matrix<2>{})));
  CHECK(first(smallest_of(matrix<3>{})));
  CHECK(first(smallest_of(matrix<3>{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}})));
  CHECK(smallest_of(matrix<2>{{{2, 0}, {0, 1}}}).direction[0] == 0);
  for (const double apart : {0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3}) {
    // Eigenvalues 1 and 1 + apart, and 4 or -2, turned.
    for (const double other : {4.0, -2.0}) {
      const matrix<3> turn =
          product(rotation<3>(0.7), product(matrix<3>{{{1, 0, 0}, {0, 0.6, -0.8}, {0, 0.8, 0.6}}}, rotation<3>(0.3)));
      const matrix<3> S =
          product(turn, product(matrix<3>{{{1 + apart, 0, 0}, {0, 1, 0}, {0, 0, other}}}, transposed(turn)));
      INFO("two eigenvalues " << apart << " apart, the third is " << other);
      const auto found = smallest_of(S);
      CHECK(std::abs(found.value - std::min(other, 1.0)) < 4e-15);
      const double scale = length(found.direction);
      for (int i = 0; i < 3; ++i) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) sum += S[i][j] * found.direction[j];
        CHECK(std::abs(sum - found.value * found.direction[i]) < 4e-15 * scale);
      }
    }
  }
  CHECK(std::abs(smallest_singular_value(matrix<3>{{{2, 0, 0}, {0, 0, -3}, {0, 0.5, 0}}}) - 0.5) < 1e-15);
}

TEST_CASE("blast: turned coordinates turn the stress and change no rate", "[blast]") {
  std::mt19937 random(5);
  check_turned<2>(random);
  check_turned<3>(random);
}

TEST_CASE("blast: pressure, viscosity and the step of one point", "[blast]") {
  // A zone of length 0.5 with mass 0.2 in its weight of 1: density 0.4, energy 3, velocity gradient -2 in it.
  const gas_at_point<1> at{.jacobian = {{{0.5}}},
                           .velocity_gradient = {{{-1}}},
                           .start_inverse = {{{1 / 0.8}}},
                           .energy = 3,
                           .mass = 0.2,
                           .weight = 1};
  gas is{.gamma = 1.5, .length = 0.3, .order = 2, .viscous = false, .vorticity = false};
  const double sound = std::sqrt(1.5 * 0.5 * 3), shortest = 0.25;
  CHECK(std::abs(force_of(at, is).stress[0][0] + 0.5 * 0.4 * 3) < 1e-15);
  CHECK(std::abs(force_of(at, is).rate - sound / shortest) < 1e-13);
  is.viscous = true;
  const double h = 0.3 * 0.5 / 0.8, viscosity = 2 * 0.4 * h * h * 2 + 0.5 * 0.4 * h * sound;
  CHECK(std::abs(force_of(at, is).stress[0][0] - (-0.6 - 2 * viscosity)) < 1e-15);
  CHECK(std::abs(force_of(at, is).rate - (sound / shortest + 2.5 * viscosity / (0.4 * shortest * shortest))) < 1e-12);
  // In expansion only the quadratic part is left; energy below 0 counts as none; a tangled zone allows no step.
  gas_at_point<1> other = at;
  other.velocity_gradient = {{{1}}};
  CHECK(std::abs(force_of(other, is).stress[0][0] - (-0.6 + 2 * 2 * 0.4 * h * h * 2)) < 1e-15);
  other.energy = -1;
  CHECK(std::abs(force_of(other, is).stress[0][0] - 2 * 2 * 0.4 * h * h * 2) < 1e-15);
  other.jacobian = {{{-0.1}}};
  CHECK(force_of(other, is).rate == tangled_rate);
  other.jacobian = {{{std::nan("")}}};
  CHECK(force_of(other, is).rate == tangled_rate);
  CHECK(smooth_step(-2e-12, 1e-12) == 0);
  CHECK(smooth_step(0.0, 1e-12) == 0.5);
  CHECK(smooth_step(2e-12, 1e-12) == 1);
}

TEST_CASE("blast: functions of a zone at points, and sums over them", "[blast]") {
  for (const auto& [points, functions] : {std::pair{2, 2}, {4, 3}, {3, 1}, {2, 4}}) {
    INFO(points << " points, " << functions << " functions");
    check_loops<1>(points, functions);
    check_loops<2>(points, functions);
    check_loops<3>(points, functions);
  }
}

TEST_CASE("blast: factors of symmetric positive definite matrices", "[blast]") {
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

TEST_CASE("blast: exact solutions", "[blast]") {
  // Masses are those of the start; the constants of Sedov's wave for gamma 1.4 are known to as many digits.
  const double alpha[] = {1.07748558, 0.98407402, 0.85107185};
  const auto rule = fem::gauss(20);
  for (const int dim : {1, 2, 3}) {
    const sedov_wave wave(dim, 1.4, 1);
    CHECK(std::abs(wave.alpha() - alpha[dim - 1]) < 1e-8);
    const double end = wave.shock_radius(0.5);
    double mass = 0;
    constexpr int pieces = 400;
    for (int piece = 0; piece < pieces; ++piece)
      for (std::size_t k = 0; k < rule.points.size(); ++k) {
        const double r = end * (piece + rule.points[k]) / pieces;
        mass += end / pieces * rule.weights[k] * dim * std::pow(r, dim - 1) * wave.density(r, 0.5);
      }
    CHECK(std::abs(mass - std::pow(end, dim)) < 1e-9);
    CHECK(std::abs(wave.density(end * (1 - 1e-12), 0.5) - 6) < 1e-9);
    CHECK(wave.density(end * 1.0001, 0.5) == 1);
  }
  double mass = 0;
  constexpr int pieces = 100000;
  for (int i = 0; i < pieces; ++i) mass += sod_density_at((i + 0.5) / pieces, 0.2) / pieces;
  CHECK(std::abs(mass - 0.55) < 1e-5);
  CHECK(sod_density_at(0.01, 0.2) == 1);
  CHECK(sod_density_at(0.99, 0.2) == 0.1);
}
