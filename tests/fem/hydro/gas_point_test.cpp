// SPDX-License-Identifier: BSD-3-Clause
// What happens at a point of a gas, and the small matrices there.
#include <tessera/hydro/gas_point.hpp>
#include <tessera/solver/batched_cholesky.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::hydro;

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

// A rotation in the plane of two directions; in 1-D the identity.
template <int dim>
matrix<dim> rotation(double angle) {
  matrix<dim> made{};
  for (std::size_t i = 0; i < dim; ++i) made[i][i] = 1;
  if constexpr (dim > 1) {
    made[0][0] = made[1][1] = std::cos(angle);
    made[0][1] = -std::sin(angle);
    made[1][0] = std::sin(angle);
  }
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
matrix<dim> inverse(const matrix<dim>& A) {
  return scaled_adjugate(A, 1 / determinant(A));
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
    CHECK_NOTHROW(batched_cholesky<double>(dim, 1, A.data()));

    const matrix<dim> J = drawn<dim>(random);
    const matrix<dim> identity = product(J, inverse(J));
    double condition = 0;
    for (const auto& row : inverse(J).row) condition = std::max(condition, length(row));
    CHECK(largest_difference<dim>(identity, rotation<dim>(0)) < 1e-14 * (1 + condition));
    // The shortest image of a unit vector: not longer than that of any drawn one, and one over the norm of the inverse.
    const double least = 1 / inverse_of_smallest_singular_value(J);
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
  const gas_rules by{.length = 0.1, .order = 2, .viscous = true, .vorticity = true};
  for (int draw = 0; draw < 50; ++draw) {
    gas_at_point<dim> at{.jacobian = drawn<dim>(random, 0.2),
                         .velocity_gradient = drawn<dim>(random),
                         .start_inverse = rotation<dim>(0),
                         .energy = 2,
                         .mass = 1.2,
                         .weight = 0.25,
                         .gamma = 1.4};
    for (std::size_t i = 0; i < dim; ++i) at.jacobian[i][i] += 1;
    const auto before = force_of(at, by);
    const matrix<dim> turn = rotation<dim>(0.1 + draw);
    gas_at_point<dim> turned = at;
    turned.jacobian = product(turn, at.jacobian);
    turned.velocity_gradient = product(turn, at.velocity_gradient);
    turned.start_inverse = transposed(turn);
    const auto after = force_of(turned, by);
    CHECK(std::abs(after.rate - before.rate) < 1e-11 * before.rate);
    CHECK(std::abs(after.determinant - before.determinant) < 1e-13);
    CHECK(largest_difference<dim>(after.stress, product(turn, before.stress)) < 1e-12);
  }
}

}  // namespace

TEST_CASE("smallest eigenvalues and singular values, inverses", "[hydro]") {
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
  CHECK(std::abs(inverse_of_smallest_singular_value(matrix<3>{{{2, 0, 0}, {0, 0, -3}, {0, 0.5, 0}}}) - 2) < 4e-15);
}

TEST_CASE("turned coordinates turn the stress and change no rate", "[hydro]") {
  std::mt19937 random(5);
  check_turned<2>(random);
  check_turned<3>(random);
}

TEST_CASE("pressure, viscosity and the step of one point", "[hydro]") {
  // A zone of length 0.5 with mass 0.2: density 0.4, energy 3, velocity gradient -2 in it.
  const gas_at_point<1> at{.jacobian = {{{0.5}}},
                           .velocity_gradient = {{{-1}}},
                           .start_inverse = {{{1 / 0.8}}},
                           .energy = 3,
                           .mass = 0.2,
                           .weight = 1,
                           .gamma = 1.5};
  gas_rules by{.length = 0.3, .order = 2, .viscous = false, .vorticity = false};
  const double sound = std::sqrt(1.5 * 0.5 * 3), shortest = 0.25;
  CHECK(std::abs(force_of(at, by).stress[0][0] + 0.5 * 0.4 * 3) < 1e-15);
  CHECK(std::abs(force_of(at, by).rate - sound / shortest) < 1e-13);
  by.viscous = true;
  const double h = 0.3 * 0.5 / 0.8, viscosity = 2 * 0.4 * h * h * 2 + 0.5 * 0.4 * h * sound;
  CHECK(std::abs(force_of(at, by).stress[0][0] - (-0.6 - 2 * viscosity)) < 1e-15);
  CHECK(std::abs(force_of(at, by).rate - (sound / shortest + 2.5 * viscosity / (0.4 * shortest * shortest))) < 1e-12);
  // In expansion only the quadratic part is left; energy below 0 counts as none; a tangled zone allows no step.
  gas_at_point<1> other = at;
  other.velocity_gradient = {{{1}}};
  CHECK(std::abs(force_of(other, by).stress[0][0] - (-0.6 + 2 * 2 * 0.4 * h * h * 2)) < 1e-15);
  other.energy = -1;
  CHECK(std::abs(force_of(other, by).stress[0][0] - 2 * 2 * 0.4 * h * h * 2) < 1e-15);
  other.jacobian = {{{-0.1}}};
  CHECK(force_of(other, by).rate == tangled_rate);
  other.jacobian = {{{std::nan("")}}};
  CHECK(force_of(other, by).rate == tangled_rate);
  CHECK(smooth_step(-2e-12, 1e-12) == 0);
  CHECK(smooth_step(0.0, 1e-12) == 0.5);
  CHECK(smooth_step(2e-12, 1e-12) == 1);
}

namespace {

// A zone of edges 0.5, 0.8 and 0.4, along x from 0.8 at the start, compressed by 2 along x, stretched across, and
// turned.
template <int dim>
void check_viscosity() {
  const double edges[] = {0.5, 0.8, 0.4}, strains[] = {-2, 1, 0.25}, spin = 3;
  gas_at_point<dim> at{.jacobian = {},
                       .velocity_gradient = {},
                       .start_inverse = {},
                       .energy = 3,
                       .mass = 0.2,
                       .weight = 0.25,
                       .gamma = 1.5};
  double det = 1, divergence = 0, squares = 2 * spin * spin, shortest = 1;
  for (int i = 0; i < dim; ++i) {
    at.jacobian[i][i] = edges[i];
    at.start_inverse[i][i] = i == 0 ? 1 / 0.8 : 1 / edges[i];
    at.velocity_gradient[i][i] = strains[i] * edges[i];
    det *= edges[i];
    divergence += strains[i];
    squares += strains[i] * strains[i];
    shortest = std::min(shortest, edges[i] / 2);  // of order 2
  }
  at.velocity_gradient[0][1] = spin * edges[1];
  at.velocity_gradient[1][0] = -spin * edges[0];
  for (const bool vorticity : {false, true}) {
    const double density = 0.2 / det, sound = std::sqrt(1.5 * 0.5 * 3), h = 0.3 * 0.5 / 0.8;
    const double share = vorticity ? std::abs(divergence) / std::sqrt(squares) : 1;
    const double viscosity = 2 * h * h * 2 + 0.5 * h * sound * share;  // over density
    const auto found = force_of(at, gas_rules{.length = 0.3, .order = 2, .viscous = true, .vorticity = vorticity});
    for (int c = 0; c < dim; ++c)
      for (int g = 0; g < dim; ++g) {
        const double sigma = c == g ? -0.5 * density * 3 + density * viscosity * strains[c] : 0;
        CHECK(std::abs(found.stress[c][g] - 0.25 * det * sigma / edges[g]) < 1e-15);
      }
    const double rate = sound / shortest + 2.5 * viscosity / (shortest * shortest);
    CHECK(std::abs(found.rate - rate) < 1e-13 * rate);
    CHECK(std::abs(found.determinant - det) < 1e-15);
  }
}

}  // namespace

TEST_CASE("pressure, viscosity and the step of a point that is compressed along x", "[hydro]") {
  check_viscosity<2>();
  check_viscosity<3>();
}

namespace {

// A gas that is all but at rest, as it is far from a blast: nothing overflows or underflows to no number.
template <int dim>
void check_nearly_at_rest(std::mt19937& random) {
  const gas_rules by{.length = 0.1, .order = 2, .viscous = true, .vorticity = true};
  for (int exponent = 0; exponent <= 320; ++exponent) {
    gas_at_point<dim> at{.jacobian = rotation<dim>(0.3),
                         .velocity_gradient = drawn<dim>(random, std::pow(10.0, -exponent)),
                         .start_inverse = rotation<dim>(0),
                         .energy = 2,
                         .mass = 1,
                         .weight = 0.25,
                         .gamma = 1.4};
    INFO("velocities of 10^-" << exponent);
    const auto moving = force_of(at, by);
    CHECK(moving.rate < 1e3);
    if (exponent < 16) continue;
    at.velocity_gradient = {};
    const auto resting = force_of(at, by);
    CHECK(std::abs(moving.rate - resting.rate) < 0.2 * resting.rate);  // a little linear viscosity, or none
    CHECK(largest_difference<dim>(moving.stress, resting.stress) < 1e-14);
  }
}

}  // namespace

TEST_CASE("a gas that is all but at rest has forces", "[hydro]") {
  std::mt19937 random(17);
  check_nearly_at_rest<1>(random);
  check_nearly_at_rest<2>(random);
  check_nearly_at_rest<3>(random);
}

TEST_CASE("the separated root of the eigenvalues' equation", "[hydro]") {
  for (int i = 0; i <= 1000; ++i) {
    const double r = i / 1000.0, x = separated_root(r);
    CHECK(std::abs(x - std::cos(std::acos(r) / 3)) < 3e-16);
  }
}

TEST_CASE("the source of the Taylor-Green vortex", "[hydro]") {
  const double pi = std::acos(-1.0);
  for (const auto& [x, y] : {std::pair{0.1, 0.3}, {0.7, 0.2}, {0.5, 0.9}}) {
    const double expected =
        3 * pi / 8 * (std::cos(3 * pi * x) * std::cos(pi * y) - std::cos(pi * x) * std::cos(3 * pi * y));
    CHECK(std::abs(taylor_green_source(x, y) - expected) < 1e-14);
  }
}
