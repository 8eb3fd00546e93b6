// SPDX-License-Identifier: BSD-3-Clause
// Lines of a run: sizes, steps in the reference code's format, rates, energies and errors.
#include "report.hpp"

#include <cmath>
#include <cstdio>
#include <string>

namespace tessera::blast {

void print_head(const simulation& of, int threads) {
  const fem::gas_spaces& in = of.in();
  const std::string where = of.given().space == tessera::space_kind::gpu
                                ? "on the GPU"
                                : std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  std::printf("%s in %d-D: %lld zones, velocity of order %d, energy of order %d, %d points a direction, %s\n",
              of.which().name.c_str(), in.dim, static_cast<long long>(in.zones), in.order, in.energy_order,
              in.line_points, where.c_str());
  std::printf("%lld numbers of the velocity, %lld of the energy\n", static_cast<long long>(in.kinematic()),
              static_cast<long long>(in.thermodynamic()));
}

void print_step(const simulation& of) {
  std::printf("step %5ld,\tt = %5.4f,\tdt = %5.6f,\t|e| = %.10e\n", of.steps(), of.time(), of.next_dt(),
              of.energy_norm());
  std::fflush(stdout);
}

// Rates in millions a second: of numbers times iterations, solves or stages.
void print_end(fields& now, const run_part& part) {
  const simulation& of = now.of();
  const fem::gas_spaces& in = of.in();
  const fem::gas_phases& spent = of.run().motion().spent();
  const record &first = of.history().front(), &last = of.history().back();
  const auto rate = [](double work, double time) { return time > 0 ? 1e-6 * work / time : 0; };
  const long repeats = of.run().repeats() - part.first_repeats;
  std::printf("\n%ld steps in %.2f s; %ld tries were repeated\n", of.steps() - part.first_step, part.seconds, repeats);
  std::printf("velocity mass  %8.2f s  %8.2f million numbers x iterations a second\n", spent.velocity_mass,
              rate(double(in.nodes.count) * double(of.run().masses().velocity_iterations()), spent.velocity_mass));
  std::printf("energy mass    %8.2f s  %8.2f million numbers x solves a second\n", spent.energy_mass,
              rate(double(in.thermodynamic()) * double(spent.stages), spent.energy_mass));
  std::printf("forces         %8.2f s  %8.2f million numbers x stages a second, %.2f million points x passes\n",
              spent.forces, rate(double(in.kinematic() + in.thermodynamic()) * double(spent.stages), spent.forces),
              rate(double(in.points * in.zones) * double(spent.evaluations), spent.forces));
  if (of.run().masses().failures() > 0)
    std::printf("%ld solves did not reach their tolerance: --cg-iterations\n", of.run().masses().failures());
  std::printf("\nEnergy: internal %.10e, kinetic %.10e", last.internal, last.kinetic);
  if (of.which().physics.gravity != vec{}) std::printf(", potential %.10e", last.potential);
  std::printf("\nEnergy  diff: %.2e of %.6e\n", std::abs(last.total() - first.total()), first.total());
  if (of.which().velocity_known) {
    const auto difference = [&](const auto& at) {
      const vec exact = of.which().velocity(at.x, in.dim);
      return std::hypot(at.v[0] - exact[0], at.v[1] - exact[1], at.v[2] - exact[2]);
    };
    const std::vector<double>& state = now.state();
    std::printf(
        "Error of the velocity, which stays that of the start: L1 %.2e, L2 %.2e\n",
        fem::integral(in, state.data(), difference),
        std::sqrt(fem::integral(in, state.data(), [&](const auto& at) { return difference(at) * difference(at); })));
  }
  if (!std::isnan(part.error)) std::printf("Error of the density against the exact solution: L1 %.4e\n", part.error);
}

}  // namespace tessera::blast
