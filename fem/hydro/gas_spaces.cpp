// SPDX-License-Identifier: BSD-3-Clause
// Tables, masses at points, and what a problem starts from.
#include <tessera/fem/hydro/gas_spaces.hpp>

#include <tessera/fem/basis.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <tessera/error.hpp>
#include <tessera/hydro/small_matrix.hpp>

#include "../dense_inverse.hpp"
#include "dimensions.hpp"
#include "energy_matrix.hpp"
#include "zone_loops.hpp"

namespace tessera::fem {

namespace {

using detail::power, detail::with_dim, detail::zone_loops;

gas_line_tables tables_of(const basis& functions, const quadrature_rule& rule) {
  auto made = tabulate(functions, rule);
  return {std::move(made.B), std::move(made.G)};
}

std::string text_of(const point& x, int dim) {
  std::string text = "(";
  for (int a = 0; a < dim; ++a) text += (a > 0 ? ", " : "") + std::to_string(x[std::size_t(a)]);
  return text + ")";
}

// Point i of a grid of `line` points a direction.
point grid_point(const std::vector<double>& line, index_t i, int dim) {
  point at{};
  for (int a = 0; a < dim; ++a, i /= index_t(line.size())) at[std::size_t(a)] = line[std::size_t(i) % line.size()];
  return at;
}

[[noreturn]] void refuse_gas(const std::string& why, status code = status::invalid_argument) {
  throw error("make_gas_spaces: " + why, code);
}

// Where the points of a rule are in zones at the start.
template <int dim>
class places {
 public:
  places(const gas_spaces& in, const quadrature_rule& rule)
      : in_(in),
        table_(tabulate(basis(basis_kind::gauss_lobatto, in.order), rule)),
        loops_(table_.q, table_.d, table_.B, table_.G),
        node_(std::size_t(loops_.functions())) {
    for (auto& each : at_) each.resize(std::size_t(loops_.points()));
  }
  index_t count() const { return loops_.points(); }
  void go_to(index_t zone) {
    for (std::size_t c = 0; c < dim; ++c) loops_.values(component(zone, c), at_[c].data());
  }
  point operator[](index_t k) const {
    point x{};
    for (std::size_t c = 0; c < dim; ++c) x[c] = at_[c][std::size_t(k)];
    return x;
  }
  // Of a zone, J[c + dim g] at its points.
  void jacobians(index_t zone, std::array<std::vector<double>, std::size_t(dim) * dim>& J) {
    for (std::size_t c = 0; c < dim; ++c) {
      std::array<double*, dim> slopes{};
      for (std::size_t g = 0; g < dim; ++g) slopes[g] = J[c + dim * g].data();
      loops_.gradients(component(zone, c), slopes);
    }
  }

 private:
  const double* component(index_t zone, std::size_t c) {
    for (index_t i = 0; i < in_.zone_nodes; ++i)
      node_[std::size_t(i)] = in_.nodes.coordinates[std::size_t(
          in_.nodes.number[std::size_t(i + in_.zone_nodes * zone)] + in_.nodes.count * index_t(c))];
    return node_.data();
  }
  const gas_spaces& in_;
  basis_tables table_;
  zone_loops<dim> loops_;
  std::vector<double> node_;
  std::array<std::vector<double>, dim> at_;
};

// A function of space as one of the energy's: interpolated at Gauss points of its order, as Bernstein coefficients.
template <int dim>
class interpolation {
 public:
  explicit interpolation(const gas_spaces& in)
      : line_(gauss(in.energy_order + 1)),
        table_(detail::inverse(tabulate(gas_energy_basis(in.energy_order), line_).B, in.energy_order + 1)),
        loops_(in.energy_order + 1, in.energy_order + 1, table_, table_),
        places_(in, line_),
        values_(std::size_t(loops_.points())) {}

  void coefficients(index_t zone, const gas_function& f, double* out) {
    places_.go_to(zone);
    for (index_t i = 0; i < loops_.points(); ++i) values_[std::size_t(i)] = f(zone, places_[i]);
    loops_.values(values_.data(), out);
  }

 private:
  quadrature_rule line_;
  std::vector<double> table_;
  zone_loops<dim> loops_;
  places<dim> places_;
  std::vector<double> values_;
};

double density_at(const gas_material& of, index_t zone, const point& x) {
  const double density = of.density(zone, x);
  if (!(density > 0))
    refuse_gas("the density in zone " + std::to_string(zone) + " is " + std::to_string(density) + ", not positive");
  return density;
}

// Inverse Jacobians of zones, `numbers` each: one a zone as long as zones have one for all their points.
class start_inverses {
 public:
  start_inverses(const gas_spaces& of, std::vector<double>& kept)
      : numbers_(std::size_t(of.dim) * std::size_t(of.dim)),
        points_(std::size_t(of.points)),
        zones_(std::size_t(of.zones)),
        rounding_(rounding_of_places(of)),
        kept_(kept) {
    kept_.resize(numbers_ * zones_);
  }
  // Of the zones in their order.
  void add(std::size_t zone, const std::vector<double>& of_points) {
    if (one_each_ && !is_one(of_points)) spread(zone);
    std::copy_n(of_points.begin(), numbers_ * (one_each_ ? 1 : points_), &kept_[size_of_a_zone() * zone]);
  }

 private:
  // A zone that started as a parallelepiped has one Jacobian, but for the rounding of its nodes' places.
  static double rounding_of_places(const gas_spaces& of) {
    double farthest = 0, slopes = 0;
    for (const double x : of.nodes.coordinates) farthest = std::max(farthest, std::abs(x));
    for (int k = 0; k < of.line_points; ++k) {
      double sum = 0;
      for (int i = 0; i <= of.order; ++i)
        sum += std::abs(of.velocity.G[std::size_t(k) + std::size_t(of.line_points) * std::size_t(i)]);
      slopes = std::max(slopes, sum);
    }
    return 8 * std::numeric_limits<double>::epsilon() * farthest * slopes;
  }
  bool is_one(const std::vector<double>& of_points) const {
    double most = 0;
    for (std::size_t i = 0; i < numbers_; ++i) most = std::max(most, std::abs(of_points[i]));
    const double off = std::max(1e-13, rounding_ * most) * most;
    for (std::size_t i = 0; i < of_points.size(); ++i)
      if (!(std::abs(of_points[i] - of_points[i % numbers_]) <= off)) return false;
    return true;
  }
  std::size_t size_of_a_zone() const { return numbers_ * (one_each_ ? 1 : points_); }
  // Those of zones before `end` become those of their points.
  void spread(std::size_t end) {
    std::vector<double> all(numbers_ * points_ * zones_);
    for (std::size_t i = 0; i < end * points_; ++i)
      std::copy_n(&kept_[numbers_ * (i / points_)], numbers_, &all[numbers_ * i]);
    kept_.swap(all);
    one_each_ = false;
  }

  std::size_t numbers_, points_, zones_;
  double rounding_;
  std::vector<double>& kept_;
  bool one_each_ = true;
};

template <int dim>
void set_masses(const gas_material& of, const quadrature_rule& rule, gas_spaces& made) {
  zone_loops<dim> energies(made.line_points, made.energy_order + 1, made.energy.B, made.energy.G);
  interpolation<dim> to_energies(made);
  places<dim> at_points(made, rule), middle(made, {.points = {0.5}, .weights = {1}});
  const std::size_t points = std::size_t(made.points), all = points * std::size_t(made.zones);
  made.mass.resize(all);
  made.exact_density.resize(all);
  start_inverses inverses(made, made.start_inverse);
  std::vector<double> of_points(points * dim * dim);
  std::vector<double> coefficients(std::size_t(made.energies)), density(points);
  std::array<std::vector<double>, std::size_t(dim) * dim> J;
  for (auto& each : J) each.resize(points);
  for (index_t z = 0; z < made.zones; ++z) {
    at_points.jacobians(z, J);
    at_points.go_to(z);
    to_energies.coefficients(z, of.density, coefficients.data());
    energies.values(coefficients.data(), density.data());
    for (std::size_t k = 0; k < points; ++k) {
      hydro::matrix<dim> jacobian;
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) jacobian[index_t(c)][g] = J[c + dim * g][k];
      const double det = hydro::determinant(jacobian);
      const point x = at_points[index_t(k)];
      if (!(det > 0))
        refuse_gas("zone " + std::to_string(z) + " is tangled at the start, near " + text_of(x, dim) +
                   ": corners of squares go counter-clockwise");
      const hydro::matrix<dim> inverse_of_it = hydro::scaled_adjugate(jacobian, 1 / det);
      const std::size_t at = k + points * std::size_t(z);
      for (std::size_t c = 0; c < dim; ++c)
        for (std::size_t g = 0; g < dim; ++g) of_points[c + dim * (g + dim * k)] = inverse_of_it[index_t(c)][g];
      const double volume = made.weights[k] * det;
      made.volume += volume;
      made.mass[at] = volume * density[k];
      made.exact_density[at] = volume * density_at(of, z, x);
    }
    inverses.add(std::size_t(z), of_points);
    middle.go_to(z);
    made.gamma.push_back(of.gamma(z, middle[0]));
  }
}

template <int dim>
void matrix_of(const gas_spaces& in, const double* D, double* M) {
  zone_loops<dim> loops(in.line_points, in.energy_order + 1, in.energy.B, in.energy.G);
  const std::size_t n = std::size_t(in.energies), points = std::size_t(in.points);
  std::vector<double> unit(n), at(points);
  for (std::size_t j = 0; j < n; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[j] = 1;
    loops.values(unit.data(), at.data());
    for (std::size_t k = 0; k < points; ++k) at[k] *= D[k];
    loops.sums(at.data(), M + n * j);
  }
}

void check_nodes(int dim, const gas_nodes& nodes, index_t zone_nodes) {
  if (nodes.number.empty() || index_t(nodes.number.size()) % zone_nodes != 0)
    refuse_gas(std::to_string(nodes.number.size()) + " numbers of nodes, no multiple of the " +
                   std::to_string(zone_nodes) + " of a zone",
               status::shape_mismatch);
  if (index_t(nodes.coordinates.size()) != nodes.count * dim)
    refuse_gas(std::to_string(nodes.coordinates.size()) + " coordinates of " + std::to_string(nodes.count) +
                   " nodes in " + std::to_string(dim) + " dimensions",
               status::shape_mismatch);
  for (std::size_t i = 0; i < nodes.number.size(); ++i)
    if (nodes.number[i] < 0 || nodes.number[i] >= nodes.count)
      refuse_gas("node " + std::to_string(i % std::size_t(zone_nodes)) + " of zone " +
                     std::to_string(i / std::size_t(zone_nodes)) + " has number " + std::to_string(nodes.number[i]) +
                     " of " + std::to_string(nodes.count),
                 status::shape_mismatch);
  std::vector<char> in_zones(std::size_t(nodes.count), 0);
  for (const std::int64_t each : nodes.number) in_zones[std::size_t(each)] = 1;
  for (index_t i = 0; i < nodes.count; ++i)
    if (in_zones[std::size_t(i)] == 0)
      refuse_gas("node " + std::to_string(i) + " is in no zone, so that it has no mass");
  for (const index_t wall : nodes.walls)
    if (wall < 0 || wall >= nodes.count * dim)
      refuse_gas("wall " + std::to_string(wall) + " is none of the " + std::to_string(nodes.count * dim) +
                     " components of nodes",
                 status::shape_mismatch);
}

}  // namespace

basis gas_energy_basis(int order) { return {order == 0 ? basis_kind::gauss : basis_kind::bernstein, order}; }

void detail::energy_matrix(const gas_spaces& in, const double* D, double* M) {
  with_dim(in.dim, [&](auto dim) { matrix_of<int(dim)>(in, D, M); });
}

restriction gas_spaces::unknowns(int components, bool with_walls) const {
  return restriction({.elements = zones,
                      .entries = zone_nodes,
                      .components = components,
                      .size = nodes.count * components,
                      .offsets64 = nodes.number.data(),
                      .component_stride = nodes.count,
                      .constrained = with_walls ? std::span<const index_t>(nodes.walls) : std::span<const index_t>()});
}

gas_spaces make_gas_spaces(int dim, const gas_nodes& nodes, const gas_material& material, const gas_orders& of) {
  if (dim < 1 || dim > 3) refuse_gas(std::to_string(dim) + " dimensions, not 1, 2 or 3");
  if (!material.density || !material.gamma) refuse_gas("no function for the density or for gamma");
  if (of.velocity < 1 || of.velocity > max_order || of.energy < 0 || of.energy > max_order)
    refuse_gas("the velocity has order 1 or more, the energy 0 or more, both at most " + std::to_string(max_order));
  const int rule_order = of.rule > 0 ? of.rule : std::max(3 * of.velocity + of.energy - 1, 2 * of.energy);
  const int functions = std::max(of.velocity, of.energy) + 1;
  if (rule_order / 2 + 1 < functions)
    refuse_gas("a rule of order " + std::to_string(rule_order) + " has " + std::to_string(rule_order / 2 + 1) +
               " points in a direction, and orders " + std::to_string(of.velocity) + " and " +
               std::to_string(of.energy) + " need " + std::to_string(functions));
  check_nodes(dim, nodes, power(of.velocity + 1, dim));
  gas_spaces made{.dim = dim, .order = of.velocity, .energy_order = of.energy, .nodes = nodes};
  made.line_points = rule_order / 2 + 1;
  made.zone_nodes = power(made.order + 1, dim);
  made.zones = index_t(nodes.number.size()) / made.zone_nodes;
  made.points = power(made.line_points, dim);
  made.energies = power(made.energy_order + 1, dim);
  const auto rule = gauss(made.line_points);
  made.velocity = tables_of({basis_kind::gauss_lobatto, made.order}, rule);
  made.energy = tables_of(gas_energy_basis(made.energy_order), rule);
  made.line_weights = rule.weights;
  for (index_t k = 0; k < made.points; ++k) {
    const point factors = grid_point(rule.weights, k, dim);
    double weight = 1;
    for (int a = 0; a < dim; ++a) weight *= factors[std::size_t(a)];
    made.weights.push_back(weight);
  }
  with_dim(dim, [&](auto d) { set_masses<int(d)>(material, rule, made); });
  made.length = std::pow(made.volume / double(made.zones), 1.0 / dim) / made.order;
  return made;
}

std::vector<double> energy_coefficients(const gas_spaces& in, const gas_function& f) {
  std::vector<double> made(std::size_t(in.thermodynamic()));
  with_dim(in.dim, [&](auto d) {
    interpolation<int(d)> to_energies(in);
    for (index_t z = 0; z < in.zones; ++z) to_energies.coefficients(z, f, &made[std::size_t(in.energies * z)]);
  });
  return made;
}

std::vector<double> energy_at_nodes(const gas_spaces& in, int order, const std::vector<double>& coefficients) {
  const auto table = tabulate(gas_energy_basis(in.energy_order), gauss_lobatto(order + 1));
  std::vector<double> made(std::size_t(power(order + 1, in.dim) * in.zones));
  with_dim(in.dim, [&](auto d) {
    zone_loops<int(d)> loops(order + 1, in.energy_order + 1, table.B, table.G);
    for (index_t z = 0; z < in.zones; ++z)
      loops.values(&coefficients[std::size_t(in.energies * z)], &made[std::size_t(loops.points() * z)]);
  });
  return made;
}

}  // namespace tessera::fem
