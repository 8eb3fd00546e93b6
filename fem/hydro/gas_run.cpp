// SPDX-License-Identifier: BSD-3-Clause
// Step control.
#include <tessera/fem/hydro/gas_run.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include <tessera/error.hpp>

namespace tessera::fem {

namespace {

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

std::string brief_text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

constexpr double without_numbers =
    std::numeric_limits<double>::infinity();  // as a rate: of a step with a solve that met NaN

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
      tried_(vector(in.state_size(), options.space)),
      dot_(in.thermodynamic(), options.space) {
  if (!(options.final_time > 0)) throw error("gas_run: the final time is not positive");
  if (!(options.cfl > 0) || std::isinf(options.cfl)) throw error("gas_run: the CFL number is not positive and finite");
  if (!(options.shortest_step > 0)) throw error("gas_run: the shortest step is not positive");
  if (physics.source && in.dim != 2) throw error("gas_run: the source of the Taylor-Green vortex is one of 2-D");
  const highest_rate limit = tried_start(start);
  if (!(limit.rate > 0)) throw error("gas_run: the gas is at rest and cold: nothing will happen");
  std::swap(state_, tried_);
  is_evaluated_ = true;
  dt_ = printed_dt_ = options.cfl / limit.rate;
}

// Whatever fails, the state is what it was.
highest_rate gas_run::tried_start(const std::vector<double>& numbers) {
  if (index_t(numbers.size()) != in_.state_size())
    throw error("gas_run: a state of " + std::to_string(numbers.size()) + " numbers, not of " +
                    std::to_string(in_.state_size()),
                status::shape_mismatch);
  for (const index_t wall : in_.nodes.walls)
    if (const double v = numbers[std::size_t(in_.kinematic() + wall)]; v != 0)
      throw error("gas_run: the velocity at the start is " + text_of(v) + " in component " +
                  std::to_string(wall / in_.nodes.count) + " of node " + std::to_string(wall % in_.nodes.count) +
                  ", which is at a wall");
  copy_memory(tried_.data(), numbers.data(), tried_.bytes());
  is_evaluated_ = false;
  const highest_rate limit = motion_.limit_at(at(tried_));
  if (limit.rate >= hydro::tangled_rate)
    throw error("gas_run: zone " + std::to_string(zone_that_limits(numbers, limit.zone)) +
                " is tangled at the start, or its numbers are none: is the mesh one that this gas is defined on?");
  return limit;
}

// On a GPU a zone without numbers may spoil those beside it, so that the first of them is named: the one that is
// itself tangled, or has no numbers, is a few zones on.
index_t gas_run::zone_that_limits(const std::vector<double>& numbers, index_t first) const {
  for (index_t zone = first; zone < std::min(in_.zones, first + 4); ++zone)
    if (limit_in_zone(in_, physics_, numbers.data(), zone).rate >= hydro::tangled_rate) return zone;
  return first;
}

void gas_run::refuse_step(const highest_rate& limit) const {
  const std::string step = "step " + std::to_string(steps_ + 1) + " at time " + text_of(time_) + " got shorter than " +
                           brief_text_of(options_.shortest_step) + ", or than what changes the time: ";
  if (limit.rate == without_numbers) throw gas_step_crashed(step + "a solve with a mass has no numbers");
  std::vector<double> tried(std::size_t(in_.state_size()));
  copy_memory(tried.data(), tried_.data(), tried_.bytes());
  const index_t zone = limit.rate >= hydro::tangled_rate ? zone_that_limits(tried, limit.zone) : limit.zone;
  const point_limit there = limit_in_zone(in_, physics_, tried.data(), zone);
  throw gas_step_crashed(
      step + "zone " + std::to_string(zone) +
      (there.rate < limit.rate ? " in a stage of it; at its end it has determinant " : " has determinant ") +
      text_of(there.determinant) + " at its point " + std::to_string(there.point) + " and allows " +
      text_of(options_.cfl / there.rate));
}

void gas_run::step() {
  if (finished_) throw error("gas_run: a step after the final time " + text_of(options_.final_time));
  double wanted = dt_;
  if (!(time_ + wanted > time_) || (wanted < options_.shortest_step && time_ + wanted < options_.final_time))
    throw gas_step_crashed("step " + std::to_string(steps_ + 1) + " at time " + text_of(time_) + " would be " +
                           text_of(wanted) + " long, shorter than " + brief_text_of(options_.shortest_step) +
                           ", or than what changes the time");
  if (!is_evaluated_) {  // after something failed
    motion_.limit_at(state());
    is_evaluated_ = true;
  }
  for (long repeats = 0;; ++repeats) {
    const bool last = time_ + wanted >= options_.final_time;
    const double dt = last ? options_.final_time - time_ : wanted;
    const highest_rate limit = tried_step(dt);
    const double longest = options_.cfl / limit.rate;
    if (longest < dt) {
      wanted = 0.85 * dt;
      if (wanted < options_.shortest_step || !(time_ + wanted > time_)) refuse_step(limit);
      continue;
    }
    std::swap(state_, tried_);
    is_evaluated_ = true;
    time_ = last ? options_.final_time : time_ + dt;
    printed_dt_ = longest > 1.25 * dt ? 1.02 * dt : dt;
    dt_ = last ? wanted : printed_dt_;
    last_dt_ = dt;
    ++steps_;
    repeats_ += repeats;
    finished_ = last;
    return;
  }
}

highest_rate gas_run::tried_step(double dt) {
  const long before = masses_.without_numbers();
  motion_.advance(state(), dt, at(tried_),
                  std::exchange(is_evaluated_, false) ? first_stage::is_evaluated : first_stage::evaluates);
  const highest_rate limit = motion_.limit_of_step(at(tried_));
  return masses_.without_numbers() == before ? limit : highest_rate{.rate = without_numbers};
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
  if (!(kept.time >= 0) || !(kept.dt > 0) || !(kept.dt < options_.final_time * 1e300))
    throw error("gas_run: a state of time " + text_of(kept.time) + " whose next step is " + text_of(kept.dt));
  tried_start(kept.numbers);
  std::swap(state_, tried_);
  is_evaluated_ = true;
  steps_ = kept.steps;
  repeats_ = kept.repeats;
  time_ = kept.time;
  dt_ = printed_dt_ = kept.dt;
  finished_ = false;
}

}  // namespace tessera::fem
