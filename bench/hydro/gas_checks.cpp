// SPDX-License-Identifier: BSD-3-Clause
// Checks of the phases: forces of some zones by plain loops, solves by their residuals, a step by its phases.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/global_operator.hpp>

#include "hydro/gas_case.hpp"
#include "hydro/plain_forces.hpp"

namespace tessera::bench {

namespace {

// Sums and the eigenvalues at the points add roundings; a wrong entry is far above.
constexpr double gas_rounding = 65536 * std::numeric_limits<double>::epsilon();

// The largest of differences and of what they are relative to; a NaN stays.
struct largest_difference {
  double size = 0, off = 0;

  void add(long double found, long double expected, long double scale) {
    size = std::max(size, double(std::abs(scale)));
    const double difference = double(std::abs(found - expected));
    if (!(difference <= off)) off = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }
  void add(long double found, long double expected) { add(found, expected, expected); }
  double relative() const { return off / size; }
};

double largest_relative(const double* found, const double* expected, index_t n) {
  largest_difference of;
  for (index_t i = 0; i < n; ++i) of.add(found[i], expected[i]);
  return of.relative();
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

fem::element_operator_options mass_on_host(const fem::gas_spaces& in, const fem::function_space& functions,
                                           int components) {
  return {.kind = operator_kind::mass, .trial = functions, .components = components, .points = in.line_points};
}

}  // namespace

verdict gas_case::check(gas_phase phase, const std::vector<double>& numbers) const {
  if (!all_finite(numbers)) return {std::numeric_limits<double>::infinity(), gas_rounding};
  const index_t n = sizes_.kinematic();
  switch (phase) {
    case gas_phase::forces:
    case gas_phase::power: {
      verdict v = phase == gas_phase::power
                      ? check_zones(nullptr, numbers.data(), nullptr)
                      : check_zones(numbers.data(), numbers.data() + n, numbers.data() + n + sizes_.thermodynamic());
      if (space_ == space_kind::gpu) v.error = std::max(v.error, difference_from_host(phase, numbers));
      return v;
    }
    case gas_phase::velocity: return check_velocity(numbers);
    case gas_phase::energy: return check_energy(numbers);
    case gas_phase::step: break;
  }
  const std::vector<double> expected = step_by_phases();
  double error = 0;
  for (const auto& [first, count] : {std::pair(index_t(0), n), {n, n}, {2 * n, sizes_.thermodynamic()}})
    error = std::max(error, largest_relative(numbers.data() + first, expected.data() + first, count));
  return {error, gas_rounding};
}

// Of all zones, of a GPU.
double gas_case::difference_from_host(gas_phase phase, const std::vector<double>& numbers) const {
  const corner_forces host = fem::make_corner_forces(box_.in, {}, space_kind::cpu);
  std::vector<double> expected(numbers.size());
  force_call call = call_at(box_.state.data());
  call.power = expected.data();
  if (phase == gas_phase::power) {
    call.w = box_.other.data();
    host.run(call);
    return largest_relative(numbers.data(), expected.data(), sizes_.thermodynamic());
  }
  call.forces = expected.data();
  call.power = call.forces + sizes_.kinematic();
  call.rates = call.power + sizes_.thermodynamic();
  host.run(call);
  double error = 0;
  const index_t counts[] = {sizes_.kinematic(), sizes_.thermodynamic(), sizes_.zones()};
  index_t first = 0;
  for (const index_t count : counts) {
    error = std::max(error, largest_relative(numbers.data() + first, expected.data() + first, count));
    first += count;
  }
  return error;
}

// Of the first, a middle and the last zone; forces of their nodes with those of the zones around.
verdict gas_case::check_zones(const double* forces, const double* power, const double* rates) const {
  const fem::gas_spaces& in = box_.in;
  const index_t n = sizes_.kinematic(), nodes = in.zone_nodes, zones = in.zones;
  const hydro::gas_rules rules = fem::rules_of(in, {});
  const double *const x = box_.state.data(), *const v = x + n;
  const gas_fields fields{.x = x, .v = v, .e = v + n, .w = forces != nullptr ? v : box_.other.data()};
  largest_difference of_forces, of_power, of_rates;
  for (const index_t z : {index_t(0), zones / 2, zones - 1}) {
    const plain_zone own = plain_forces(in, rules, fields, z);
    for (index_t i = 0; i < in.energies; ++i) of_power.add(power[i + in.energies * z], own.power[std::size_t(i)]);
    if (forces == nullptr) continue;
    of_rates.add(rates[z], own.rate);
    std::vector<long double> sums(static_cast<std::size_t>(n));
    long double size = 0;
    for (const index_t near : zones_around(sizes_, z)) {
      const plain_zone of = near == z ? own : plain_forces(in, rules, fields, near);
      for (index_t c = 0; c < in.dim; ++c)
        for (index_t i = 0; i < nodes; ++i) {
          const long double corner = of.forces[std::size_t(i + nodes * c)];
          sums[std::size_t(in.nodes.number[std::size_t(i + nodes * near)] + in.nodes.count * c)] += corner;
          size = std::max(size, std::abs(corner));
        }
    }
    for (index_t c = 0; c < in.dim; ++c)
      for (index_t i = 0; i < nodes; ++i) {
        const index_t k = in.nodes.number[std::size_t(i + nodes * z)] + in.nodes.count * c;
        of_forces.add(forces[k], sums[std::size_t(k)], size);
      }
  }
  double error = of_power.relative();
  if (forces != nullptr) error = std::max({error, of_forces.relative(), of_rates.relative()});
  return {error, gas_rounding};
}

// sqrt(r.B r) over that of b, B being Jacobi's preconditioner, for each component; 0 at walls.
verdict gas_case::check_velocity(const std::vector<double>& a) const {
  const fem::gas_spaces& in = box_.in;
  const fem::global_operator<double> M(in.dim, in.exact_density.data(), in.unknowns(in.dim, true),
                                       mass_on_host(in, {fem::basis_kind::gauss_lobatto, in.order}, in.dim));
  std::vector<double> Ma(a.size()), diagonal(a.size());
  M.apply({.x = a.data(), .y = Ma.data(), .rows = constrained_rows::zero});
  M.diagonal(diagonal.data());
  std::vector<bool> wall(a.size());
  for (const index_t k : in.nodes.walls) wall[std::size_t(k)] = true;
  double error = 0;
  for (index_t c = 0; c < in.dim; ++c) {
    double rr = 0, bb = 0;
    for (index_t i = 0; i < in.nodes.count; ++i) {
      const std::size_t k = std::size_t(i + in.nodes.count * c);
      if (wall[k]) {
        if (a[k] != 0) return {std::numeric_limits<double>::infinity(), gas_rounding};
        continue;
      }
      const double r = box_.load[k] - Ma[k];
      rr += r * r / diagonal[k];
      bb += box_.load[k] * box_.load[k] / diagonal[k];
    }
    if (bb > 0) error = std::max(error, std::sqrt(rr / bb));
  }
  return {error, fem::gas_mass_options{}.tolerance + gas_rounding};
}

// Relative to the sums of absolute values, since the functions are not negative.
verdict gas_case::check_energy(const std::vector<double>& de) const {
  const fem::gas_spaces& in = box_.in;
  const fem::element_operator<double> M(
      in.dim, in.zones, in.exact_density.data(),
      mass_on_host(in, {fem::gas_energy_basis(in.energy_order).kind(), in.energy_order}, 1));
  std::vector<double> Mde(de.size()), size(de);
  M.apply(de.data(), Mde.data());
  for (double& each : size) each = std::abs(each);
  std::vector<double> M_size(de.size());
  M.apply(size.data(), M_size.data());
  double error = 0;
  for (std::size_t i = 0; i < de.size(); ++i)
    error = std::max(error, std::abs(box_.sources[i] - Mde[i]) / (M_size[i] + std::abs(box_.sources[i])));
  return {error, gas_rounding};
}

}  // namespace tessera::bench
