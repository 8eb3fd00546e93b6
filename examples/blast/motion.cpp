// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge-Kutta methods as tables, and the one of two stages that keeps the total energy.
#include "motion.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace tessera::blast {

namespace {

// Stage i starts from the state plus dt sum_j a[i][j] k_j, j < i; the step ends at the state plus dt sum b_j k_j.
struct runge_kutta {
  int number;
  method is;
  std::string name;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};
const std::vector<runge_kutta>& all_methods() {
  static const std::vector<runge_kutta> all{
      {1, method::euler, "Euler", {{}}, {1}},
      {2, method::midpoint, "midpoint", {{}, {0.5}}, {0, 1}},
      {3, method::ssp3, "RK3 SSP", {{}, {1}, {0.25, 0.25}}, {1.0 / 6, 1.0 / 6, 2.0 / 3}},
      {4, method::rk4, "RK4", {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
      // Verner's method of order 6 with 8 stages.
      {6,
       method::rk6,
       "RK6",
       {{},
        {.06},
        {.01923996296296296296296296296296296296296, .07669337037037037037037037037037037037037},
        {.035975, 0, .107925},
        {1.318683415233148260919747276431735612861, 0, -5.042058063628562225427761634715637693344,
         4.220674648395413964508014358283902080483},
        {-41.87259166432751461803757780644346812905, 0, 159.4325621631374917700365669070346830453,
         -122.1192135650100309202516203389242140663, 5.531743066200053768252631238332999150076},
        {-54.43015693531650433250642051294142461271, 0, 207.0672513650184644273657173866509835987,
         -158.6108137845899991828742424365059599469, 6.991816585950242321992597280791793907096,
         -.01859723106220323397765171799549294623692},
        {-54.66374178728197680241215648050386959351, 0, 207.9528062553893734515824816699834244238,
         -159.2889574744995071508959805871426654216, 7.018743740796944434698170760964252490817,
         -.01833878590504572306472782005141738268361, -.0005119484997882099077875432497245168395840}},
       {.03438957868357036009278820124728322386520, 0, 0, .2582624555633503404659558098586120858767,
        .4209371189673537150642551514069801967032, 4.405396469669310170148836816197095664891,
        -176.4831190242986576151740942499002125029, 172.3641334014150730294022582711902413315}},
      {7, method::rk2_average, "RK2 with averaged velocity", {}, {}}};
  return all;
}

class stopwatch {
 public:
  explicit stopwatch(double& sum) : sum_(sum), from_(std::chrono::steady_clock::now()) {}
  ~stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - from_).count(); }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point from_;
};

// y = x + sum of factors times vectors.
void combine(index_t n, const double* x, const std::vector<std::pair<double, const double*>>& terms, double* y) {
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < n; ++i) {
    double sum = x[i];
    for (const auto& [factor, vector] : terms) sum += factor * vector[i];
    y[i] = sum;
  }
}

}  // namespace

method method_of(int number) {
  for (const auto& each : all_methods())
    if (each.number == number) return each.is;
  throw std::runtime_error("there is no Runge-Kutta method " + std::to_string(number) + ": " + method_names());
}

std::string method_names() {
  std::string names;
  for (const auto& each : all_methods())
    names += (names.empty() ? "" : ", ") + std::to_string(each.number) + " " + each.name;
  return names;
}

motion::motion(const spaces& in, const problem& which, method how, const forces& by, masses& of)
    : in_(in),
      which_(which),
      how_(how),
      forces_(by),
      masses_(of),
      on_nodes_(std::size_t(in.kinematic())),
      power_(std::size_t(in.thermodynamic())),
      work_(on_nodes_.size()),
      stage_(std::size_t(in.state_size())) {}

void motion::evaluate(const double* state, bool with_power) {
  if (known_ && (power_too_ || !with_power)) return;
  const stopwatch timed(spent_.forces);
  const double* v = state + in_.kinematic();
  const step_limit found =
      forces_.evaluate(state, on_nodes_.data(), with_power ? v : nullptr, with_power ? power_.data() : nullptr);
  ++spent_.evaluations;
  if (!known_ && found.rate > highest_.rate) highest_ = found;
  known_ = true;
  power_too_ = with_power;
}

step_limit motion::limit_at(const double* state) {
  evaluate(state, how_ != method::rk2_average);
  return highest_;
}

void motion::acceleration(double* a) {
  const stopwatch timed(spent_.velocity_mass);
  const auto& m = masses_.node_masses();
  for (index_t c = 0; c < in_.dim; ++c)
    for (index_t i = 0; i < in_.nodes.count; ++i) {
      const std::size_t at = std::size_t(i + in_.nodes.count * c);
      work_[at] = which_.gravity[std::size_t(c)] * m[std::size_t(i)] - on_nodes_[at];
    }
  masses_.solve_velocity(work_.data(), a);
}

void motion::energy_rate(double* power, double* de) {
  const stopwatch timed(spent_.energy_mass);
  masses_.solve_energy(power, de);
}

void motion::rates(const double* state, double* rate) {
  ++spent_.stages;
  evaluate(state, true);
  const index_t n = in_.kinematic();
  std::copy(state + n, state + 2 * n, rate);
  acceleration(rate + n);
  energy_rate(power_.data(), rate + 2 * n);
  known_ = false;
}

void motion::advance(const double* from, double dt, double* state) {
  if (how_ == method::rk2_average) return average_step(from, dt, state);
  const auto table =
      std::find_if(all_methods().begin(), all_methods().end(), [&](const auto& m) { return m.is == how_; });
  const std::size_t stages = table->b.size();
  while (rates_.size() < stages) rates_.emplace_back(stage_.size());
  const auto terms = [&](const std::vector<double>& factors) {
    std::vector<std::pair<double, const double*>> made;
    for (std::size_t j = 0; j < factors.size(); ++j)
      if (factors[j] != 0) made.emplace_back(dt * factors[j], rates_[j].data());
    return made;
  };
  for (std::size_t i = 0; i < stages; ++i) {
    const double* at = from;
    if (i > 0) {
      combine(in_.state_size(), from, terms(table->a[i]), stage_.data());
      at = stage_.data();
    }
    rates(at, rates_[i].data());
  }
  combine(in_.state_size(), from, terms(table->b), state);
}

// Both stages give the gas the power of the forces on the average of the old and of the new velocity: what the nodes
// lose it gains. (x, v, e) at the half of the step, then at its end.
void motion::average_step(const double* from, double dt, double* state) {
  while (rates_.size() < 1) rates_.emplace_back(stage_.size());
  const index_t n = in_.kinematic();
  double* average = rates_[0].data();  // (velocity, acceleration, de/dt)
  double* a = average + n;
  double* de = a + n;
  const double* at = from;
  for (const double part : {0.5 * dt, dt}) {
    ++spent_.stages;
    evaluate(at, false);
    acceleration(a);
    combine(n, from + n, {{0.5 * dt, a}}, average);
    {
      const stopwatch timed(spent_.forces);
      forces_.evaluate(at, nullptr, average, power_.data());
      ++spent_.evaluations;
    }
    energy_rate(power_.data(), de);
    double* to = part == dt ? state : stage_.data();
    combine(in_.state_size(), from, {{part, average}}, to);
    known_ = false;
    at = to;
  }
}

}  // namespace tessera::blast
