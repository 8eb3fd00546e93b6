// SPDX-License-Identifier: BSD-3-Clause
// Solutions that are known: Sod's shock tube and Sedov's blast wave, as densities.
#pragma once

#include <vector>

namespace tessera::blast {

/// Sod's shock tube, whose diaphragm is at 0.5, gamma 1.4: a rarefaction, a contact and a shock. In a tube from 0 to 1
/// until one of them is at an end.
double sod_density_at(double x, double time);
double sod_ends_at();

/// Sedov's point blast in a gas of density 1: a similarity solution of one variable, r over the radius of the shock.
class sedov_wave {
 public:
  /// `energy` of all of space, in 1, 2 or 3 dimensions.
  sedov_wave(int dim, double gamma, double energy);

  /// Energy over density, time and radius: radius^(dim + 2) = energy time^2 / alpha.
  double alpha() const { return alpha_; }
  double shock_radius(double time) const;
  double density(double radius, double time) const;

 private:
  struct at_v {
    double lambda, density, velocity, pressure;  // over their values behind the shock
  };
  // V is the variable of the closed form. Its distance from the centre's is given, which is far below V's rounding.
  at_v at(double from_centre) const;
  double beyond_centre(double s) const;  // s in [0, 1] from the centre to the shock
  void tabulate();

  int dim_;
  double gamma_, energy_, alpha_ = 0;
  double a_, b_, c_, d_, f_, alpha_0_, alpha_1_, alpha_2_, alpha_3_, alpha_4_, alpha_5_, v_centre_, v_shock_;
  struct node {
    double lambda, density, slope;  // logarithms, and of the second over the first
  };
  std::vector<node> nodes_;  // from near the centre to the shock
};

}  // namespace tessera::blast
