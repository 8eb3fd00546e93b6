// SPDX-License-Identifier: BSD-3-Clause
// What happens at a quadrature point: density, pressure, artificial viscosity, stress, and the step that it allows.
#pragma once

#include <tessera/core/math.hpp>
#include <tessera/hydro/small_matrix.hpp>

namespace tessera::hydro {

/// What is the same for all zones.
struct gas_rules {
  double length = 1;       ///< of the zones at the start, per order
  int order = 2;           ///< of the velocity
  bool viscous = true;     ///< artificial viscosity
  bool vorticity = false;  ///< its linear part is reduced where the flow turns more than it is compressed
};

/// At one point. Derivatives are in the zone's own directions: [c][direction]. S is a number, or one for each of
/// several zones.
template <int dim, class S = double>
struct gas_at_point {
  matrix<dim, S> jacobian, velocity_gradient;
  matrix<dim, S> start_inverse;  ///< of the Jacobian at the start
  S energy;                      ///< internal, per mass
  S mass;                        ///< density times det J, which stays
  S weight;                      ///< of the rule
  S gamma;                       ///< of the zone's material
};

template <int dim, class S = double>
struct force_at_point {
  matrix<dim, S> stress;  ///< w det J sigma J^-T: [c][direction]
  S rate;                 ///< 1 / time: CFL number / rate is the longest step; 1e300 where the zone is tangled
  S determinant;
};

/// Forces of a zone on its nodes below this are rounding, and count as 0.
inline constexpr double smallest_force = 4.9e-32;
/// The rate of a tangled zone: no step is short enough.
inline constexpr double tangled_rate = 1e300;

/// 0 below -tiny, 1 above tiny, smooth between.
template <class S>
constexpr S smooth_step(const S& x, double tiny) {
  const S y = (x + S(tiny)) * S(0.5 / tiny);
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
constexpr force_at_point<dim, S> force_of(const gas_at_point<dim, S>& at, const gas_rules& by) {
  force_at_point<dim, S> made{};
  const S det = determinant(at.jacobian);
  const S inverse_det = S(1.0) / det;
  const matrix<dim, S> inverted = scaled_adjugate(at.jacobian, inverse_det);
  const S density = at.mass * inverse_det;
  const S energy = select(at.energy < S(0.0), S(0.0), at.energy);  // a NaN stays one
  const S pressure = (at.gamma - S(1.0)) * density * energy;
  const S sound = tessera::sqrt(at.gamma * (at.gamma - S(1.0)) * energy);
  matrix<dim, S> stress{};
  for (int i = 0; i < dim; ++i) stress[i][i] = -pressure;

  S viscosity(0.0);  // over density
  if (by.viscous) {
    const matrix<dim, S> gradient = product(at.velocity_gradient, inverted);
    matrix<dim, S> strain{};
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) strain[i][j] = S(0.5) * (gradient[i][j] + gradient[j][i]);
    const auto compressed = smallest_of(strain);
    // The length of the zone in that direction, which its shape has changed since the start.
    S image(0.0), direction(0.0);
    for (int i = 0; i < dim; ++i) direction = direction + compressed.direction[i] * compressed.direction[i];
    S at_start[dim];
    for (int i = 0; i < dim; ++i) {
      at_start[i] = S(0.0);
      for (int j = 0; j < dim; ++j) at_start[i] = at_start[i] + at.start_inverse[i][j] * compressed.direction[j];
    }
    for (int i = 0; i < dim; ++i) {
      S sum(0.0);
      for (int j = 0; j < dim; ++j) sum = sum + at.jacobian[i][j] * at_start[j];
      image = image + sum * sum;
    }
    const S h = S(by.length) * tessera::sqrt(image / direction);
    constexpr double tiny = 1e-12;
    const S share = by.vorticity ? compression_share(gradient) : S(1.0);
    viscosity = h * (S(2.0) * h * tessera::abs(compressed.value) +
                     S(0.5) * sound * share * (S(1.0) - smooth_step(compressed.value - S(2 * tiny), tiny)));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) stress[i][j] = stress[i][j] + density * viscosity * strain[i][j];
  }

  const S per_length = S(double(by.order)) * inverse_of_smallest_singular_value(at.jacobian);
  const S rate = (sound + S(2.5) * viscosity * per_length) * per_length;
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

namespace detail {

template <class S>
constexpr S cosine(const S& x) {
  if constexpr (tessera::detail::lanes<S>) {
    constexpr int count = int(sizeof(S) / sizeof(double));
    alignas(S) double each[count];
    x.store_aligned(each);
    for (int i = 0; i < count; ++i) each[i] = __builtin_cos(each[i]);
    return S::load_aligned(each);
  } else if constexpr (requires { __builtin_cos(x); }) {
    return __builtin_cos(x);
  } else {
    return cos(x);
  }
}

}  // namespace detail

/// Power per volume that keeps the Taylor-Green vortex steady in 2-D.
template <class S>
constexpr S taylor_green_source(const S& x, const S& y) {
  constexpr double pi = 3.14159265358979323846;
  const S a = detail::cosine(S(pi) * x), b = detail::cosine(S(pi) * y);
  // cos 3a = (4 cos^2 a - 3) cos a
  return S(3 * pi / 2) * a * b * (a * a - b * b);
}

}  // namespace tessera::hydro
