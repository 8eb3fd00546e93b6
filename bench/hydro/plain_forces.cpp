// SPDX-License-Identifier: BSD-3-Clause
// Each derivative of each component by itself, a table along each direction.
#include "hydro/plain_forces.hpp"

#include <algorithm>
#include <array>

namespace tessera::bench {

namespace {

using exact_numbers = std::vector<long double>;

struct table_of_line {
  const std::vector<double>& values;  // of function i at point k at [k + points i]
  index_t points, functions;
};

// Extent of direction a from functions to points, or with `back` the sums over the points.
exact_numbers along(const table_of_line& T, index_t inner, bool back, const exact_numbers& from) {
  const index_t in = back ? T.points : T.functions, out = back ? T.functions : T.points;
  const index_t outer = index_t(from.size()) / (inner * in);
  exact_numbers to(static_cast<std::size_t>(inner * out * outer));
  for (index_t l = 0; l < outer; ++l)
    for (index_t o = 0; o < out; ++o)
      for (index_t i = 0; i < in; ++i) {
        const long double by = T.values[std::size_t(back ? i + T.points * o : o + T.points * i)];
        for (index_t k = 0; k < inner; ++k)
          to[std::size_t(k + inner * (o + out * l))] += by * from[std::size_t(k + inner * (i + in * l))];
      }
  return to;
}

// With the table `derived` along direction g, and `values` along the others; g = dim: values everywhere.
template <int dim>
exact_numbers contracted(const table_of_line& values, const table_of_line& derived, int g, bool back,
                         exact_numbers from) {
  index_t inner = 1;
  for (int a = 0; a < dim; ++a) {
    from = along(a == g ? derived : values, inner, back, from);
    inner *= back ? values.functions : values.points;
  }
  return from;
}

template <int dim>
plain_zone plain_forces_of(const fem::gas_spaces& in, const hydro::gas_rules& rules, const gas_fields& of, index_t z) {
  const table_of_line B{in.velocity.B, in.line_points, in.order + 1}, G{in.velocity.G, in.line_points, in.order + 1};
  const table_of_line E{in.energy.B, in.line_points, in.energy_order + 1};
  const std::size_t nodes = std::size_t(in.zone_nodes), points = std::size_t(in.points);
  using gradients = std::array<std::array<exact_numbers, std::size_t(dim)>, std::size_t(dim)>;
  const auto gradients_of = [&](const double* field) {
    gradients made;
    for (std::size_t c = 0; c < dim; ++c) {
      exact_numbers u(nodes);
      for (std::size_t i = 0; i < nodes; ++i)
        u[i] = field[in.nodes.number[i + nodes * std::size_t(z)] + in.nodes.count * index_t(c)];
      for (int g = 0; g < dim; ++g) made[c][std::size_t(g)] = contracted<dim>(B, G, g, false, u);
    }
    return made;
  };
  const gradients J = gradients_of(of.x), dv = gradients_of(of.v), dw = gradients_of(of.w);
  const double* const own = of.e + in.energies * z;
  const exact_numbers e = contracted<dim>(E, E, dim, false, exact_numbers(own, own + in.energies));

  gradients stress = J;
  exact_numbers sums(points);
  plain_zone made{.forces = exact_numbers(nodes * dim), .power = {}};
  for (std::size_t k = 0; k < points; ++k) {
    const std::size_t at = k + points * std::size_t(z);
    hydro::gas_at_point<dim> is{.jacobian = {},
                                .velocity_gradient = {},
                                .start_inverse = {},
                                .energy = double(e[k]),
                                .mass = in.mass[at] / in.weights[k],
                                .weight = in.weights[k],
                                .gamma = in.gamma[std::size_t(z)]};
    for (std::size_t c = 0; c < dim; ++c)
      for (std::size_t g = 0; g < dim; ++g) {
        is.jacobian[index_t(c)][g] = double(J[c][g][k]);
        is.velocity_gradient[index_t(c)][g] = double(dv[c][g][k]);
        is.start_inverse[index_t(c)][g] = in.start_inverse_at(z, index_t(k))[c + dim * g];
      }
    const auto force = hydro::force_of<dim, double>(is, rules);
    made.rate = std::max(made.rate, force.rate);
    for (std::size_t c = 0; c < dim; ++c)
      for (std::size_t g = 0; g < dim; ++g) {
        stress[c][g][k] = force.stress[index_t(c)][g];
        sums[k] += stress[c][g][k] * dw[c][g][k];
      }
  }
  made.power = contracted<dim>(E, E, dim, true, sums);
  for (std::size_t c = 0; c < dim; ++c)
    for (int g = 0; g < dim; ++g) {
      const exact_numbers part = contracted<dim>(B, G, g, true, stress[c][std::size_t(g)]);
      for (std::size_t i = 0; i < nodes; ++i) made.forces[i + nodes * c] += part[i];
    }
  return made;
}

}  // namespace

plain_zone plain_forces(const fem::gas_spaces& in, const hydro::gas_rules& rules, const gas_fields& of, index_t zone) {
  return in.dim == 2 ? plain_forces_of<2>(in, rules, of, zone) : plain_forces_of<3>(in, rules, of, zone);
}

}  // namespace tessera::bench
