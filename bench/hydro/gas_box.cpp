// SPDX-License-Identifier: BSD-3-Clause
// Places, numbers and walls of the box; smooth fields of the state.
#include "hydro/gas_box.hpp"

#include <cmath>

#include "definition/dense_element.hpp"

namespace tessera::bench {

namespace {

constexpr double pi = 3.14159265358979323846;

// The box bent inside; walls stay planes.
fem::point bent_place(const fem::point& x, int dim, double size) {
  const double bump = size * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]) * std::cos(2 * pi * x[2]);
  fem::point to{x[0] + bump, x[1] - bump, 0};
  if (dim == 3) to[2] = x[2] + bump * std::sin(pi * x[2]);
  return to;
}

// It turns and is compressed here and there; across a wall it is 0.
double velocity_at(const fem::point& x, int dim, int c) {
  const std::size_t own = std::size_t(c), next = std::size_t((c + 1) % dim);
  return std::sin(pi * x[own]) * (std::cos(pi * x[next]) - 0.3);
}

fem::point place_of_node(const gas_sizes& s, const fem::basis& line, index_t node) {
  fem::point x{};
  const index_t lines = s.order * s.cells + 1;
  for (int a = 0; a < s.dim; ++a, node /= lines) {
    const index_t i = node % lines, inside = i % s.order;
    x[std::size_t(a)] = (double(i / s.order) + line.nodes()[std::size_t(inside)]) / double(s.cells);
  }
  return x;
}

}  // namespace

gas_box make_gas_box(const gas_sizes& s) {
  const restriction numbering =
      restriction::box({.dim = s.dim, .cells = {s.cells, s.cells, s.cells}, .order = s.order, .components = s.dim});
  const fem::basis line(fem::basis_kind::gauss_lobatto, s.order);
  fem::gas_nodes nodes{.count = s.nodes()};
  nodes.number.resize(std::size_t(s.zones() * s.zone_nodes()));
  for (index_t z = 0; z < s.zones(); ++z)
    for (index_t i = 0; i < s.zone_nodes(); ++i)
      nodes.number[std::size_t(i + s.zone_nodes() * z)] = numbering.offset(i, z);
  nodes.coordinates.resize(std::size_t(s.kinematic()));
  std::vector<double> state(std::size_t(2 * s.kinematic()));
  for (index_t i = 0; i < s.nodes(); ++i) {
    const fem::point straight = place_of_node(s, line, i);
    const fem::point start = s.bent_start ? bent_place(straight, s.dim, 0.02) : straight;
    const fem::point now = bent_place(straight, s.dim, 0.04);
    for (int c = 0; c < s.dim; ++c) {
      const index_t k = i + s.nodes() * c;
      nodes.coordinates[std::size_t(k)] = start[std::size_t(c)];
      state[std::size_t(k)] = now[std::size_t(c)];
      state[std::size_t(k + s.kinematic())] = velocity_at(straight, s.dim, c);
    }
  }
  for (int c = 0; c < s.dim; ++c)
    for (index_t i = 0; i < s.nodes(); ++i) {
      const double x = place_of_node(s, line, i)[std::size_t(c)];
      if (x == 0 || x == 1) nodes.walls.push_back(i + s.nodes() * c);
    }
  gas_box made{
      .in = fem::make_gas_spaces(s.dim, nodes,
                                 {.density = [](index_t, const fem::point& x) { return 2 + std::sin(3 * x[0] + x[1]); },
                                  .gamma = [](index_t, const fem::point& x) { return x[0] < 0.5 ? 1.4 : 5.0 / 3; }},
                                 {.velocity = s.order, .energy = s.order - 1}),
      .state = std::move(state),
      .other = std::vector<double>(std::size_t(s.kinematic())),
      .load = std::vector<double>(std::size_t(s.kinematic())),
      .sources = std::vector<double>(std::size_t(s.thermodynamic()))};
  const std::vector<double> e = fem::energy_coefficients(
      made.in, [](index_t, const fem::point& x) { return 1 + 0.5 * std::cos(pi * x[0]) * std::cos(2 * pi * x[1]); });
  made.state.insert(made.state.end(), e.begin(), e.end());
  fill(std::span<double>(made.other), 1);
  fill(std::span<double>(made.load), 2);
  fill(std::span<double>(made.sources), 3);
  return made;
}

std::vector<index_t> zones_around(const gas_sizes& s, index_t zone) {
  const index_t at[3] = {zone % s.cells, zone / s.cells % s.cells, zone / s.cells / s.cells};
  std::vector<index_t> found;
  for (index_t k = at[2] - 1; k <= at[2] + 1; ++k)
    for (index_t j = at[1] - 1; j <= at[1] + 1; ++j)
      for (index_t i = at[0] - 1; i <= at[0] + 1; ++i) {
        const auto inside = [&](index_t a) { return a >= 0 && a < s.cells; };
        if (inside(i) && inside(j) && (s.dim == 3 ? inside(k) : k == 0))
          found.push_back(i + s.cells * (j + s.cells * k));
      }
  return found;
}

}  // namespace tessera::bench
