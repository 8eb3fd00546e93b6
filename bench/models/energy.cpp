// SPDX-License-Identifier: BSD-3-Clause
// Energy of runs.
#include "models/energy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

constexpr const char* of_energy = "energy";

void require(const energy_run& run) {
  require_positive(of_energy, "the time in seconds", run.seconds);
  require_positive(of_energy, "the energy in joules", run.joules);
  require_not_negative(of_energy, "the number of flops", run.flops);
  require_not_negative(of_energy, "the number of bytes", run.bytes);
}

using row = std::array<double, 4>;  // three coefficients and the right-hand side

// By elimination with pivots; empty where a pivot is lost in the digits of the sums.
std::optional<std::array<double, 3>> solved(std::array<row, 3> system) {
  constexpr double least_pivot = 1e-9;  // columns are scaled to a diagonal of 1
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i + 1; j < 3; ++j)
      if (std::abs(system[j][i]) > std::abs(system[pivot][i])) pivot = j;
    std::swap(system[i], system[pivot]);
    if (!(std::abs(system[i][i]) > least_pivot)) return std::nullopt;
    for (std::size_t j = 0; j < 3; ++j) {
      if (j == i) continue;
      const double factor = system[j][i] / system[i][i];
      for (std::size_t l = i; l < 4; ++l) system[j][l] -= factor * system[i][l];
    }
  }
  return std::array{system[0][3] / system[0][0], system[1][3] / system[1][1], system[2][3] / system[2][2]};
}

}  // namespace

double integrated_energy(const std::vector<power_sample>& samples) {
  if (samples.size() < 2) throw error("energy: the integral of power needs at least two samples");
  double joules = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    require_not_negative(of_energy, "a power in watts", samples[i].watts);
    if (i == 0) continue;
    const double step = samples[i].seconds - samples[i - 1].seconds;
    if (!(step >= 0)) refuse(of_energy, "the time between two samples in seconds", step, "at least 0");
    joules += (samples[i].watts + samples[i - 1].watts) / 2 * step;
  }
  return joules;
}

energy_figures figures_of(const energy_run& run) {
  require(run);
  const double t = run.seconds, e = run.joules;
  return {.watts = e / t,
          .flops_per_joule = run.flops / e,
          .bytes_per_joule = run.bytes / e,
          .runs_per_joule = 1 / e,
          .energy_delay = e * t,
          .energy_delay_2 = e * t * t};
}

double predicted_joules(const energy_model& by, double seconds, double flops, double bytes) {
  require_not_negative(of_energy, "the time in seconds", seconds);
  require_not_negative(of_energy, "the number of flops", flops);
  require_not_negative(of_energy, "the number of bytes", bytes);
  return by.base_watts * seconds + by.joules_per_flop * flops + by.joules_per_byte * bytes;
}

std::optional<energy_model> fit_energy(const std::vector<energy_run>& runs) {
  if (runs.size() < 3) throw error("energy: a fit needs at least three runs");
  // Relative to the measured energy; each column is then scaled to length 1.
  const auto columns = [](const energy_run& r) {
    return std::array{r.seconds / r.joules, r.flops / r.joules, r.bytes / r.joules};
  };
  std::array<double, 3> length{};
  for (const energy_run& r : runs) {
    require(r);
    for (std::size_t i = 0; i < 3; ++i) length[i] += columns(r)[i] * columns(r)[i];
  }
  for (double& l : length) {
    if (!(l > 0)) return std::nullopt;
    l = std::sqrt(l);
  }
  std::array<row, 3> system{};
  for (const energy_run& r : runs)
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) system[i][j] += columns(r)[i] / length[i] * (columns(r)[j] / length[j]);
      system[i][3] += columns(r)[i] / length[i];
    }
  const auto x = solved(system);
  if (!x) return std::nullopt;
  energy_model made{(*x)[0] / length[0], (*x)[1] / length[1], (*x)[2] / length[2]};
  if (made.base_watts < 0 || made.joules_per_flop < 0 || made.joules_per_byte < 0) return std::nullopt;
  for (const energy_run& r : runs)
    made.worst_fit =
        std::max(made.worst_fit, std::abs(predicted_joules(made, r.seconds, r.flops, r.bytes) / r.joules - 1));
  return made;
}

}  // namespace tessera::bench::models
