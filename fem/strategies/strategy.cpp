// SPDX-License-Identifier: BSD-3-Clause
// Counts operations, traffic and storage of the five strategies of the mass operator.
#include <tessera/fem/strategies/strategy.hpp>

#include <vector>

namespace tessera::fem {

namespace {

double product(const std::vector<double>& n) {
  double result = 1;
  for (const double value : n) result *= value;
  return result;
}

// Contracts direction after direction, the first one first, each from `from` to `to` entries.
double interpolation_flops(std::vector<double> from, const std::vector<double>& to) {
  double flops = 0;
  for (std::size_t a = 0; a < from.size(); ++a) {
    flops += 2 * product(from) * to[a];
    from[a] = to[a];
  }
  return flops;
}

// First direction first: (q1,q2,q3) -> (d,q2,q3,d) -> (d,d,q3,d,d) -> (d,d,d,d,d,d), each result entry summing q terms.
double assembly_flops(double d, const std::vector<double>& q) {
  double flops = 0, functions = 1, points = product(q);
  for (const double q1 : q) {
    functions *= d * d;
    flops += 2 * functions * points;
    points /= q1;
  }
  return flops;
}

// Derivatives in every direction of every component, the determinant, and the weight (and coefficient).
double geometry_flops(const mass_sizes& sizes, const std::vector<double>& q) {
  const auto dim = static_cast<double>(q.size());
  const std::vector<double> n(q.size(), sizes.geometry);
  const double determinant = q.size() == 2 ? 3 : 14;
  return dim * dim * interpolation_flops(n, q) + (determinant + 1 + (sizes.varying ? 1 : 0)) * product(q);
}

}  // namespace

element_cost cost_of_mass(strategy how, const mass_sizes& sizes) {
  const std::vector<double> q(sizes.q.begin(), sizes.q.end()), d(q.size(), sizes.d);
  const double points = product(q), functions = product(d), matrix = functions * functions;
  const double tables = 2 * sizes.d * [&] {  // both ways round
    double sum = 0;
    for (const double q1 : q) sum += q1;
    return sum;
  }();
  const double chain = interpolation_flops(d, q) + points + interpolation_flops(q, d);
  const double geometry_nodes = static_cast<double>(q.size()) * product(std::vector<double>(q.size(), sizes.geometry));
  const auto bytes = [&](double entries) { return entries * static_cast<double>(sizes.entry_bytes); };

  element_cost cost;
  cost.assembly_flops = assembly_flops(sizes.d, q);
  cost.assembly_bytes = bytes(points + matrix);
  switch (how) {
    case strategy::full_assembly: cost.assembly_flops = points * functions + 2 * matrix * points; [[fallthrough]];
    case strategy::near_optimal_assembly:
      cost.apply_flops = 2 * matrix;
      cost.apply_bytes = bytes(matrix + 2 * functions);
      cost.stored = matrix;
      break;
    case strategy::decomposed_evaluation:
      cost.apply_flops = 4 * points * functions + points;
      cost.apply_bytes = bytes(2 * functions + points);
      cost.stored = points;
      cost.stored_shared = points * functions;
      break;
    case strategy::near_optimal_evaluation:
      cost.apply_flops = chain;
      cost.apply_bytes = bytes(2 * functions + points);
      cost.stored = points;
      cost.stored_shared = tables;
      break;
    case strategy::matrix_free: {
      const double coefficient = sizes.varying ? points : 0;
      cost.assembly_flops += geometry_flops(sizes, q);
      cost.assembly_bytes = bytes(geometry_nodes + coefficient + matrix);
      cost.apply_flops = chain + geometry_flops(sizes, q);
      cost.apply_bytes = bytes(2 * functions + geometry_nodes + coefficient);
      cost.stored = geometry_nodes + coefficient;
      cost.stored_shared = tables + 2 * tables / sizes.d * sizes.geometry + points;
      break;
    }
  }
  return cost;
}

}  // namespace tessera::fem
