// SPDX-License-Identifier: BSD-3-Clause
// What happens at a quadrature point: density, pressure, artificial viscosity, stress, and the step that it allows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera::blast {

template <int dim>
using matrix = std::array<std::array<double, dim>, dim>;

/// Of a gas and of the mesh at the start.
struct gas {
  double gamma = 1.4;
  double length = 1;  ///< of the zones at the start, per order
  int order = 2;      ///< of the velocity
  bool viscous = true;
  bool vorticity = false;
};

/// At one point. Derivatives are in the zone's own directions: [c][direction].
template <int dim>
struct gas_at_point {
  matrix<dim> jacobian, velocity_gradient;
  matrix<dim> start_inverse;  ///< of the Jacobian at the start
  double energy;              ///< internal, per mass
  double mass;                ///< quadrature weight times density times det J, which stays
  double weight;              ///< of the rule
};

template <int dim>
struct force_at_point {
  matrix<dim> stress;  ///< w det J sigma J^-T: [c][direction]
  double rate;         ///< 1 / time: CFL number / rate is the longest step; infinite where the zone is tangled
  double determinant;
};

inline double determinant(const matrix<1>& A) { return A[0][0]; }
inline double determinant(const matrix<2>& A) { return A[0][0] * A[1][1] - A[0][1] * A[1][0]; }
inline double determinant(const matrix<3>& A) {
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

inline matrix<1> inverse(const matrix<1>&, double det) { return {{{1 / det}}}; }
inline matrix<2> inverse(const matrix<2>& A, double det) {
  return {{{A[1][1] / det, -A[0][1] / det}, {-A[1][0] / det, A[0][0] / det}}};
}
inline matrix<3> inverse(const matrix<3>& A, double det) {
  matrix<3> B{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      B[i][j] = (A[a][c] * A[b][d] - A[a][d] * A[b][c]) / det;
    }
  return B;
}

template <int dim>
struct smallest_eigenvalue {
  double value;
  std::array<double, dim> direction;
};

inline smallest_eigenvalue<1> smallest_of(const matrix<1>& S) { return {S[0][0], {1}}; }

/// Of a symmetric matrix. Where both are equal: the first direction.
inline smallest_eigenvalue<2> smallest_of(const matrix<2>& S) {
  double c = 1, s = 0, t = 0;
  if (S[0][1] != 0) {
    const double zeta = (S[1][1] - S[0][0]) / (2 * S[0][1]);
    t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
    c = 1 / std::sqrt(1 + t * t);
    s = c * t;
  }
  const double first = S[0][0] - t * S[0][1], second = S[1][1] + t * S[0][1];
  if (first <= second) return {first, {c, -s}};
  return {second, {s, c}};
}

/// By Jacobi's rotations, until what is beside the diagonal is 0 to rounding.
inline smallest_eigenvalue<3> smallest_of(matrix<3> S) {
  matrix<3> V{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 8; ++sweep) {
    const double beside = std::abs(S[0][1]) + std::abs(S[0][2]) + std::abs(S[1][2]);
    if (beside <= std::numeric_limits<double>::min()) break;
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (S[p][q] == 0) continue;
        const double zeta = (S[q][q] - S[p][p]) / (2 * S[p][q]);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t), s = c * t;
        const std::size_t r = 3 - p - q;
        const double rp = S[r][p], rq = S[r][q];
        S[p][p] -= t * S[p][q];
        S[q][q] += t * S[p][q];
        S[p][q] = S[q][p] = 0;
        S[r][p] = S[p][r] = c * rp - s * rq;
        S[r][q] = S[q][r] = s * rp + c * rq;
        for (auto& row : V) {
          const double vp = row[p], vq = row[q];
          row[p] = c * vp - s * vq;
          row[q] = s * vp + c * vq;
        }
      }
  }
  std::size_t i = S[1][1] < S[0][0] ? 1 : 0;
  if (S[2][2] < S[i][i]) i = 2;
  return {S[i][i], {V[0][i], V[1][i], V[2][i]}};
}

inline double smallest_singular_value(const matrix<1>& J) { return J[0][0]; }
inline double smallest_singular_value(const matrix<2>& J) {
  const double first = J[0][0] * J[0][0] + J[1][0] * J[1][0], second = J[0][1] * J[0][1] + J[1][1] * J[1][1];
  const double t = (first - second) / 2, q = J[0][0] * J[0][1] + J[1][0] * J[1][1];
  return std::abs(determinant(J)) / std::sqrt((first + second) / 2 + std::sqrt(t * t + q * q));
}
inline double smallest_singular_value(const matrix<3>& J) {
  matrix<3> square{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) square[i][j] = J[0][i] * J[0][j] + J[1][i] * J[1][j] + J[2][i] * J[2][j];
  return std::sqrt(std::max(smallest_of(square).value, 0.0));
}

/// 0 below -tiny, 1 above tiny, smooth between.
inline double smooth_step(double x, double tiny) {
  const double y = (x + tiny) / (2 * tiny);
  if (y < 0) return 0;
  return y > 1 ? 1 : (3 - 2 * y) * y * y;
}

template <int dim>
double length(const std::array<double, dim>& v) {
  double sum = 0;
  for (const double each : v) sum += each * each;
  return std::sqrt(sum);
}

template <int dim>
matrix<dim> product(const matrix<dim>& A, const matrix<dim>& B) {
  matrix<dim> C{};
  for (std::size_t i = 0; i < dim; ++i)
    for (std::size_t k = 0; k < dim; ++k)
      for (std::size_t j = 0; j < dim; ++j) C[i][j] += A[i][k] * B[k][j];
  return C;
}

/// How much of the linear viscosity there is where the flow turns: |div v| / |grad v|.
template <int dim>
double compression_share(const matrix<dim>& gradient) {
  double divergence = 0, square = 0;
  for (std::size_t i = 0; i < dim; ++i) {
    divergence += gradient[i][i];
    for (std::size_t j = 0; j < dim; ++j) square += gradient[i][j] * gradient[i][j];
  }
  return square == 0 ? 1 : std::abs(divergence) / std::sqrt(square);
}

/// docs/hydro.md has the formulas.
template <int dim>
force_at_point<dim> force_of(const gas_at_point<dim>& at, const gas& is) {
  force_at_point<dim> made{};
  const double det = determinant(at.jacobian);
  const matrix<dim> inverted = inverse(at.jacobian, det);
  const double density = at.mass / (at.weight * det), energy = at.energy < 0 ? 0 : at.energy;
  const double pressure = (is.gamma - 1) * density * energy;
  const double sound = std::sqrt(is.gamma * (is.gamma - 1) * energy);
  matrix<dim> stress{};
  for (std::size_t i = 0; i < dim; ++i) stress[i][i] = -pressure;

  double viscosity = 0;
  if (is.viscous) {
    const matrix<dim> gradient = product<dim>(at.velocity_gradient, inverted);
    matrix<dim> strain{};
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) strain[i][j] = 0.5 * (gradient[i][j] + gradient[j][i]);
    const auto compressed = smallest_of(strain);
    // The length of the zone in that direction, which its shape has changed since the start.
    const matrix<dim> deformed = product<dim>(at.jacobian, at.start_inverse);
    std::array<double, dim> image{};
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) image[i] += deformed[i][j] * compressed.direction[j];
    const double h = is.length * length<dim>(image) / length<dim>(compressed.direction);
    constexpr double tiny = 1e-12;
    const double share = is.vorticity ? compression_share<dim>(gradient) : 1;
    viscosity = 2 * density * h * h * std::abs(compressed.value) +
                0.5 * density * h * sound * share * (1 - smooth_step(compressed.value - 2 * tiny, tiny));
    for (std::size_t i = 0; i < dim; ++i)
      for (std::size_t j = 0; j < dim; ++j) stress[i][j] += viscosity * strain[i][j];
  }

  const double shortest = smallest_singular_value(at.jacobian) / is.order;
  made.rate = sound / shortest + 2.5 * viscosity / (density * shortest * shortest);
  if (!(det > 0) || std::isnan(made.rate)) made.rate = std::numeric_limits<double>::infinity();
  made.determinant = det;
  for (std::size_t c = 0; c < dim; ++c)
    for (std::size_t g = 0; g < dim; ++g)
      for (std::size_t m = 0; m < dim; ++m) made.stress[c][g] += at.weight * det * stress[c][m] * inverted[g][m];
  return made;
}

}  // namespace tessera::blast
