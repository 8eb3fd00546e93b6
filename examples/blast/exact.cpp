// SPDX-License-Identifier: BSD-3-Clause
// The exact Riemann problem of Sod's tube, and Sedov's solution in closed form with the energy's integral.
#include "exact.hpp"

#include <tessera/fem/quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tessera::blast {

namespace {

constexpr double gamma_of_sod = 1.4;
struct side_of_tube {
  double density, pressure, sound;
};
const side_of_tube left{1, 1, std::sqrt(gamma_of_sod)}, right{0.1, 0.1, std::sqrt(gamma_of_sod)};

// Between the waves: where the velocity behind the rarefaction is that behind the shock, by bisection.
double pressure_between() {
  const double g = gamma_of_sod;
  const auto difference = [&](double p) {
    const double behind_rarefaction = 2 * left.sound / (g - 1) * (1 - std::pow(p / left.pressure, (g - 1) / (2 * g)));
    const double behind_shock =
        (p - right.pressure) * std::sqrt(2 / right.density / ((g + 1) * p + (g - 1) * right.pressure));
    return behind_rarefaction - behind_shock;
  };
  double low = right.pressure, high = left.pressure;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (difference(middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Between the waves, and how fast they are.
struct waves_of_tube {
  double velocity, sound_behind, density_behind_rarefaction, density_behind_shock, shock;
};
waves_of_tube waves() {
  const double g = gamma_of_sod, p = pressure_between(), fall = std::pow(p / left.pressure, (g - 1) / (2 * g));
  const double ratio = p / right.pressure, smallest = (g - 1) / (g + 1);
  return {.velocity = 2 * left.sound / (g - 1) * (1 - fall),
          .sound_behind = left.sound * fall,
          .density_behind_rarefaction = left.density * std::pow(p / left.pressure, 1 / g),
          .density_behind_shock = right.density * (ratio + smallest) / (smallest * ratio + 1),
          .shock = right.sound * std::sqrt((g + 1) / (2 * g) * ratio + (g - 1) / (2 * g))};
}

// Of the table of Sedov's wave, from the centre to the shock.
constexpr int intervals = 8192;

}  // namespace

double sod_ends_at() { return 0.5 / std::max(left.sound, waves().shock); }

double sod_density_at(double x, double time) {
  static const waves_of_tube of = waves();
  const double g = gamma_of_sod, speed = (x - 0.5) / time;
  if (speed < -left.sound) return left.density;
  if (speed < of.velocity - of.sound_behind) {
    const double sound = 2 / (g + 1) * left.sound - (g - 1) / (g + 1) * speed;
    return left.density * std::pow(sound / left.sound, 2 / (g - 1));
  }
  if (speed < of.velocity) return of.density_behind_rarefaction;
  return speed < of.shock ? of.density_behind_shock : right.density;
}

// The notation is that of Kamm and Timmes (2007), "On efficient generation of numerically robust Sedov solutions", for
// a gas of constant density.
sedov_wave::sedov_wave(int dim, double gamma, double energy) : dim_(dim), gamma_(gamma), energy_(energy) {
  if (dim < 1 || dim > 3) throw std::runtime_error("Sedov's wave is known in 1 to 3 dimensions");
  const double j = dim, g = gamma;
  a_ = (j + 2) * (g + 1) / 4;
  b_ = (g + 1) / (g - 1);
  c_ = (j + 2) * g / 2;
  d_ = (j + 2) * (g + 1) / ((j + 2) * (g + 1) - 2 * (2 + j * (g - 1)));
  f_ = (2 + j * (g - 1)) / 2;
  alpha_0_ = 2 / (j + 2);
  alpha_2_ = -(g - 1) / (2 * (g - 1) + j);
  alpha_1_ = (j + 2) * g / (2 + j * (g - 1)) * (2 * j * (2 - g) / (g * (j + 2) * (j + 2)) - alpha_2_);
  alpha_3_ = j / (2 * (g - 1) + j);
  alpha_4_ = (j + 2) * j * alpha_1_ / (j * (2 - g));
  alpha_5_ = -2 * j / (j * (2 - g));
  v_centre_ = 2 / ((j + 2) * g);
  v_shock_ = 4 / ((j + 2) * (g + 1));

  // Kinetic and internal energy over lambda^(j-1) d lambda. Near the centre the density falls with a high power of V,
  // so s with V - V_centre ~ s^60 is the variable, in pieces.
  const auto rule = fem::gauss(20);
  constexpr int pieces = 200;
  double kinetic = 0, internal = 0;
  for (int piece = 0; piece < pieces; ++piece)
    for (std::size_t k = 0; k < rule.points.size(); ++k) {
      const double s = (piece + rule.points[k]) / pieces, from_centre = beyond_centre(s);
      const double V = v_centre_ + from_centre;
      const at_v here = at(from_centre);
      const double slope =  // of lambda in s
          here.lambda * 60 / s * (-alpha_0_ * from_centre / V - alpha_2_ + alpha_1_ * f_ * from_centre / (1 - f_ * V));
      const double share = rule.weights[k] / pieces * slope * std::pow(here.lambda, j - 1);
      kinetic += share * here.density * here.velocity * here.velocity;
      internal += share * here.pressure;
    }
  const double surface = dim == 1 ? 2 : dim == 2 ? 2 * std::numbers::pi : 4 * std::numbers::pi;
  alpha_ = surface * 4 / ((j + 2) * (j + 2)) *
           ((g + 1) / (g - 1) * 2 / ((g + 1) * (g + 1)) * kinetic + 2 / ((g + 1) * (g - 1)) * internal);
  tabulate();
}

double sedov_wave::beyond_centre(double s) const { return (v_shock_ - v_centre_) * std::pow(s, 60); }

sedov_wave::at_v sedov_wave::at(double from_centre) const {
  const double V = v_centre_ + from_centre;
  const double x1 = a_ * V, x2 = b_ * c_ * from_centre, x3 = d_ * (1 - f_ * V), x4 = b_ * (1 - c_ * V / gamma_);
  at_v made{};
  made.lambda = std::pow(x1, -alpha_0_) * std::pow(x2, -alpha_2_) * std::pow(x3, -alpha_1_);
  made.density = std::pow(x2, alpha_3_) * std::pow(x3, alpha_4_) * std::pow(x4, alpha_5_);
  made.velocity = x1 * made.lambda;
  made.pressure = std::pow(x1, alpha_0_ * dim_) * std::pow(x3, alpha_4_ - 2 * alpha_1_) * std::pow(x4, 1 + alpha_5_);
  return made;
}

double sedov_wave::shock_radius(double time) const {
  return std::pow(energy_ / alpha_, 1.0 / (dim_ + 2)) * std::pow(time, 2.0 / (dim_ + 2));
}

// Cubic, of the logarithm of the density over that of lambda: near the centre it is a line.
void sedov_wave::tabulate() {
  nodes_.reserve(intervals);
  for (int i = 1; i <= intervals; ++i) {
    const double from_centre = beyond_centre(double(i) / intervals), V = v_centre_ + from_centre;
    const at_v here = at(from_centre);
    const double inner = f_ / (1 - f_ * V), outer = c_ / gamma_ / (1 - c_ * V / gamma_);
    nodes_.push_back({.lambda = std::log(here.lambda),
                      .density = std::log(here.density),
                      .slope = (alpha_3_ / from_centre - alpha_4_ * inner - alpha_5_ * outer) /
                               (-alpha_0_ / V - alpha_2_ / from_centre + alpha_1_ * inner)});
  }
}

double sedov_wave::density(double radius, double time) const {
  const double wanted = std::log(radius / shock_radius(time)), behind_shock = (gamma_ + 1) / (gamma_ - 1);
  if (wanted > 0) return 1;
  const node& first = nodes_.front();
  if (wanted <= first.lambda) return behind_shock * std::exp(first.density + first.slope * (wanted - first.lambda));
  const auto after = std::lower_bound(nodes_.begin(), nodes_.end() - 1, wanted,
                                      [](const node& at, double lambda) { return at.lambda < lambda; });
  const node &a = *(after - 1), &b = *after;
  const double width = b.lambda - a.lambda, t = (wanted - a.lambda) / width, rise = b.density - a.density;
  const double bend = (1 - t) * (a.slope * width - rise) - t * (b.slope * width - rise);
  return behind_shock * std::exp(a.density + t * rise + t * (1 - t) * bend);
}

}  // namespace tessera::blast
