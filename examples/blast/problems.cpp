// SPDX-License-Identifier: BSD-3-Clause
// The problems of Lagrangian hydrodynamics that codes are compared by, as a table.
#include "problems.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tessera::blast {

namespace {

constexpr double pi = std::numbers::pi;

double one(const vec&, int) { return 1; }
double monatomic(const vec&, int) { return 5.0 / 3; }
double diatomic(const vec&, int) { return 1.4; }
vec at_rest(const vec&, int) { return {}; }
// Of an ideal gas of that pressure.
double energy_of(double pressure, double density, double gamma) { return pressure / (density * (gamma - 1)); }

vec taylor_green_velocity(const vec& x, int dim) {
  const double z = dim == 3 ? std::cos(pi * x[2]) : 1;
  return {std::sin(pi * x[0]) * std::cos(pi * x[1]) * z, -std::cos(pi * x[0]) * std::sin(pi * x[1]) * z, 0};
}
double taylor_green_energy(const vec& x, int dim) {
  const double sum = std::cos(2 * pi * x[0]) + std::cos(2 * pi * x[1]);
  const double pressure = dim == 3 ? 100 + ((std::cos(2 * pi * x[2]) + 2) * sum - 2) / 16 : 1 + sum / 4;
  return energy_of(pressure, 1, 5.0 / 3);
}

double sod_density(const vec& x, int) { return x[0] < 0.5 ? 1 : 0.1; }
double sod_energy(const vec& x, int dim) { return energy_of(x[0] < 0.5 ? 1 : 0.1, sod_density(x, dim), 1.4); }

double triple_point_density(const vec& x, int dim) {
  if (x[0] <= 1) return 1;
  const bool above = x[1] > 1.5, far = dim == 3 && x[2] > 1.5;
  if (dim == 3) return (x[1] < 1.5 && x[2] < 1.5) || (above && far) ? 0.125 : 1;
  return above ? 0.125 : 1;
}
double triple_point_gamma(const vec& x, int) { return x[0] > 1 && x[1] <= 1.5 ? 1.4 : 1.5; }
double triple_point_energy(const vec& x, int dim) {
  return energy_of(x[0] > 1 ? 0.1 : 1, triple_point_density(x, dim), triple_point_gamma(x, dim));
}

vec gresho_velocity(const vec& x, int) {
  const double r = std::hypot(x[0], x[1]);
  if (r < 0.2) return {5 * x[1], -5 * x[0], 0};
  if (r < 0.4) return {2 * x[1] / r - 5 * x[1], -2 * x[0] / r + 5 * x[0], 0};
  return {};
}
double gresho_energy(const vec& x, int) {
  const double r2 = x[0] * x[0] + x[1] * x[1], r = std::sqrt(r2);
  if (r < 0.2) return energy_of(5 + 12.5 * r2, 1, 5.0 / 3);
  if (r < 0.4) return energy_of(9 - 4 * std::log(0.2) + 12.5 * r2 - 20 * r + 4 * std::log(r), 1, 5.0 / 3);
  return energy_of(3 + 4 * std::log(2.0), 1, 5.0 / 3);
}

// Riemann problems of four quarters of a square, by their numbers of Lax and Liu (1998), with velocities that vanish on
// its sides.
double bump(const vec& x) { return std::pow(16 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]), 0.4); }
double configuration_12_density(const vec& x, int) {
  if (x[0] >= 0.5 && x[1] >= 0.5) return 0.5313;
  return x[0] < 0.5 && x[1] < 0.5 ? 0.8 : 1;
}
double configuration_12_energy(const vec& x, int dim) {
  return energy_of(x[0] >= 0.5 && x[1] >= 0.5 ? 0.4 : 1, configuration_12_density(x, dim), 1.4);
}
vec configuration_12_velocity(const vec& x, int) {
  if (x[0] < 0.5 && x[1] >= 0.5) return {0.7276 * bump(x), 0, 0};
  if (x[0] >= 0.5 && x[1] < 0.5) return {0, 0.7276 * bump(x), 0};
  return {};
}
double configuration_6_density(const vec& x, int) {
  if (x[0] < 0.5 && x[1] >= 0.5) return 2;
  return x[0] >= 0.5 && x[1] < 0.5 ? 3 : 1;
}
double configuration_6_energy(const vec& x, int dim) { return energy_of(1, configuration_6_density(x, dim), 1.4); }
vec configuration_6_velocity(const vec& x, int) {
  return {(x[1] >= 0.5 ? 0.75 : -0.75) * bump(x), (x[0] >= 0.5 ? -0.5 : 0.5) * bump(x), 0};
}

double rayleigh_taylor_density(const vec& x, int) { return x[1] >= 0 ? 2 : 1; }
double rayleigh_taylor_energy(const vec& x, int dim) {
  const double density = rayleigh_taylor_density(x, dim);
  return energy_of(6 - density * x[1], density, 5.0 / 3);
}
vec rayleigh_taylor_velocity(const vec& x, int) {
  return {0, 0.02 * std::exp(-2 * pi * x[1] * x[1]) * std::cos(2 * pi * x[0]), 0};
}

// With the dimensions in which it is defined.
struct defined_problem {
  problem is;
  int fewest, most;
};
const std::array<defined_problem, 8> all{{
    {{.number = 0,
      .name = "Taylor-Green vortex",
      .velocity_known = true,
      .physics = {.viscous = false},
      .density = one,
      .gamma = monatomic,
      .velocity = taylor_green_velocity,
      .energy = taylor_green_energy},
     2,
     3},
    {{.number = 1, .name = "Sedov blast wave", .density = one, .gamma = diatomic, .velocity = at_rest}, 1, 3},
    {{.number = 2,
      .name = "Sod shock tube",
      .density = sod_density,
      .gamma = diatomic,
      .velocity = at_rest,
      .energy = sod_energy},
     1,
     3},
    {{.number = 3,
      .name = "triple point",
      .density = triple_point_density,
      .gamma = triple_point_gamma,
      .velocity = at_rest,
      .energy = triple_point_energy},
     2,
     3},
    {{.number = 4,
      .name = "Gresho vortex",
      .velocity_known = true,
      .physics = {.viscous = false},
      .density = one,
      .gamma = monatomic,
      .velocity = gresho_velocity,
      .energy = gresho_energy},
     2,
     3},
    {{.number = 5,
      .name = "Riemann problem, configuration 12",
      .density = configuration_12_density,
      .gamma = diatomic,
      .velocity = configuration_12_velocity,
      .energy = configuration_12_energy},
     2,
     3},
    {{.number = 6,
      .name = "Riemann problem, configuration 6",
      .density = configuration_6_density,
      .gamma = diatomic,
      .velocity = configuration_6_velocity,
      .energy = configuration_6_energy},
     2,
     3},
    {{.number = 7,
      .name = "Rayleigh-Taylor instability",
      .physics = {.vorticity = true, .gravity = {0, -1, 0}},
      .density = rayleigh_taylor_density,
      .gamma = monatomic,
      .velocity = rayleigh_taylor_velocity,
      .energy = rayleigh_taylor_energy},
     2,
     3},
}};

std::vector<double> even(double from, double to, int parts) {
  std::vector<double> at;
  for (int i = 0; i <= parts; ++i) at.push_back(from + (to - from) * i / parts);
  return at;
}

}  // namespace

problem problem_of(int number, int dim) {
  if (number < 0 || number >= int(all.size()))
    throw std::runtime_error("there is no problem " + std::to_string(number) + ": " + problem_names());
  const defined_problem& found = all[std::size_t(number)];
  if (dim < found.fewest || dim > found.most)
    throw std::runtime_error("the " + found.is.name + " is defined in " + std::to_string(found.fewest) + " to " +
                             std::to_string(found.most) + " dimensions, not in " + std::to_string(dim));
  problem made = found.is;
  made.velocity_known = made.velocity_known && (number != 0 || dim == 2);
  made.physics.source = number == 0 && dim == 2;
  return made;
}

std::string problem_names() {
  std::string names;
  for (const auto& each : all)
    names += (names.empty() ? "" : ", ") + std::to_string(each.is.number) + " " + each.is.name;
  return names;
}

zone_mesh mesh_of(const problem& which, int dim) {
  const auto cube = [&](const std::vector<double>& line) {
    return box_of_zones(std::vector<std::vector<double>>(std::size_t(dim), line));
  };
  if (which.number == 3 && dim == 2) return box_of_zones({even(0, 7, 7), even(0, 3, 3)});
  if (which.number == 3 && dim == 3) return box_of_zones({{0, 1, 3, 5, 7}, even(0, 3, 2), even(0, 3, 2)});
  if (which.number == 4 && dim == 2) return cube(even(-0.5, 0.5, 2));
  if (which.number == 4) return box_of_zones({even(-0.5, 0.5, 2), even(-0.5, 0.5, 2), even(0, 0.5, 1)});
  if (which.number == 7 && dim == 2) return box_of_zones({even(0, 0.5, 1), even(-1, 1, 4)});
  if (which.number == 7) return box_of_zones({even(0, 0.5, 1), even(-1, 1, 4), even(0, 0.5, 1)});
  return cube(even(0, 1, 2));
}

}  // namespace tessera::blast
