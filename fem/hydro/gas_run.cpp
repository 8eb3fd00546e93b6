// SPDX-License-Identifier: BSD-3-Clause
// Step control.
#include <tessera/fem/hydro/gas_run.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

#include <tessera/error.hpp>

namespace tessera::fem {

namespace {

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

buffer vector(index_t n, space_kind space) { return {space, std::size_t(n) * sizeof(double)}; }

}  // namespace

gas_run::gas_run(const gas_spaces& in, const gas_physics& physics, const std::vector<double>& start,
                 const gas_run_options& options)
    : in_(in),
      physics_(physics),
      options_(options),
      masses_(in_, options.masses, options.space),
      motion_(in_, physics, options.method, masses_, options.space),
      state_(vector(in.state_size(), options.space)),
      before_(vector(in.state_size(), options.space)),
      dot_(in.thermodynamic(), options.space) {
  if (!(options.final_time > 0)) throw error("gas_run: the final time is not positive");
  if (!(options.cfl > 0)) throw error("gas_run: the CFL number is not positive");
  put(start);
  const highest_rate limit = motion_.limit_at(state());
  if (!(limit.rate > 0)) throw error("gas_run: the gas is at rest and cold: nothing will happen");
  if (limit.rate >= hydro::tangled_rate)
    throw error("gas_run: the gas has no numbers at the start, in zone " + std::to_string(limit.zone) +
                " of the mesh: is the mesh one that the problem is defined on?");
  dt_ = printed_dt_ = options.cfl / limit.rate;
}

void gas_run::put(const std::vector<double>& numbers) {
  if (index_t(numbers.size()) != in_.state_size())
    throw error("gas_run: a state of " + std::to_string(numbers.size()) + " numbers, not of " +
                    std::to_string(in_.state_size()),
                status::shape_mismatch);
  copy_memory(state_.data(), numbers.data(), state_.bytes());
}

void gas_run::step() {
  const double first_dt = dt_;
  for (;;) {
    const bool last = time_ + dt_ >= options_.final_time;
    const double dt = last ? options_.final_time - time_ : dt_;
    std::swap(before_, state_);
    motion_.begin_step();
    motion_.advance(at(before_), dt, at(state_));
    const highest_rate limit = motion_.limit_at(state());
    const double longest = options_.cfl / limit.rate;
    if (longest < dt) {
      ++repeats_;
      motion_.forget();
      std::swap(before_, state_);
      dt_ = 0.85 * dt;
      if (dt_ >= 2.22e-16) continue;
      dt_ = first_dt;
      std::vector<double> tried(std::size_t(in_.state_size()));
      copy_memory(tried.data(), before_.data(), before_.bytes());
      const point_limit there = limit_in_zone(in_, physics_, tried.data(), limit.zone);
      throw gas_step_crashed("step " + std::to_string(steps_ + 1) + " at time " + text_of(time_) +
                             " got shorter than 2.2e-16: zone " + std::to_string(limit.zone) + " has determinant " +
                             text_of(there.determinant) + " at its point " + std::to_string(there.point) +
                             " and allows " + text_of(longest));
    }
    time_ = last ? options_.final_time : time_ + dt;
    printed_dt_ = longest > 1.25 * dt ? 1.02 * dt : dt;
    if (!last) dt_ = printed_dt_;
    last_dt_ = dt;
    ++steps_;
    finished_ = last;
    return;
  }
}

double gas_run::energy_norm() const {
  const double* const e = state() + 2 * in_.kinematic();
  return std::sqrt(dot_(in_.thermodynamic(), e, e));
}

std::vector<double> gas_run::state_on_host() const {
  std::vector<double> numbers(std::size_t(in_.state_size()));
  copy_memory(numbers.data(), state_.data(), state_.bytes());
  return numbers;
}

gas_run_state gas_run::kept() const {
  return {.steps = steps_, .repeats = repeats_, .time = time_, .dt = dt_, .numbers = state_on_host()};
}

void gas_run::go_on_from(const gas_run_state& kept) {
  if (kept.time >= options_.final_time)
    throw error("gas_run: a state of time " + text_of(kept.time) + ", not before the final time " +
                text_of(options_.final_time));
  put(kept.numbers);
  steps_ = kept.steps;
  repeats_ = kept.repeats;
  time_ = kept.time;
  dt_ = printed_dt_ = kept.dt;
  finished_ = false;
  motion_.forget();
  motion_.begin_step();
  motion_.limit_at(state());
}

}  // namespace tessera::fem
