// SPDX-License-Identifier: BSD-3-Clause
// Suite hydro: the phases of Lagrangian hydrodynamics, corner forces, power, both mass matrices and a whole step, by
// order.
#include <omp.h>

#include <cstdio>
#include <map>
#include <optional>

#include <tessera/error.hpp>

#include "box_numbers.hpp"
#include "global_facts.hpp"
#include "gpu/point_function.hpp"
#include "hydro/gas_case.hpp"
#include "hydro/gas_movement.hpp"
#include "hydro/phase_work.hpp"
#include "measure/gpu/device.hpp"
#include "measure/machine.hpp"
#include "measure/stopwatch.hpp"
#include "sizes.hpp"
#include "solve_case.hpp"
#include "suites.hpp"

namespace tessera::bench {

namespace {

constexpr index_t points_of_a_cpu = 4'000'000, points_of_a_gpu = 16'000'000;
constexpr int highest_order = 8;
// Of a pass, in seconds: an interruption is a small part of a longer one, and every long one has some.
constexpr double longest_undisturbed = 0.1;

template <class... Numbers>
std::string words(const char* format, Numbers... numbers) {
  char text[128];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

// What was counted while steps ran.
struct gas_counts {
  fem::gas_phases spent;
  long iterations = 0;

  explicit gas_counts(const gas_case& c) : spent(c.spent()), iterations(c.all_iterations()) {}
};

// The phases of one box, one after the other.
class gas_measurements {
 public:
  gas_measurements(const gas_sizes& sizes, setting& s, report& to)
      : c_(sizes, space_of(s)), s_(s), to_(to), with_list_(honest_movement(space_of(s), list_footprint(sizes)) == 1) {
    if (s.on == target::cuda)
      point_rate_ = device::point_function_rate(sizes.dim, {.length = 0.01, .order = sizes.order});
  }

  void run() {
    for (const gas_phase phase : gas_phases_of_a_step) {
      const stopwatch of_pass;
      run_for_profiler(s_, "tessera", [&] { c_.run(phase); });
      is_long_ = of_pass.seconds() > longest_undisturbed;
      const verdict v = c_.check(phase);
      if (!v.correct()) return to_.refuse(label_of(phase), "tessera", v);  // the step needs all phases
      if (phase == gas_phase::step)
        measure_step(v);
      else
        measure_phase(phase, v);
    }
  }

 private:
  static double list_footprint(const gas_sizes& s) {
    return s.list_bytes() + s.kept_bytes() + s.read_bytes(false) + s.written_bytes(true);
  }
  std::string label_of(gas_phase phase) const {
    const gas_sizes& s = c_.sizes();
    return std::to_string(s.dim) + "-D k=" + std::to_string(s.order) + " " + name_of(phase) + " " +
           rounded(double(s.points()));
  }
  // Of the iterations of the last solve; a component that ends early leaves a part of one.
  double iterations() const { return double(c_.iterations()) / c_.sizes().dim; }

  protocol protocol_now() const {
    protocol how = protocol_for(s_);
    if (is_long_) how.instruments.disturbances = {};
    return how;
  }

  // Plain movement of the bytes of the phase.
  std::vector<contender> movements(gas_phase phase, const phase_work& work) {
    if (s_.on == target::cuda) {
      if (s_.with.heat != thermal::cool) return {};
      return {{"movement", device::copy_pass(std::size_t(work.bytes()))}};
    }
    std::function<void(bool)> move;
    const int threads = s_.with.threads;
    if (phase == gas_phase::velocity) {
      const auto data = std::make_shared<const buffer>(filled_memory(work.kept));
      const std::span D(static_cast<const std::byte*>(data->data()), data->bytes());
      const auto moved = std::make_shared<const iteration_movement>(D, std::size_t(c_.sizes().vector_bytes()));
      move = [data, moved, threads](bool streaming) { moved->run(streaming, threads); };
    } else {
      const auto moved = std::make_shared<const gas_movement>(work.kept, work.read, work.written);
      move = [moved, threads](bool streaming) { moved->run(streaming, threads); };
    }
    std::vector<contender> all{{"movement", [move] { move(false); }}};
    if (work.footprint > double(this_machine().llc_bytes))
      all.push_back({"movement, streaming stores", [move] { move(true); }});
    return all;
  }

  void measure_phase(gas_phase phase, const verdict& v) {
    const phase_work work = work_of(c_.sizes(), phase, c_.has_factors(), with_list_);
    const double passes = phase == gas_phase::velocity ? iterations() : 1;
    std::vector<contender> all{{"tessera", [&] { c_.run(phase); }}};
    for (contender& each : movements(phase, work)) all.push_back(std::move(each));
    const measurement m =
        measure_until_trusted(all, 1, protocol_now(), [&](const std::vector<timing>& times, bool again) {
          if (again) measure_again(s_);
          bound of_pass = phase_bound(work, times, point_rate_, s_);
          of_pass.seconds *= passes;
          return of_pass;
        });
    bound limit = m.limit;
    limit.seconds /= passes;
    work_[phase] = work;
    limit_[phase] = limit;
    const timing ours = divided(m.times.front(), passes);
    nlohmann::json facts = facts_of(phase, work, limit);
    const std::string row = figures_of(phase, ours.seconds.median, facts);
    add(phase, ours, limit, m, work, v, row, facts);
  }

  void measure_step(const verdict& v) {
    const std::optional<gas_counts> before(c_);
    const auto iterations_of_a_step = [&] {
      const gas_counts now(c_);
      const double steps = double(now.spent.stages - before->spent.stages) / 4;
      return double(now.iterations - before->iterations) / c_.sizes().dim / steps;
    };
    const std::vector<contender> all{{"tessera", [&] { c_.run(gas_phase::step); }}};
    const measurement m = measure_until_trusted(all, 1, protocol_now(), [&](const std::vector<timing>&, bool) {
      return step_bound(c_.sizes(), limit_[gas_phase::forces], limit_[gas_phase::velocity], limit_[gas_phase::energy],
                        iterations_of_a_step());
    });
    const phase_work work = work_of_step(c_.sizes(), work_[gas_phase::forces], work_[gas_phase::velocity],
                                         work_[gas_phase::energy], iterations_of_a_step());
    nlohmann::json facts = facts_of(gas_phase::step, work, m.limit);
    const std::string row = figures_of_step(*before, iterations_of_a_step(), facts);
    add(gas_phase::step, m.times.front(), m.limit, m, work, v, row, facts);
  }

  nlohmann::json facts_of(gas_phase phase, const phase_work& work, const bound& limit) const {
    const gas_sizes& s = c_.sizes();
    const auto seconds = [](double work_now, double rate) {
      return rate > 0 && work_now > 0 ? nlohmann::json(work_now / rate) : nlohmann::json(nullptr);
    };
    return {{"phase", name_of(phase)},
            {"dim", s.dim},
            {"k", s.order},
            {"cells", s.cells},
            {"zones", s.zones()},
            {"points", s.points()},
            {"kinematic", s.kinematic()},
            {"thermodynamic", s.thermodynamic()},
            {"start", s.bent_start ? "bent" : "straight"},
            {"list_bytes", with_list_ ? s.list_bytes() : 0},
            {"seconds_of",
             {{"bandwidth", seconds(work.bytes(), limit.bandwidth)},
              {"flops", seconds(work.flops, limit.peak)},
              {"points", seconds(work.points, point_rate_)}}}};
  }

  // Words of the table, and the same figures for the file.
  std::string figures_of(gas_phase phase, double seconds, nlohmann::json& facts) const {
    const gas_sizes& s = c_.sizes();
    const double points = double(s.points()) / seconds, thermodynamic = double(s.thermodynamic()) / seconds;
    const std::string how = c_.describe(phase);
    const std::string shape = how.substr(how.find("; ") + 2);
    switch (phase) {
      case gas_phase::forces: {
        const double numbers = double(s.kinematic()) / seconds + thermodynamic;
        facts.update({{"points_per_second", points}, {"numbers_per_second", numbers}});
        return words("%.4g Mpoints/s, %.4g Mnumbers/s; ", points * 1e-6, numbers * 1e-6) + shape;
      }
      case gas_phase::power:
        facts.update({{"points_per_second", points}});
        return words("%.4g Mpoints/s; ", points * 1e-6) + shape;
      case gas_phase::velocity: {
        const double rate = double(s.kinematic()) / seconds;
        facts.update({{"iterations", c_.iterations()},
                      {"solve_seconds", seconds * iterations()},
                      {"numbers_iterations_per_second", rate}});
        return words("%.4g Mnumbers x iterations/s; %.3g iterations a component, a solve in ", rate * 1e-6,
                     iterations()) +
               duration(seconds * iterations());
      }
      case gas_phase::energy:
        facts.update({{"numbers_per_second", thermodynamic}});
        return words("%.4g Mnumbers/s; ", thermodynamic * 1e-6) + how;
      case gas_phase::step: break;
    }
    return "";
  }

  // Laghos's rates count numbers times iterations, numbers times evaluations, and points times evaluations.
  std::string figures_of_step(const gas_counts& before, double iterations, nlohmann::json& facts) const {
    const gas_sizes& s = c_.sizes();
    const gas_counts now(c_);
    const double evaluations = double(now.spent.evaluations - before.spent.evaluations);
    const double solved = double(s.nodes()) * double(now.iterations - before.iterations);
    const double forced = double(s.kinematic() + s.thermodynamic()) * evaluations;
    const double seconds =
        now.spent.velocity_mass - before.spent.velocity_mass + now.spent.forces - before.spent.forces;
    const double total = (solved + forced + double(s.points()) * evaluations) / seconds;
    facts.update({{"iterations_per_step", iterations * s.dim},
                  {"major_kernels_per_second", total},
                  {"major_kernels_without_points_per_second", (solved + forced) / seconds}});
    return words("major kernels %.4g M/s, %.4g without points; %.3g iterations a component", total * 1e-6,
                 (solved + forced) / seconds * 1e-6, iterations);
  }

  void add(gas_phase phase, const timing& ours, const bound& limit, const measurement& m, const phase_work& work,
           const verdict& v, const std::string& row, const nlohmann::json& facts) {
    to_.add(case_results{.label = label_of(phase),
                         .facts = facts,
                         .target = name_of(s_.on),
                         .row = row,
                         .flops = work.flops,
                         .bytes = work.bytes(),
                         .limit = limit,
                         .all = {{"tessera", ours, v, c_.describe(phase), m.suspect.front()}},
                         .measured = m.measured,
                         .place = {.groups = {name_of(phase)}, .series = "", .position = 0}});
  }

  gas_case c_;
  setting& s_;
  report& to_;
  bool with_list_;  // a list that stays in cache costs no movement
  double point_rate_ = 0;
  bool is_long_ = false;  // the phase that is measured
  std::map<gas_phase, phase_work> work_;
  std::map<gas_phase, bound> limit_;
};

}  // namespace

int run_hydro(const options& o) {
  const std::vector<int> orders = parse_orders(o.gas_orders);
  for (const int k : orders)
    if (k > highest_order)
      throw error("--k: " + std::to_string(k) + " is above " + std::to_string(highest_order) +
                  ", the highest order of the velocity");
  if (o.dim != 2 && o.dim != 3) throw error("--dim: " + std::to_string(o.dim) + " is neither 2 nor 3");
  if (o.type != product_types(scalar_type::f64))
    throw error(std::string("hydro: type ") + name_of(o.type) + ", not f64");
  std::vector<index_t> points;
  if (!o.gas_points.empty()) points = parse_unknowns(o.gas_points);
  omp_set_num_threads(o.threads);
  report to(o, {});
  setting s = make_setting(o, {}, to);
  if (s.on != target::cuda && s.on != default_cpu_target())
    throw error("hydro: --target " + o.target_name + ": best or cuda; TESSERA_TARGET forces an instruction set");
  if (points.empty()) points.push_back(s.on == target::cuda ? points_of_a_gpu : points_of_a_cpu);
  to.note(
      "times, flops and bytes of the phase velocity are those of an iteration; flops are those of contractions, "
      "without "
      "symmetry and without the point function");
  to.note("numbers are kinematic and thermodynamic ones, each once; points are quadrature points");
  for (const index_t count : points)
    for (const int k : orders)
      gas_measurements(gas_sizes_for(o.dim, k, double(count), o.gas_start == "bent"), s, to).run();
  return to.finish();
}

}  // namespace tessera::bench
