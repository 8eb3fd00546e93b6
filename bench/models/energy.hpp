// SPDX-License-Identifier: BSD-3-Clause
// Energy: the integral of sampled power, figures of efficiency and delay, and a model by time, flops and bytes.
#pragma once

#include <optional>
#include <vector>

namespace tessera::bench::models {

struct power_sample {
  double seconds = 0, watts = 0;
};

/// Joules between the first and the last sample, by the trapezoidal rule. Times must not decrease; needs two samples.
double integrated_energy(const std::vector<power_sample>& samples);

/// A run: what it took and what it did.
struct energy_run {
  double seconds = 0, joules = 0, flops = 0, bytes = 0;
};

struct energy_figures {
  double watts = 0;            // E / T
  double flops_per_joule = 0;  // F / E
  double bytes_per_joule = 0;  // Q / E
  double runs_per_joule = 0;   // 1 / E: runs per second and watt are the same number, since (1 / T) / (E / T) = 1 / E
  double energy_delay = 0;     // E T, J s
  double energy_delay_2 = 0;   // E T^2, J s^2
};

energy_figures figures_of(const energy_run& run);

/// E = P_base T + e_F F + e_B Q
struct energy_model {
  double base_watts = 0;
  double joules_per_flop = 0;
  double joules_per_byte = 0;
  double worst_fit = 0;  // the largest |predicted / measured - 1| of the runs of the fit
};

double predicted_joules(const energy_model& by, double seconds, double flops, double bytes);

/// The model with the least sum of squares of predicted / measured - 1. Empty where the runs cannot tell the three
/// parts from each other, or where a part would be negative. Needs three runs.
std::optional<energy_model> fit_energy(const std::vector<energy_run>& runs);

}  // namespace tessera::bench::models
