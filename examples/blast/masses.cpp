// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients over all components at once, each with numbers of its own, and factors of the zones.
#include "masses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "cholesky.hpp"

namespace tessera::blast {

namespace {

// Sums go by blocks of fixed size, so that they are the same bits for any number of threads.
double dot(index_t n, const double* a, const double* b) {
  constexpr index_t block = 4096;
  const index_t blocks = (n + block - 1) / block;
  std::vector<double> sums(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(static) if (blocks > 4)
  for (index_t k = 0; k < blocks; ++k) {
    double sum = 0;
    for (index_t i = k * block; i < std::min(n, (k + 1) * block); ++i) sum += a[i] * b[i];
    sums[std::size_t(k)] = sum;
  }
  double sum = 0;
  for (const double each : sums) sum += each;
  return sum;
}

struct outcome {
  long iterations = 0;
  bool solved = true;
};

// A x = b from x = 0, for `components` systems of n numbers each, which A applies at once. Each ends on its own, when
// r.z has fallen by the square of the tolerance; z = r / diagonal, or r without one. r holds b, then the residual. (The
// library's solver has one system, and ends by the norm of r; the digits of the reference code need this end.)
struct vectors {
  index_t n;
  int components;
  double *r, *x, *p, *z, *Ap;
};
outcome solve_at_once(const std::function<void(const double*, double*)>& A, const double* diagonal,
                      const solver_options& options, const vectors& of) {
  const auto precondition = [&](int c) {
    const double* r = of.r + of.n * c;
    double* z = of.z + of.n * c;
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < of.n; ++i) z[i] = diagonal == nullptr ? r[i] : r[i] / diagonal[i];
  };
  std::array<double, 3> product{}, limit{};
  std::array<bool, 3> done{};
  outcome made;
  std::fill(of.x, of.x + of.n * of.components, 0.0);
  for (int c = 0; c < of.components; ++c) {
    const std::size_t s = std::size_t(c);
    precondition(c);
    std::copy(of.z + of.n * c, of.z + of.n * (c + 1), of.p + of.n * c);
    product[s] = dot(of.n, of.r + of.n * c, of.z + of.n * c);
    limit[s] = product[s] * options.tolerance * options.tolerance;
    done[s] = !(product[s] > limit[s]);
    if (std::isnan(product[s])) made.solved = false;
  }
  for (int iteration = 1;; ++iteration) {
    if (std::all_of(done.begin(), done.begin() + of.components, [](bool is) { return is; })) return made;
    A(of.p, of.Ap);
    for (int c = 0; c < of.components; ++c) {
      const std::size_t s = std::size_t(c);
      if (done[s]) continue;
      ++made.iterations;
      double *r = of.r + of.n * c, *x = of.x + of.n * c, *p = of.p + of.n * c, *z = of.z + of.n * c;
      const double* Ap = of.Ap + of.n * c;
      const double alpha = product[s] / dot(of.n, p, Ap);
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < of.n; ++i) {
        x[i] += alpha * p[i];
        r[i] -= alpha * Ap[i];
      }
      precondition(c);
      const double next = dot(of.n, r, z), beta = next / product[s];
      done[s] = !(next > limit[s]) || iteration == options.most_iterations;
      if (!(next <= limit[s]) && done[s]) made.solved = false;
      product[s] = next;
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < of.n; ++i) p[i] = done[s] ? 0 : z[i] + beta * p[i];
    }
  }
}

restriction numbers_of(const spaces& in, int components, bool with_walls) {
  return restriction(
      {.elements = in.zones,
       .entries = in.nodes.zone_nodes,
       .components = components,
       .size = in.nodes.count * components,
       .offsets64 = in.nodes.number.data(),
       .component_stride = in.nodes.count,
       .constrained = with_walls ? std::span<const index_t>(in.nodes.walls) : std::span<const index_t>()});
}

fem::element_operator_options mass_options(const spaces& in, const fem::function_space& functions, int components) {
  return {.kind = operator_kind::mass, .trial = functions, .components = components, .points = in.line_points};
}
fem::function_space velocity_functions(const spaces& in) { return {fem::basis_kind::gauss_lobatto, in.order}; }
fem::function_space energy_functions(const spaces& in) {
  return {energy_basis(in.energy_order).kind(), in.energy_order};
}

}  // namespace

masses::masses(const spaces& in, const solver_options& options)
    : in_(in),
      options_(options),
      numbers_(numbers_of(in, in.dim, true)),
      velocity_(in.dim, in.exact_density.data(), numbers_, mass_options(in, velocity_functions(in), in.dim)),
      node_masses_(std::size_t(in.nodes.count)),
      diagonal_(std::size_t(in.nodes.count)),
      p_(std::size_t(std::max(in.kinematic(), in.thermodynamic()))),
      z_(p_.size()),
      Ap_(p_.size()),
      energy_(in.dim, in.zones, in.exact_density.data(), mass_options(in, energy_functions(in), 1)) {
  const restriction free = numbers_of(in, 1, false);
  const fem::global_operator<double> scalar(in.dim, in.exact_density.data(), free,
                                            mass_options(in, velocity_functions(in), 1));
  const std::vector<double> ones(node_masses_.size(), 1.0);
  scalar.apply(ones.data(), node_masses_.data());
  scalar.diagonal(diagonal_.data());
  if (options.energy != energy_solver::cholesky) return;
  factors_.resize(std::size_t(in.zones));
#pragma omp parallel for schedule(static)
  for (index_t z = 0; z < in.zones; ++z) {
    factors_[std::size_t(z)] = energy_matrix(in, &in.exact_density[std::size_t(in.points * z)]);
    factor(factors_[std::size_t(z)], in.energies);
  }
}

void masses::solve_velocity(double* b, double* a) {
  for (const index_t wall : in_.nodes.walls) b[wall] = 0;
  const auto apply = [&](const double* x, double* y) {
    velocity_.apply({.x = x, .y = y, .rows = constrained_rows::zero});
  };
  const outcome found = solve_at_once(
      apply, diagonal_.data(), options_,
      {.n = in_.nodes.count, .components = in_.dim, .r = b, .x = a, .p = p_.data(), .z = z_.data(), .Ap = Ap_.data()});
  velocity_iterations_ += found.iterations;
  failures_ += found.solved ? 0 : 1;
}

void masses::solve_energy(double* r, double* de) {
  if (options_.energy == energy_solver::cholesky) {
    std::copy(r, r + in_.thermodynamic(), de);
#pragma omp parallel for schedule(static)
    for (index_t z = 0; z < in_.zones; ++z) solve(factors_[std::size_t(z)], in_.energies, de + in_.energies * z);
    return;
  }
  const outcome found = solve_at_once(
      [&](const double* x, double* y) { energy_.apply(x, y); }, nullptr, options_,
      {.n = in_.thermodynamic(), .components = 1, .r = r, .x = de, .p = p_.data(), .z = z_.data(), .Ap = Ap_.data()});
  failures_ += found.solved ? 0 : 1;
}

}  // namespace tessera::blast
