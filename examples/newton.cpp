// SPDX-License-Identifier: BSD-3-Clause
// A nonlinear problem by Newton's method, its residual and Jacobian being functions of this program: newton [ORDER
// [CELLS]].
#include <tessera/core/math.hpp>
#include <tessera/cpu/element/own_function.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/point_fields.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using tessera::index_t;

// A soap film on a square frame under pressure: -div(grad u / sqrt(1 + |grad u|^2)) = pressure, u = 0 on the frame.

// snippet functions
// The numbers of a point: w det J, J^-1 by rows, and for the Jacobian the gradient of the state u0.
constexpr int of_geometry = 5, of_jacobian = of_geometry + 2;

// g: of a gradient in the element's directions that in space.
template <class S, int factors>
constexpr void to_space(const S (&D)[factors], const S (&g)[2], S (&in_space)[2]) {
  for (int i = 0; i < 2; ++i) in_space[i] = D[1 + i] * g[0] + D[3 + i] * g[1];
}
// Gives a flux in space to the test functions.
template <class S, int factors>
constexpr void give(const S (&D)[factors], const S (&flux)[2], S (&gradient)[2]) {
  for (int a = 0; a < 2; ++a) gradient[a] = D[0] * (D[1 + 2 * a] * flux[0] + D[2 + 2 * a] * flux[1]);
}

// The residual's part of u: not linear in it.
struct film {
  static constexpr int dim = 2, factors = of_geometry;
  static constexpr tessera::point_shape trial{.gradient = true}, test{.gradient = true};
  template <class S>
  constexpr void operator()(const tessera::at_point<S, 1, 2>& u, const S (&D)[factors],
                            tessera::at_point<S, 1, 2>& v) const {
    S g[2];
    to_space(D, u.gradient[0], g);
    const S s = S(1.0) / tessera::sqrt(S(1.0) + g[0] * g[0] + g[1] * g[1]);
    const S flux[2] = {s * g[0], s * g[1]};
    give(D, flux, v.gradient[0]);
  }
};

// Its derivative at the state u0 in the direction of du: linear in du.
struct film_jacobian {
  static constexpr int dim = 2, factors = of_jacobian;
  static constexpr tessera::point_shape trial{.gradient = true}, test{.gradient = true}, state{.gradient = true};
  template <class S>
  constexpr void operator()(const tessera::at_point<S, 1, 2>& du, const S (&D)[factors],
                            tessera::at_point<S, 1, 2>& v) const {
    const auto u0 = tessera::field_in<dim, state, of_geometry>(D);
    S g0[2], g[2];
    to_space(D, u0.gradient[0], g0);
    to_space(D, du.gradient[0], g);
    const S s = S(1.0) / tessera::sqrt(S(1.0) + g0[0] * g0[0] + g0[1] * g0[1]);
    const S along = s * s * (g0[0] * g[0] + g0[1] * g[1]);
    const S flux[2] = {s * (g[0] - along * g0[0]), s * (g[1] - along * g0[1])};
    give(D, flux, v.gradient[0]);
  }
};
// end snippet

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// du = A^-1 r by conjugate gradients.
std::vector<double> solve(const tessera::fem::global_operator<double>& A, std::vector<double> r) {
  std::vector<double> du(r.size()), p(r), q(r.size());
  double rr = dot(r, r);
  for (const double enough = 1e-26 * rr; rr > enough;) {
    A.apply(p.data(), q.data());
    const double alpha = rr / dot(p, q);
    for (std::size_t i = 0; i < r.size(); ++i) {
      du[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(r, r);
    for (std::size_t i = 0; i < r.size(); ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  return du;
}

// Factor f of point k of element e at [f + of_jacobian (k + points e)], on squares of side h.
std::vector<double> geometry_at_points(index_t elements, int q, double h) {
  const std::vector<double> w = tessera::fem::gauss(q).weights;
  std::vector<double> D(std::size_t(of_jacobian * q * q * elements));
  double* to = D.data();
  for (index_t e = 0; e < elements; ++e)
    for (int k = 0; k < q * q; ++k, to += of_jacobian) {
      to[0] = w[std::size_t(k % q)] * w[std::size_t(k / q)] * h * h;
      to[1] = to[4] = 1 / h;
    }
  return D;
}

// The first `factors` of each point.
std::vector<double> first_factors(const std::vector<double>& D, int factors) {
  std::vector<double> first;
  for (std::size_t i = 0; i < D.size(); i += of_jacobian)
    first.insert(first.end(), D.begin() + std::ptrdiff_t(i), D.begin() + std::ptrdiff_t(i) + factors);
  return first;
}

// The sizes of the residuals of Newton's steps.
std::vector<double> residuals(int order, int cells, double pressure) {
  namespace fem = tessera::fem;
  const index_t side = index_t(order) * cells + 1;
  std::vector<index_t> frame;
  for (index_t i = 0; i < side * side; ++i)
    if (i % side == 0 || i % side == side - 1 || i / side == 0 || i / side == side - 1) frame.push_back(i);
  const auto unknowns =
      tessera::restriction::box({.dim = 2, .cells = {cells, cells}, .order = order, .constrained = frame});
  const int q = order + 2;
  const fem::element_operator_options options{.trial = {.order = order}, .points = q};

  // snippet operators
  std::vector<double> D = geometry_at_points(unknowns.elements(), q, 1.0 / cells);
  const fem::global_operator<double> R(tessera::own_function<double>(film{}, "film"),
                                       first_factors(D, of_geometry).data(), unknowns, unknowns, options);
  fem::global_operator<double> J(tessera::own_function<double>(film_jacobian{}, "film, Jacobian"), D.data(), unknowns,
                                 unknowns, options);
  const fem::point_fields<double> state(2, film_jacobian::state, options);
  // end snippet

  // The load: the mass operator applied to the pressure.
  const auto all = tessera::restriction::box({.dim = 2, .cells = {cells, cells}, .order = order});
  const fem::global_operator<double> mass(2, first_factors(D, 1).data(), all, options);
  const std::vector<double> pressures(std::size_t(side * side), pressure);
  std::vector<double> b(pressures.size()), u(b), r(b), sizes;
  mass.apply(pressures.data(), b.data());
  for (const index_t i : frame) b[std::size_t(i)] = 0;

  for (int step = 0; step < 12; ++step) {
    R.apply(u.data(), r.data());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    sizes.push_back(std::sqrt(dot(r, r)));
    std::printf("step %d: residual %.2e\n", step, sizes.back());
    if (sizes.back() <= 1e-13 * sizes.front()) break;
    // snippet step
    state.evaluate(unknowns, u.data(), {.D = D.data(), .factors = of_jacobian, .first = of_geometry});
    J.set_data(D.data());
    const std::vector<double> du = solve(J, r);
    // end snippet
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += du[i];
  }
  return sizes;
}

// Whether each residual is about the square of the one before, from some step on, until rounding is reached.
bool converges_quadratically(const std::vector<double>& sizes) {
  const double first = sizes.front();
  int squares = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const double before = sizes[i - 1] / first, now = sizes[i] / first;
    if (before < 0.1 && now <= 10 * before * before) ++squares;
  }
  return squares >= 2 && sizes.back() <= 1e-12 * first;
}

}  // namespace

int main(int argc, char** argv) {
  const int order = argc > 1 ? std::atoi(argv[1]) : 3, cells = argc > 2 ? std::atoi(argv[2]) : 8;
  if (order < 1 || order > 16 || cells < 2) {
    std::fprintf(stderr, "usage: newton [ORDER [CELLS]], ORDER in 1..16, CELLS from 2\n");
    return 2;
  }
  try {
    return converges_quadratically(residuals(order, cells, 2.0)) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "newton: %s\n", e.what());
    return 2;
  }
}
