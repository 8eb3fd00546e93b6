// SPDX-License-Identifier: BSD-3-Clause
// Preconditioned iterations for the density of all zones, and its values at nodes by a table a direction.
#include "density_projection.hpp"

#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/hydro/gas_fields.hpp>
#include <tessera/solver/conjugate_gradient.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <tessera/memory.hpp>

namespace tessera::blast {

namespace {

using numbers = std::vector<double>;

// For numbers at points that have their weights.
fem::element_operator<double> mass_operator(const fem::gas_spaces& in, const numbers& D) {
  return {in.dim,
          in.zones,
          D.data(),
          {.kind = operator_kind::mass, .trial = {fem::basis_kind::gauss, in.energy_order}, .points = in.line_points}};
}

// Weights times det J, now.
numbers volumes(const fem::gas_spaces& in, const double* state) {
  numbers made(std::size_t(in.points * in.zones));
  std::vector<index_t> next(std::size_t(in.zones));  // points of a zone come in their order
  fem::visit_points(in, state, [&](index_t z, const fem::gas_point& at) {
    made[std::size_t(next[std::size_t(z)]++ + in.points * z)] = at.volume;
  });
  return made;
}

// out(i, k, l) = sum_j B(k, j) in(i, j, l)
numbers along(const fem::basis_tables& table, std::size_t inner, const numbers& in) {
  const std::size_t q = std::size_t(table.q), d = std::size_t(table.d), outer = in.size() / (inner * d);
  numbers out(inner * q * outer);
  for (std::size_t l = 0; l < outer; ++l)
    for (std::size_t k = 0; k < q; ++k)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t i = 0; i < inner; ++i)
          out[i + inner * (k + q * l)] += table.B[k + q * j] * in[i + inner * (j + d * l)];
  return out;
}

}  // namespace

density_projection::density_projection(const fem::gas_spaces& in)
    : in_(in), mass_(std::size_t(in.thermodynamic())), density_(mass_.size()) {
  const numbers ones(mass_.size(), 1.0);  // the sum of the functions is 1
  mass_operator(in, in.mass).apply(ones.data(), mass_.data());
}

bool density_projection::project(const double* state, int most_iterations) {
  const auto matrix = mass_operator(in_, volumes(in_, state));
  auto inverse = std::make_shared<buffer>(space_kind::cpu, mass_.size() * sizeof(double));
  auto* const diagonal = static_cast<double*>(inverse->data());
  matrix.diagonal(diagonal);
  for (std::size_t i = 0; i < mass_.size(); ++i) diagonal[i] = 1 / diagonal[i];
  const index_t size = in_.thermodynamic();
  conjugate_gradient<double> iterations(
      linear_operator<double>(
          size, [&](const double* x, double* y, stream_view) { matrix.apply(x, y); }, space_kind::cpu),
      linear_operator<double>::diagonal(size, std::shared_ptr<const buffer>(inverse)),
      {.relative = 1e-14, .norm = residual_norm::preconditioned, .max_iterations = most_iterations});
  const solve_result found = iterations.solve_from_zero(mass_.data(), density_.data());
  if (!found.solved() && found.outcome != solve_outcome::iteration_limit)
    throw std::runtime_error("the density could not be projected, zones are tangled: " + found.describe());
  // Rounding may keep the residual above the tolerance, which is near it.
  return found.solved() || found.residuals.back() <= 1e-10 * found.residuals.front();
}

numbers density_projection::at_nodes(int order) const {
  const auto table = fem::tabulate(fem::basis(fem::basis_kind::gauss, in_.energy_order), fem::gauss_lobatto(order + 1));
  numbers values = density_;
  std::size_t inner = 1;
  for (int a = 0; a < in_.dim; ++a, inner *= std::size_t(order) + 1) values = along(table, inner, values);
  return values;
}

}  // namespace tessera::blast
