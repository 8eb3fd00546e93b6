// SPDX-License-Identifier: BSD-3-Clause
// Runs the phases of a step.
#include "hydro/gas_case.hpp"

#include <tessera/solver/vector_sums.hpp>

namespace tessera::bench {

namespace {

constexpr double part_of_longest_step = 0.25;

}  // namespace

const char* name_of(gas_phase phase) {
  switch (phase) {
    case gas_phase::forces: return "forces";
    case gas_phase::power: return "power";
    case gas_phase::velocity: return "velocity";
    case gas_phase::energy: return "energy";
    case gas_phase::step: break;
  }
  return "step";
}

gas_case::gas_case(const gas_sizes& sizes, space_kind space)
    : sizes_(sizes),
      space_(space),
      box_(make_gas_box(sizes)),
      masses_(box_.in, {}, space),
      motion_(box_.in, {}, fem::gas_method::rk4, masses_, space),
      state_(brought(box_.state)),
      other_(brought(box_.other)),
      load_(brought(box_.load)),
      sources_(brought(box_.sources)),
      forces_(vector(sizes.kinematic() + sizes.thermodynamic() + sizes.zones())),
      power_(vector(sizes.thermodynamic())),
      acceleration_(vector(sizes.kinematic())),
      energy_rate_(vector(sizes.thermodynamic())),
      stepped_(vector(box_.in.state_size())) {
  run_forces(true);
  const double* const rates = at(forces_) + sizes.kinematic() + sizes.thermodynamic();
  dt_ = part_of_longest_step / motion_.forces().highest(rates).rate;
}

buffer gas_case::brought(const std::vector<double>& from) const {
  buffer made = vector(index_t(from.size()));
  copy_memory(made.data(), from.data(), made.bytes());
  return made;
}

force_call gas_case::call_at(const double* state) const {
  return {.x = state, .v = state + sizes_.kinematic(), .e = state + 2 * sizes_.kinematic()};
}

void gas_case::run_forces(bool forces) const {
  force_call call = call_at(at(state_));
  if (forces) {
    call.forces = at(forces_);
    call.power = call.forces + sizes_.kinematic();
    call.rates = call.power + sizes_.thermodynamic();
  } else {
    call.w = at(other_);
    call.power = at(power_);
  }
  motion_.forces().run(call);
}

void gas_case::run(gas_phase phase) {
  switch (phase) {
    case gas_phase::forces: return run_forces(true);
    case gas_phase::power: return run_forces(false);
    case gas_phase::velocity: {
      const long before = masses_.velocity_iterations();
      masses_.solve_velocity(at(load_), at(acceleration_));
      iterations_ = masses_.velocity_iterations() - before;
      return;
    }
    case gas_phase::energy: return masses_.solve_energy(at(sources_), at(energy_rate_));
    case gas_phase::step: return motion_.advance(at(state_), dt_, at(stepped_));
  }
}

const buffer& gas_case::results_of(gas_phase phase) const {
  switch (phase) {
    case gas_phase::forces: return forces_;
    case gas_phase::power: return power_;
    case gas_phase::velocity: return acceleration_;
    case gas_phase::energy: return energy_rate_;
    case gas_phase::step: break;
  }
  return stepped_;
}

std::vector<double> gas_case::found(gas_phase phase) const {
  const buffer& from = results_of(phase);
  std::vector<double> numbers(from.bytes() / sizeof(double));
  copy_memory(numbers.data(), from.data(), from.bytes());
  return numbers;
}

std::string gas_case::describe(gas_phase phase) const {
  switch (phase) {
    case gas_phase::forces:
    case gas_phase::power: return motion_.forces().describe();
    case gas_phase::velocity: return "conjugate gradients with Jacobi";
    case gas_phase::energy: return masses_.describe_energy_solver();
    case gas_phase::step: break;
  }
  return "RK4: " + motion_.forces().describe() + "; conjugate gradients with Jacobi; " +
         masses_.describe_energy_solver();
}

// The classic method of order 4, by the calls that the other phases are checked by.
std::vector<double> gas_case::step_by_phases() const {
  const index_t n = sizes_.kinematic(), size = box_.in.state_size();
  const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const buffer stage = vector(size), load = vector(n), f = vector(n), p = vector(sizes_.thermodynamic());
  buffer slopes[4], end = vector(size);
  std::vector<scaled_vector> terms;
  for (int i = 0; i < 4; ++i) {
    const double* from = at(state_);
    if (i > 0) {
      const scaled_vector term{dt_ * nodes[i], at(slopes[i - 1])};
      combine(size, from, {&term, 1}, at(stage), space_);
      from = at(stage);
    }
    slopes[i] = vector(size);
    double* const slope = at(slopes[i]);
    force_call call = call_at(from);
    call.forces = at(f);
    call.power = at(p);
    motion_.forces().run(call);
    const scaled_vector minus{-1, at(f)};
    combine(n, from + n, {}, slope, space_);
    combine(n, nullptr, {&minus, 1}, at(load), space_);
    masses_.solve_velocity(at(load), slope + n);
    masses_.solve_energy(at(p), slope + 2 * n);
    terms.push_back({dt_ * weights[i], slope});
  }
  combine(size, at(state_), terms, at(end), space_);
  std::vector<double> numbers(static_cast<std::size_t>(size));
  copy_memory(numbers.data(), end.data(), end.bytes());
  return numbers;
}

}  // namespace tessera::bench
