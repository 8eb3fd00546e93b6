// SPDX-License-Identifier: BSD-3-Clause
// Tests the counts of the five strategies: known numbers, and how they grow with the order.
#include "testing/catch.hpp"

#include <tessera/fem/strategies/strategy.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace tessera::fem;

mass_sizes sizes_of(int dim, int p, int extra_points) {
  return {.d = p + 1, .q = std::vector<int>(static_cast<std::size_t>(dim), p + 1 + extra_points)};
}

/// Least-squares slope of log(count) over log(p + 1), p = first .. last. The counts are polynomials in the p + 1
/// functions of a direction; with as many points as functions their leading terms are pure powers of it.
template <class Count>
double slope(int dim, int first, int last, Count count) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int p = first; p <= last; ++p) {
    const double x = std::log(p + 1.0), y = std::log(count(sizes_of(dim, p, 0)));
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

TEST_CASE("operations and bytes of the mass operator are those of the tables", "[fem]") {
  // p, evaluation flops, fused bytes, assembly flops, entries of M; three directions, q = p + 2.
  const double known[][5] = {{2, 1840, 944, 9576, 729},          {3, 5005, 2024, 57760, 4096},
                             {4, 11136, 3728, 243300, 15625},    {5, 21679, 6200, 804888, 46656},
                             {6, 38368, 9584, 2239888, 117649},  {7, 63225, 14024, 5475456, 262144},
                             {8, 98560, 19664, 12103020, 531441}};
  for (const auto& row : known) {
    const mass_sizes sizes = sizes_of(3, static_cast<int>(row[0]), 1);
    const element_cost partial = cost_of_mass(strategy::near_optimal_evaluation, sizes);
    const element_cost assembled = cost_of_mass(strategy::near_optimal_assembly, sizes);
    CHECK(partial.apply_flops == row[1]);
    CHECK(partial.apply_bytes == row[2]);
    CHECK(partial.assembly_flops == row[3]);
    CHECK(assembled.assembly_flops == row[3]);
    CHECK(assembled.stored == row[4]);
    CHECK(assembled.apply_flops == 2 * row[4]);
  }
  // Unequal numbers of points: (3,3) -> (4,3) -> (4,5) and back through (3,5).
  const element_cost unequal = cost_of_mass(strategy::near_optimal_evaluation, {.d = 3, .q = {4, 5}});
  CHECK(unequal.apply_flops == 2 * (9 * 4 + 12 * 5) + 20 + 2 * (20 * 3 + 15 * 3));
  CHECK(unequal.stored == 20);
  CHECK(unequal.stored_shared == 2 * 3 * (4 + 5));
}

TEST_CASE("operations and storage grow as Table 1 says", "[fem]") {
  for (const int dim : {2, 3}) {
    const int last = dim == 2 ? 16 : 8;
    const auto check = [&](strategy how, double element_cost::*what, double expected) {
      const auto count = [&](const mass_sizes& sizes) { return cost_of_mass(how, sizes).*what; };
      INFO(dim << "-D, " << name_of(how) << ", expected " << expected);
      // Lower powers bend the curve at small p: within 0.35 over all orders, 0.12 between the two highest.
      CHECK(std::abs(slope(dim, 1, last, count) - expected) <= 0.35);
      CHECK(std::abs(slope(dim, last - 1, last, count) - expected) <= 0.13);
    };
    check(strategy::full_assembly, &element_cost::assembly_flops, 3 * dim);
    check(strategy::full_assembly, &element_cost::stored, 2 * dim);
    check(strategy::full_assembly, &element_cost::apply_flops, 2 * dim);
    check(strategy::decomposed_evaluation, &element_cost::stored_shared, 2 * dim);
    check(strategy::decomposed_evaluation, &element_cost::apply_flops, 2 * dim);
    check(strategy::near_optimal_assembly, &element_cost::assembly_flops, 2 * dim + 1);
    check(strategy::near_optimal_assembly, &element_cost::stored, 2 * dim);
    check(strategy::near_optimal_assembly, &element_cost::apply_flops, 2 * dim);
    check(strategy::near_optimal_evaluation, &element_cost::stored, dim);
    check(strategy::near_optimal_evaluation, &element_cost::apply_flops, dim + 1);
    const mass_sizes small = sizes_of(dim, 1, 1), large = sizes_of(dim, 8, 1);
    CHECK(cost_of_mass(strategy::matrix_free, small).stored == cost_of_mass(strategy::matrix_free, large).stored);
    const auto evaluation = [&](const mass_sizes& s) { return cost_of_mass(strategy::matrix_free, s).apply_flops; };
    CHECK(slope(dim, 1, last, evaluation) <= dim + 1);
    CHECK(slope(dim, 1, last, evaluation) >= dim - 0.1);
  }
}
