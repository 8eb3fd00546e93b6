// SPDX-License-Identifier: BSD-3-Clause
// Coordinates and determinants of a mesh at its quadrature points, in double on the host, block by block.
#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/fem/strategies/geometry.hpp>

#include "determinant.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <string>

namespace tessera::fem {

namespace {

constexpr index_t block_bytes_thread = index_t{1} << 20;

// The options that the set-up has in common with a run: the threads, and a CPU target.
plan_options on_cpu(const plan_options& given) {
  plan_options options = given;
  if (options.on == target::cuda) options.on.reset();
  return options;
}

void check_dim(const char* operation, const mesh& domain, const quadrature_grid& grid) {
  if (domain.dim() != grid.dim())
    throw error(std::string(operation) + ": a mesh in " + std::to_string(domain.dim()) + "-D and a grid in " +
                    std::to_string(grid.dim()) + "-D",
                status::shape_mismatch);
}

operand nodes_of(const mesh& domain, index_t first, index_t count) {
  const operand all = packed_operand(scalar_type::f64, space_kind::cpu, detail::cube(domain.dim(), domain.order() + 1),
                                     domain.dim() * domain.elements(), domain.coordinates().data());
  operand part = slice(all, first * domain.dim(), count * domain.dim());
  part.writable = false;
  return part;
}

void check_positive(const mesh& domain, const quadrature_grid& grid, index_t first, const double* det, index_t count) {
  for (index_t i = 0; i < count * grid.size(); ++i) {
    if (det[i] > 0) continue;
    const index_t e = first + i / grid.size(), k = i % grid.size();
    const std::array<int, 3> cell = domain.cell(e), at = grid.index(k);
    const auto triple = [&](const std::array<int, 3>& t) {
      std::string text = "(" + std::to_string(t[0]) + "," + std::to_string(t[1]);
      return (domain.dim() == 3 ? text + "," + std::to_string(t[2]) : text) + ")";
    };
    throw error("geometry: element " + std::to_string(e) + " " + triple(cell) +
                " is inverted, its determinant at point " + std::to_string(k) + " " + triple(at) + " is " +
                std::to_string(det[i]));
  }
}

}  // namespace

std::vector<double> coordinates_at_points(const mesh& domain, const quadrature_grid& grid,
                                          const plan_options& options) {
  check_dim("coordinates_at_points", domain, grid);
  const detail::grid_tables<double> tables(basis(basis_kind::gauss_lobatto, domain.order()), grid, space_kind::cpu);
  const index_t count = domain.dim() * domain.elements();
  std::vector<double> result(static_cast<std::size_t>(count * grid.size()));
  const operand in = nodes_of(domain, 0, domain.elements());
  const operand out =
      packed_operand(scalar_type::f64, space_kind::cpu, detail::box(grid.points()), count, result.data());
  const chain interpolate(interpolation_steps(tables.operands()), in, out, on_cpu(options));
  buffer workspace(space_kind::cpu, interpolate.workspace_bytes(count));
  interpolate.run(in, out, workspace);
  return result;
}

std::vector<double> jacobian_determinants(const mesh& domain, const quadrature_grid& grid,
                                          const plan_options& options) {
  check_dim("jacobian_determinants", domain, grid);
  const detail::grid_tables<double> tables(basis(basis_kind::gauss_lobatto, domain.order()), grid, space_kind::cpu);
  const shape nodes = detail::cube(domain.dim(), domain.order() + 1), points = detail::box(grid.points());
  const auto bytes =
      static_cast<index_t>(detail::determinant_block<double>::bytes_an_element(domain.dim(), grid.size()));
  const index_t threads = useful_threads(options.threads);
  const index_t block = std::clamp<index_t>(threads * block_bytes_thread / bytes, 1, domain.elements());
  std::vector<double> result(static_cast<std::size_t>(domain.elements() * grid.size()));

  detail::determinant_block<double> whole(tables, nodes, points, space_kind::cpu, block, on_cpu(options));
  const auto run = [&](detail::determinant_block<double>& blocks, index_t first, index_t count) {
    double* det = result.data() + first * grid.size();
    blocks.run(nodes_of(domain, first, count), packed_operand(scalar_type::f64, space_kind::cpu, points, count, det),
               {});
    check_positive(domain, grid, first, det, count);
  };
  index_t first = 0;
  for (; first + block <= domain.elements(); first += block) run(whole, first, block);
  if (first == domain.elements()) return result;
  const index_t rest = domain.elements() - first;
  detail::determinant_block<double> tail(tables, nodes, points, space_kind::cpu, rest, on_cpu(options));
  run(tail, first, rest);
  return result;
}

double volume(const mesh& domain, const quadrature_grid& grid) {
  const std::vector<double> det = jacobian_determinants(domain, grid);
  const std::vector<double> weights = grid.weights();
  double sum = 0;
  for (std::size_t i = 0; i < det.size(); ++i) sum += det[i] * weights[i % weights.size()];
  return sum;
}

}  // namespace tessera::fem
