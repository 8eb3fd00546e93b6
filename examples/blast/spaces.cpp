// SPDX-License-Identifier: BSD-3-Clause
// Tables, masses at points, and what a problem starts from.
#include "spaces.hpp"

#include <tessera/fem/basis.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dimensions.hpp"
#include "zone_loops.hpp"

namespace tessera::blast {

namespace {

line_tables tables_of(const fem::basis& functions, const fem::quadrature_rule& rule) {
  auto made = fem::tabulate(functions, rule);
  return {functions.size(), std::move(made.B), std::move(made.G)};
}

// The inverse of the values of n functions at n points, column-major: Gauss-Jordan with pivots.
std::vector<double> inverted(std::vector<double> A, int n) {
  const auto at = [n](int i, int j) { return std::size_t(i + n * j); };
  std::vector<double> B(A.size());
  for (int i = 0; i < n; ++i) B[at(i, i)] = 1;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[at(i, k)]) > std::abs(A[at(pivot, k)])) pivot = i;
    for (int j = 0; j < n; ++j) {
      std::swap(A[at(k, j)], A[at(pivot, j)]);
      std::swap(B[at(k, j)], B[at(pivot, j)]);
    }
    const double scale = 1 / A[at(k, k)];
    for (int j = 0; j < n; ++j) {
      A[at(k, j)] *= scale;
      B[at(k, j)] *= scale;
    }
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[at(i, k)];
      for (int j = 0; j < n; ++j) {
        A[at(i, j)] -= factor * A[at(k, j)];
        B[at(i, j)] -= factor * B[at(k, j)];
      }
    }
  }
  return B;
}

// The place of a point of a zone that is the multilinear image of the unit cube.
vec placed(const zone_mesh& mesh, index_t zone, const vec& at) {
  vec x{};
  for (int c = 0; c < mesh.zone_corners(); ++c) {
    double share = 1;
    for (int a = 0; a < mesh.dim; ++a) share *= (c >> a & 1) != 0 ? at[std::size_t(a)] : 1 - at[std::size_t(a)];
    const auto& corner = mesh.vertices[std::size_t(mesh.corner(zone, c))];
    for (std::size_t a = 0; a < 3; ++a) x[a] += share * corner[a];
  }
  return x;
}

std::string text_of(const vec& x, int dim) {
  std::string text = "(";
  for (int a = 0; a < dim; ++a) text += (a > 0 ? ", " : "") + std::to_string(x[std::size_t(a)]);
  return text + ")";
}

// Point i of a grid of `line` points a direction.
vec grid_point(const std::vector<double>& line, index_t i, int dim) {
  vec at{};
  for (int a = 0; a < dim; ++a, i /= index_t(line.size())) at[std::size_t(a)] = line[std::size_t(i) % line.size()];
  return at;
}

// A function of space as one of the energy's: interpolated at Gauss points of its order, as Bernstein coefficients.
template <int dim>
class interpolation {
 public:
  explicit interpolation(int order)
      : line_(fem::gauss(order + 1)),
        table_(inverted(fem::tabulate(energy_basis(order), line_).B, order + 1)),
        loops_(order + 1, order + 1, table_, table_),
        values_(std::size_t(loops_.points())) {}

  template <class F>
  void coefficients(const zone_mesh& mesh, index_t zone, const F& f, double* out) {
    for (index_t i = 0; i < loops_.points(); ++i)
      values_[std::size_t(i)] = f(placed(mesh, zone, grid_point(line_.points, i, dim)));
    loops_.values(values_.data(), out);
  }

 private:
  fem::quadrature_rule line_;
  std::vector<double> table_;
  zone_loops<dim> loops_;
  std::vector<double> values_;
};

template <int dim>
void set_masses(const zone_mesh& mesh, const problem& which, const fem::quadrature_rule& rule, spaces& made) {
  zone_loops<dim> nodes(made.line_points, made.order + 1, made.velocity.B, made.velocity.G);
  zone_loops<dim> energies(made.line_points, made.energy_order + 1, made.energy.B, made.energy.G);
  interpolation<dim> to_energies(made.energy_order);
  const std::size_t points = std::size_t(made.points), all = points * std::size_t(made.zones);
  made.mass.resize(all);
  made.exact_density.resize(all);
  made.start_inverse.resize(all * dim * dim);
  std::vector<double> x(std::size_t(made.nodes.zone_nodes)), coefficients(std::size_t(made.energies)), density(points);
  std::array<std::vector<double>, std::size_t(dim) * dim> J;
  for (auto& each : J) each.resize(points);
  for (index_t z = 0; z < made.zones; ++z) {
    for (std::size_t c = 0; c < dim; ++c) {
      for (index_t i = 0; i < made.nodes.zone_nodes; ++i)
        x[std::size_t(i)] = made.nodes.coordinates[std::size_t(
            made.nodes.number[std::size_t(i + made.nodes.zone_nodes * z)] + made.nodes.count * index_t(c))];
      std::array<double*, dim> slopes{};
      for (std::size_t g = 0; g < dim; ++g) slopes[g] = J[c + dim * g].data();
      nodes.gradients(x.data(), slopes);
    }
    to_energies.coefficients(
        mesh, z, [&](const vec& at) { return which.density(at, dim); }, coefficients.data());
    energies.values(coefficients.data(), density.data());
    for (std::size_t k = 0; k < points; ++k) {
      matrix<dim> jacobian;
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) jacobian[c][g] = J[c + dim * g][k];
      const double det = determinant(jacobian);
      if (!(det > 0))
        throw std::runtime_error("zone " + std::to_string(z) + " of the refined mesh is tangled at the start, near " +
                                 text_of(placed(mesh, z, grid_point(rule.points, index_t(k), dim)), dim) +
                                 ": corners of squares go counter-clockwise");
      const matrix<dim> inverse_of_it = inverse(jacobian, det);
      const std::size_t at = k + points * std::size_t(z);
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) made.start_inverse[c + dim * g + dim * dim * at] = inverse_of_it[c][g];
      const double volume = made.weights[k] * det;
      made.volume += volume;
      made.mass[at] = volume * density[k];
      made.exact_density[at] = volume * which.density(placed(mesh, z, grid_point(rule.points, index_t(k), dim)), dim);
    }
    made.gamma.push_back(which.gamma(placed(mesh, z, {0.5, 0.5, 0.5}), dim));
  }
}

template <int dim>
void set_energies(const zone_mesh& mesh, const spaces& in, const problem& which, double* e) {
  interpolation<dim> to_energies(in.energy_order);
  for (index_t z = 0; z < in.zones; ++z)
    to_energies.coefficients(
        mesh, z, [&](const vec& at) { return which.energy(at, dim); }, e + in.energies * z);
}

template <int dim>
std::vector<double> matrix_of(const spaces& in, const double* D) {
  zone_loops<dim> loops(in.line_points, in.energy_order + 1, in.energy.B, in.energy.G);
  const std::size_t n = std::size_t(in.energies), points = std::size_t(in.points);
  std::vector<double> M(n * n), unit(n), at(points);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    loops.values(unit.data(), at.data());
    for (std::size_t k = 0; k < points; ++k) at[k] *= D[k];
    loops.sums(at.data(), &M[n * j]);
  }
  return M;
}

// All energy in the Bernstein function of the corner at the origin, of each zone that has it. The density is 1 there.
void release_at_origin(const zone_mesh& mesh, const spaces& in, double released, double* e) {
  double integral = 0;
  std::vector<index_t> first;
  for (index_t z = 0; z < in.zones; ++z)
    for (int c = 0; c < mesh.zone_corners(); ++c) {
      const auto& x = mesh.vertices[std::size_t(mesh.corner(z, c))];
      if (std::hypot(x[0], x[1], x[2]) > 1e-12) continue;
      index_t number = 0, stride = 1;
      for (int a = 0; a < in.dim; ++a, stride *= in.energy_order + 1)
        if ((c >> a & 1) != 0) number += stride * in.energy_order;
      first.push_back(number + in.energies * z);
      for (index_t k = 0; k < in.points; ++k) {
        double value = in.exact_density[std::size_t(k + in.points * z)];
        index_t rest = k;
        for (int a = 0; a < in.dim; ++a, rest /= in.line_points) {
          const index_t function = (c >> a & 1) != 0 ? in.energy_order : 0;
          value *= in.energy.B[std::size_t(rest % in.line_points + in.line_points * function)];
        }
        integral += value;
      }
    }
  if (first.empty()) throw std::runtime_error("the mesh has no vertex at the origin, where the energy is released");
  for (const index_t number : first) e[number] = released / integral;
}

}  // namespace

fem::basis energy_basis(int order) { return {order == 0 ? fem::basis_kind::gauss : fem::basis_kind::bernstein, order}; }

std::vector<double> energy_matrix(const spaces& in, const double* D) {
  return with_dim(in.dim, [&](auto dim) { return matrix_of<int(dim)>(in, D); });
}

spaces make_spaces(const zone_mesh& mesh, const problem& which, const orders& of) {
  if (of.velocity < 1 || of.energy < 0) throw std::runtime_error("the velocity has order 1 or more, the energy 0");
  const int rule_order = of.rule > 0 ? of.rule : std::max(3 * of.velocity + of.energy - 1, 2 * of.energy);
  const int functions = std::max(of.velocity, of.energy) + 1;
  if (rule_order / 2 + 1 < functions)
    throw std::runtime_error("a rule of order " + std::to_string(rule_order) + " has " +
                             std::to_string(rule_order / 2 + 1) + " points in a direction, and orders " +
                             std::to_string(of.velocity) + " and " + std::to_string(of.energy) + " need " +
                             std::to_string(functions));
  spaces made{.dim = mesh.dim, .order = of.velocity, .energy_order = of.energy};
  made.line_points = rule_order / 2 + 1;
  made.zones = mesh.zones();
  made.points = power(made.line_points, made.dim);
  made.energies = power(made.energy_order + 1, made.dim);
  made.nodes = number_nodes(mesh, made.order);
  const auto rule = fem::gauss(made.line_points);
  made.velocity = tables_of({fem::basis_kind::gauss_lobatto, made.order}, rule);
  made.energy = tables_of(energy_basis(made.energy_order), rule);
  for (index_t k = 0; k < made.points; ++k) {
    const vec factors = grid_point(rule.weights, k, made.dim);
    double weight = 1;
    for (int a = 0; a < made.dim; ++a) weight *= factors[std::size_t(a)];
    made.weights.push_back(weight);
  }
  with_dim(made.dim, [&](auto dim) { set_masses<int(dim)>(mesh, which, rule, made); });
  made.length = std::pow(made.volume / double(made.zones), 1.0 / made.dim) / made.order;
  return made;
}

std::vector<double> initial_state(const zone_mesh& mesh, const spaces& in, const problem& which, double released) {
  std::vector<double> state(std::size_t(in.state_size()));
  std::copy(in.nodes.coordinates.begin(), in.nodes.coordinates.end(), state.begin());
  double* v = state.data() + in.kinematic();
  for (index_t i = 0; i < in.nodes.count; ++i) {
    vec x{};
    for (int a = 0; a < in.dim; ++a) x[std::size_t(a)] = in.nodes.coordinates[std::size_t(i + in.nodes.count * a)];
    const vec at = which.velocity(x, in.dim);
    for (int a = 0; a < in.dim; ++a) v[i + in.nodes.count * a] = at[std::size_t(a)];
  }
  for (const index_t wall : in.nodes.walls) v[wall] = 0;
  double* e = v + in.kinematic();
  if (which.energy == nullptr) release_at_origin(mesh, in, released, e);
  if (which.energy != nullptr) with_dim(in.dim, [&](auto dim) { set_energies<int(dim)>(mesh, in, which, e); });
  return state;
}

}  // namespace tessera::blast
