// SPDX-License-Identifier: BSD-3-Clause
// What happens at a quadrature point: density, pressure, artificial viscosity, stress, and the step that it allows.
#pragma once

#include <tessera/core/math.hpp>

#include "small_matrix.hpp"

namespace tessera::blast {

/// Of a gas and of the mesh at the start.
struct gas {
  double gamma = 1.4;
  double length = 1;  ///< of the zones at the start, per order
  int order = 2;      ///< of the velocity
  bool viscous = true;
  bool vorticity = false;
};

/// At one point. Derivatives are in the zone's own directions: [c][direction]. S is a number, or one for each of
/// several zones.
template <int dim, class S = double>
struct gas_at_point {
  matrix<dim, S> jacobian, velocity_gradient;
  matrix<dim, S> start_inverse;  ///< of the Jacobian at the start
  S energy;                      ///< internal, per mass
  S mass;                        ///< quadrature weight times density times det J, which stays
  S weight;                      ///< of the rule
};

template <int dim, class S = double>
struct force_at_point {
  matrix<dim, S> stress;  ///< w det J sigma J^-T: [c][direction]
  S rate;                 ///< 1 / time: CFL number / rate is the longest step; 1e300 where the zone is tangled
  S determinant;
};

/// The rate of a tangled zone: no step is short enough.
inline constexpr double tangled_rate = 1e300;

/// 0 below -tiny, 1 above tiny, smooth between.
template <class S>
constexpr S smooth_step(const S& x, double tiny) {
  const S y = (x + S(tiny)) / S(2 * tiny);
  return select(y < S(0.0), S(0.0), select(y > S(1.0), S(1.0), (S(3.0) - S(2.0) * y) * y * y));
}

/// How much of the linear viscosity there is where the flow turns: |div v| / |grad v|.
template <int dim, class S>
constexpr S compression_share(const matrix<dim, S>& gradient) {
  S divergence(0.0), square(0.0);
  for (int i = 0; i < dim; ++i) {
    divergence = divergence + gradient[i][i];
    for (int j = 0; j < dim; ++j) square = square + gradient[i][j] * gradient[i][j];
  }
  return select(square == S(0.0), S(1.0), tessera::abs(divergence) / tessera::sqrt(square));
}

/// docs/hydro.md has the formulas.
template <int dim, class S>
constexpr force_at_point<dim, S> force_of(const gas_at_point<dim, S>& at, const gas& is) {
  force_at_point<dim, S> made{};
  const S det = determinant(at.jacobian);
  const matrix<dim, S> inverted = inverse(at.jacobian, det);
  const S density = at.mass / (at.weight * det);
  const S energy = select(at.energy < S(0.0), S(0.0), at.energy);  // a NaN stays one
  const S pressure = S(is.gamma - 1) * density * energy;
  const S sound = tessera::sqrt(S(is.gamma * (is.gamma - 1)) * energy);
  matrix<dim, S> stress{};
  for (int i = 0; i < dim; ++i) stress[i][i] = -pressure;

  S viscosity(0.0);
  if (is.viscous) {
    const matrix<dim, S> gradient = product(at.velocity_gradient, inverted);
    matrix<dim, S> strain{};
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) strain[i][j] = S(0.5) * (gradient[i][j] + gradient[j][i]);
    const auto compressed = smallest_of(strain);
    // The length of the zone in that direction, which its shape has changed since the start.
    const matrix<dim, S> deformed = product(at.jacobian, at.start_inverse);
    S image(0.0), direction(0.0);
    for (int i = 0; i < dim; ++i) {
      S sum(0.0);
      for (int j = 0; j < dim; ++j) sum = sum + deformed[i][j] * compressed.direction[j];
      image = image + sum * sum;
      direction = direction + compressed.direction[i] * compressed.direction[i];
    }
    const S h = S(is.length) * tessera::sqrt(image / direction);
    constexpr double tiny = 1e-12;
    const S share = is.vorticity ? compression_share(gradient) : S(1.0);
    viscosity = S(2.0) * density * h * h * tessera::abs(compressed.value) +
                S(0.5) * density * h * sound * share * (S(1.0) - smooth_step(compressed.value - S(2 * tiny), tiny));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) stress[i][j] = stress[i][j] + viscosity * strain[i][j];
  }

  const S shortest = smallest_singular_value(at.jacobian) / S(double(is.order));
  const S rate = sound / shortest + S(2.5) * viscosity / (density * shortest * shortest);
  made.rate = select(det > S(0.0) && rate < S(tangled_rate), rate, S(tangled_rate));  // of no number, too
  made.determinant = det;
  for (int c = 0; c < dim; ++c)
    for (int g = 0; g < dim; ++g) {
      S sum(0.0);
      for (int m = 0; m < dim; ++m) sum = sum + stress[c][m] * inverted[g][m];
      made.stress[c][g] = at.weight * det * sum;
    }
  return made;
}

}  // namespace tessera::blast
