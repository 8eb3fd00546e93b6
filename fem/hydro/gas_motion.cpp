// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge-Kutta methods as tables, and the one of two stages that keeps the total energy.
#include <tessera/fem/hydro/gas_motion.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include <tessera/error.hpp>
#include <tessera/memory.hpp>
#include <tessera/solver/vector_sums.hpp>

namespace tessera::fem {

namespace {

// Stage i starts from the state plus dt sum_j a[i][j] k_j, j < i; the step ends at the state plus dt sum b_j k_j.
struct runge_kutta {
  int number;
  gas_method is;
  std::string name;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};
const std::vector<runge_kutta>& all_methods() {
  static const std::vector<runge_kutta> all{
      {1, gas_method::euler, "Euler", {{}}, {1}},
      {2, gas_method::midpoint, "midpoint", {{}, {0.5}}, {0, 1}},
      {3, gas_method::ssp3, "RK3 SSP", {{}, {1}, {0.25, 0.25}}, {1.0 / 6, 1.0 / 6, 2.0 / 3}},
      {4, gas_method::rk4, "RK4", {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
      // Verner's method of order 6 with 8 stages.
      {6,
       gas_method::rk6,
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
      {7, gas_method::rk2_average, "RK2 with averaged velocity", {}, {}}};
  return all;
}

// Adds the time until its end, when all work of a GPU is done.
class stopwatch {
 public:
  stopwatch(double& sum, space_kind space) : sum_(sum), space_(space), from_(std::chrono::steady_clock::now()) {}
  ~stopwatch() {
    if (space_ == space_kind::gpu) finish_quietly();
    sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - from_).count();
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

 private:
  static void finish_quietly() noexcept try { stream_view().synchronize(); } catch (...) {
  }
  double& sum_;
  space_kind space_;
  std::chrono::steady_clock::time_point from_;
};

}  // namespace

gas_method gas_method_of(int number) {
  for (const auto& each : all_methods())
    if (each.number == number) return each.is;
  throw error("there is no Runge-Kutta method " + std::to_string(number) + ": " + gas_method_names());
}

std::string gas_method_names() {
  std::string names;
  for (const auto& each : all_methods())
    names += (names.empty() ? "" : ", ") + std::to_string(each.number) + " " + each.name;
  return names;
}

struct gas_motion::state {
  const gas_spaces& in;
  gas_physics physics;
  gas_method how;
  gas_masses& masses;
  space_kind space;
  corner_forces forces;
  gas_phases spent{};
  bool counted = false;  // rates have some of this step
  buffer on_nodes, power, load, rates, stage, weight;
  std::vector<buffer> slopes{};  // of the stages

  state(const gas_spaces& of, const gas_physics& with, gas_method by, gas_masses& and_masses, space_kind where)
      : in(of),
        physics(with),
        how(by),
        masses(and_masses),
        space(where),
        forces(make_corner_forces(in, physics, space)),
        on_nodes(vector(in.kinematic())),
        power(vector(in.thermodynamic())),
        load(vector(in.kinematic())),
        rates(vector(in.zones)),
        stage(vector(in.state_size())) {
    for (std::size_t c = 0; c < physics.gravity.size(); ++c)
      if (!std::isfinite(physics.gravity[c]) || (index_t(c) >= in.dim && physics.gravity[c] != 0))
        throw error("gas_motion: gravity is " + std::to_string(physics.gravity[c]) + " in direction " +
                    std::to_string(c) + " of " + std::to_string(in.dim));
    if (physics.gravity == point{}) return;
    std::vector<double> weights;
    for (int c = 0; c < in.dim; ++c)
      for (const double mass : masses.node_masses()) weights.push_back(physics.gravity[std::size_t(c)] * mass);
    weight = vector(in.kinematic());
    copy_memory(weight.data(), weights.data(), weight.bytes());
  }

  buffer vector(index_t n) const { return {space, std::size_t(n) * sizeof(double)}; }
  static double* at(const buffer& of) { return static_cast<double*>(of.data()); }
  double* slope(std::size_t i) {
    while (slopes.size() <= i) slopes.push_back(vector(in.state_size()));
    return at(slopes[i]);
  }
  void sum(index_t n, const double* x, const std::vector<scaled_vector>& terms, double* y) const {
    combine(n, x, terms, y, space);
  }

  force_call call_at(const double* x) const { return {.x = x, .v = x + in.kinematic(), .e = x + 2 * in.kinematic()}; }
  // The averaged method needs the power that the forces give another velocity.
  bool needs_power() const { return how != gas_method::rk2_average; }
  void evaluate(const double* x) {
    const stopwatch timed(spent.forces, space);
    force_call call = call_at(x);
    call.forces = at(on_nodes);
    if (needs_power()) call.power = at(power);
    call.source = needs_power() && physics.source;
    call.rates = at(rates);
    call.highest_rates = counted;
    counted = true;
    forces.run(call);
    ++spent.evaluations;
  }
  highest_rate limit(const double* x) {
    evaluate(x);
    return forces.highest(at(rates));
  }

  void acceleration(double* a) {
    const stopwatch timed(spent.velocity_mass, space);
    sum(in.kinematic(), weight.data() == nullptr ? nullptr : at(weight), {{-1, at(on_nodes)}}, at(load));
    masses.solve_velocity(at(load), a);
  }
  void energy_rate(double* de) {
    const stopwatch timed(spent.energy_mass, space);
    masses.solve_energy(at(power), de);
  }

  void take_rates(const double* x, double* rate, first_stage is) {
    ++spent.stages;
    if (is == first_stage::evaluates) evaluate(x);
    const index_t n = in.kinematic();
    sum(n, x + n, {}, rate);
    acceleration(rate + n);
    energy_rate(rate + 2 * n);
  }

  void table_step(const runge_kutta& by, const double* from, double dt, double* to, first_stage first) {
    const auto terms = [&](const std::vector<double>& factors) {
      std::vector<scaled_vector> made;
      for (std::size_t j = 0; j < factors.size(); ++j)
        if (factors[j] != 0) made.push_back({dt * factors[j], slope(j)});
      return made;
    };
    for (std::size_t i = 0; i < by.b.size(); ++i) {
      if (i > 0) sum(in.state_size(), from, terms(by.a[i]), at(stage));
      take_rates(i == 0 ? from : at(stage), slope(i), i == 0 ? first : first_stage::evaluates);
    }
    sum(in.state_size(), from, terms(by.b), to);
  }

  // Both stages give the gas the power of the forces on the average of the old and of the new velocity: what the nodes
  // lose it gains. (x, v, e) at the half of the step, then at its end.
  void average_step(const double* from, double dt, double* to, first_stage first) {
    const index_t n = in.kinematic();
    double* const average = slope(0);  // (velocity, acceleration, de/dt)
    double* const a = average + n;
    double* const de = a + n;
    const double* x = from;
    for (const double part : {0.5 * dt, dt}) {
      ++spent.stages;
      if (x != from || first == first_stage::evaluates) evaluate(x);
      acceleration(a);
      sum(n, from + n, {{0.5 * dt, a}}, average);
      {
        const stopwatch timed(spent.forces, space);
        force_call call = call_at(x);
        call.w = average;
        call.power = at(power);
        call.source = physics.source;
        forces.run(call);
        ++spent.evaluations;
      }
      energy_rate(de);
      double* const next = part == dt ? to : at(stage);
      sum(in.state_size(), from, {{part, average}}, next);
      x = next;
    }
  }
};

gas_motion::gas_motion(const gas_spaces& in, const gas_physics& physics, gas_method how, gas_masses& of,
                       space_kind space)
    : state_(std::make_unique<state>(in, physics, how, of, space)) {}
gas_motion::~gas_motion() = default;

void gas_motion::advance(const double* from, double dt, double* to, first_stage first) {
  state_->counted = false;
  if (state_->how == gas_method::rk2_average) return state_->average_step(from, dt, to, first);
  const auto by =
      std::find_if(all_methods().begin(), all_methods().end(), [&](const auto& m) { return m.is == state_->how; });
  state_->table_step(*by, from, dt, to, first);
}

highest_rate gas_motion::limit_at(const double* x) {
  state_->counted = false;
  return state_->limit(x);
}
highest_rate gas_motion::limit_of_step(const double* x) { return state_->limit(x); }
const gas_phases& gas_motion::spent() const { return state_->spent; }
const corner_forces& gas_motion::forces() const { return state_->forces; }

}  // namespace tessera::fem
