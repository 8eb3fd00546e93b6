// SPDX-License-Identifier: BSD-3-Clause
// Counts and bounds of phases.
#include "hydro/phase_work.hpp"

#include <algorithm>

#include "global_facts.hpp"

namespace tessera::bench {

namespace {

constexpr double stages_of_a_step = 4;

}  // namespace

phase_work work_of(const gas_sizes& s, gas_phase phase, bool with_factors, bool with_list) {
  const double list = with_list ? s.list_bytes() : 0, vector = s.vector_bytes();
  phase_work w;
  switch (phase) {
    case gas_phase::forces:
    case gas_phase::power: {
      const bool forces = phase == gas_phase::forces;
      w = {.kept = s.kept_bytes() + list,
           .read = s.read_bytes(!forces),
           .written = s.written_bytes(forces),
           .flops = s.contraction_flops(),
           .points = double(s.points())};
      break;
    }
    case gas_phase::velocity:
      // q = A p; r from r, q, d; x and p from x, p, r, d: 8 vectors read, 4 written, of 5 in memory.
      w = {.kept = s.mass_bytes() + list,
           .read = 8 * vector,
           .written = 4 * vector,
           .footprint = s.mass_bytes() + list + 5 * vector,
           .flops = s.velocity_mass_flops()};
      return w;
    case gas_phase::energy:
      w = {.kept = with_factors ? s.factor_bytes() : s.mass_bytes(),
           .read = s.energy_bytes(),
           .written = s.energy_bytes(),
           .flops = with_factors ? s.energy_solve_flops() : 2 * s.value_flops()};
      break;
    case gas_phase::step: break;
  }
  w.footprint = w.bytes();
  return w;
}

phase_work work_of_step(const gas_sizes& s, const phase_work& forces, const phase_work& iteration,
                        const phase_work& energy, double iterations) {
  const auto sum = [&](double phase_work::*of) {
    return stages_of_a_step * (forces.*of + energy.*of) + iterations * (iteration.*of);
  };
  phase_work w{.kept = sum(&phase_work::kept),
               .read = sum(&phase_work::read),
               .written = sum(&phase_work::written),
               .footprint = std::max({forces.footprint, iteration.footprint, energy.footprint}),
               .flops = sum(&phase_work::flops),
               .points = sum(&phase_work::points)};
  w.read += s.step_sum_bytes();
  return w;
}

bound phase_bound(const phase_work& work, const std::vector<timing>& times, double point_rate, const setting& s) {
  bound b = limit_of(times, 1, work.bytes(), work.footprint, work.flops, s);
  if (point_rate > 0 && work.points / point_rate > b.seconds) {
    b.seconds = work.points / point_rate;
    b.by = "points";
    b.honest = 1;
  }
  return b;
}

bound step_bound(const gas_sizes& s, const bound& forces, const bound& iteration, const bound& energy,
                 double iterations) {
  return {.seconds = stages_of_a_step * (forces.seconds + energy.seconds) + iterations * iteration.seconds +
                     s.step_sum_bytes() / forces.bandwidth,
          .by = "phases",
          .bandwidth = forces.bandwidth,
          .peak = forces.peak,
          .honest = std::max({forces.honest, iteration.honest, energy.honest})};
}

}  // namespace tessera::bench
