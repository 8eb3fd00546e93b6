// SPDX-License-Identifier: BSD-3-Clause
// Evolution in imaginary time of spin_chain against gates on the vector of all states, exact energies and DMRG.
#include "evolution.hpp"

#include <cmath>

#include "dmrg.hpp"
#include "exact_chain.hpp"
#include "state_vector.hpp"

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace sc = tessera::spin_chain;

namespace {

std::vector<double> normalised(std::vector<double> x) {
  double square = 0;
  for (const double a : x) square += a * a;
  for (double& a : x) a /= std::sqrt(square);
  return x;
}

// exp(-time S.S) of the pairs of a parity, by the exchange of two spins: S.S = exchange / 2 - 1/4.
void apply_gates(std::vector<double>& x, int sites, int parity, double time) {
  for (int i = parity; i + 1 < sites; i += 2) {
    const std::size_t pair = std::size_t{3} << i;
    for (std::size_t state = 0; state < x.size(); ++state) {
      const std::size_t spins = state & pair, other = state ^ pair;
      if (spins == 0 || spins == pair)
        x[state] *= std::exp(-time / 4);
      else if (state < other) {
        const double sum = (x[state] + x[other]) / 2 * std::exp(-time / 4),
                     difference = (x[state] - x[other]) / 2 * std::exp(0.75 * time);
        x[state] = sum + difference;
        x[other] = sum - difference;
      }
    }
  }
}

// From spins up and down in turns, bit i being site i.
std::vector<double> evolved(int sites, const std::vector<std::pair<double, int>>& blocks) {
  std::vector<double> x(std::size_t{1} << sites, 0.0);
  std::size_t start = 0;
  for (int i = 1; i < sites; i += 2) start |= std::size_t{1} << i;
  x[start] = 1;
  for (const auto& [step, steps] : blocks)
    for (int s = 0; s < steps; ++s) {
      apply_gates(x, sites, 0, step / 2);
      apply_gates(x, sites, 1, step);
      apply_gates(x, sites, 0, step / 2);
    }
  return normalised(x);
}

std::vector<double> amplitudes_from_left(const sc::evolution& state, int sites) {
  const std::vector<double> x = amplitudes_of(state.sites());
  if (!state.is_mirrored()) return x;
  std::vector<double> turned(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::size_t from = 0;
    for (int i = 0; i < sites; ++i) from |= (k >> i & 1) << (sites - 1 - i);
    turned[k] = x[from];
  }
  return turned;
}

void check_gates(space_kind where) {
  for (int sites = 2; sites <= 7; ++sites) {
    INFO(sites << " sites");
    const auto by = sc::tessera_contractions(8);
    sc::evolution state({.sites = sites, .bond = 8, .where = where}, *by);
    std::vector<std::pair<double, int>> done;
    for (const auto& [step, steps] : {std::pair{0.3, 1}, {0.1, 2}, {0.2, 3}}) {
      const sc::evolution_block block = state.advance(step, steps);
      done.emplace_back(step, steps);
      const std::vector<double> wanted = evolved(sites, done), found = amplitudes_from_left(state, sites);
      double along = 0, beyond = 0;
      for (std::size_t k = 0; k < wanted.size(); ++k) along += wanted[k] * found[k];
      for (std::size_t k = 0; k < wanted.size(); ++k) beyond += std::pow(found[k] - along * wanted[k], 2);
      CHECK(std::abs(std::abs(along) - 1) < 1e-13);
      CHECK(std::sqrt(beyond) < 1e-13);
      const auto [energy, norm] = energy_and_norm(found, sites);
      CHECK(std::abs(norm - 1) < 1e-13);
      CHECK(std::abs(block.energy - energy) < 1e-12);
      CHECK(block.truncation < 1e-25);
      const long layers_of_first = steps + 1, first = sites / 2, second = (sites - 1) / 2;
      CHECK(block.updates == layers_of_first * first + steps * second);
      CHECK(block.flops > 0);
    }
  }
}

// Blocks of 1 until the energy stands still.
double energy_by_steps(sc::evolution& state, int steps) {
  double before = 0, energy = 1;
  for (int block = 0; block < 200 && std::abs(energy - before) > 1e-12; ++block) {
    before = energy;
    energy = state.advance(1.0 / steps, steps).energy;
  }
  return energy;
}

void check_evolved_energy(space_kind where) {
  const int sites = 6;
  const auto by = sc::tessera_contractions(8);
  const sc::dmrg_options options{.sites = sites, .bond = 8, .where = where, .lanczos_residual = 1e-8};
  sc::dmrg chain(options, *by);
  double dmrg_energy = 0;
  for (int sweep = 0; sweep < 4; ++sweep) dmrg_energy = chain.sweep().energy;
  CHECK(std::abs(dmrg_energy - exact_by_diagonalisation(sites)) < 1e-11);
  sc::evolution state(options, *by);
  std::vector<double> above;
  for (const int steps : {5, 10, 20, 40}) above.push_back(energy_by_steps(state, steps) - dmrg_energy);
  CHECK(above.front() < 1e-4);
  // The state is off by step^2, the energy, which is lowest for the exact state, by step^4.
  for (std::size_t i = 1; i < above.size(); ++i) {
    CHECK(above[i] > 0);
    CHECK(above[i - 1] / above[i] == Approx(16).epsilon(0.1));
  }
  CHECK(above.back() < 1e-8);
}

}  // namespace

TEST_CASE("steps in imaginary time are gates on the vector of all states") { check_gates(space_kind::cpu); }

TEST_CASE("steps in imaginary time on a GPU are gates on the vector of all states") {
  if (no_gpu()) return;
  check_gates(space_kind::gpu);
}

TEST_CASE("evolution in imaginary time ends at DMRG's energy, off by the fourth power of the step") {
  check_evolved_energy(space_kind::cpu);
}

TEST_CASE("evolution in imaginary time on a GPU ends at DMRG's energy") {
  if (no_gpu()) return;
  check_evolved_energy(space_kind::gpu);
}

TEST_CASE("evolution has converged where every second block has the same energy") {
  const auto block = [](double energy, double step = 0.2, index_t bond = 3) {
    sc::evolution_block b;
    b.step = step, b.energy = energy, b.bond = bond;
    return b;
  };
  // Neighbours differ for ever.
  CHECK(sc::is_converged({block(-2.5), block(-2.4), block(-2.5)}, 3, 1e-10));
  CHECK_FALSE(sc::is_converged({block(-2.5), block(-2.6), block(-2.6)}, 3, 1e-10));
  CHECK_FALSE(sc::is_converged({block(-2.5), block(-2.5)}, 3, 1e-10));
  CHECK_FALSE(sc::is_converged({block(-2.5), block(-2.4), block(-2.5)}, 4, 1e-10));
  CHECK_FALSE(sc::is_converged({block(-2.5, 0.1), block(-2.4), block(-2.5)}, 3, 1e-10));
  CHECK_FALSE(sc::is_converged({block(-2.5), block(-2.4), block(std::nan(""))}, 3, 1e-10));
}

TEST_CASE("a bond that is too small costs energy in imaginary time, too") {
  const int sites = 8;
  double before = 1;
  for (const index_t bond : {2, 4, 8}) {
    INFO(bond);
    const auto by = sc::tessera_contractions(16);
    sc::evolution state({.sites = sites, .bond = bond}, *by);
    for (int block = 0; block < 30; ++block) state.advance(0.05, 20);
    const sc::evolution_block last = state.advance(0.05, 20);
    const auto [energy, norm] = energy_and_norm(amplitudes_from_left(state, sites), sites);
    CHECK(std::abs(norm - 1) < 1e-13);
    CHECK(std::abs(energy - last.energy) < 1e-12);
    CHECK(last.bond == bond);
    CHECK(last.truncation > 1e-12);
    const double above = last.energy - exact_by_diagonalisation(sites);
    CHECK(above > 1e-7);
    CHECK(above < before / 4);
    before = above;
  }
}

// Chains of the largest shape are those that the two-site update is made for.
TEST_CASE("updates of full bonds are a chain of two steps") {
  const auto by = sc::tessera_contractions(16);
  sc::evolution state({.sites = 10, .bond = 16}, *by);
  CHECK(state.describe() == "no pair was updated");
  for (int block = 0; block < 3; ++block) state.advance(0.1, 5);
  CHECK(state.describe().find("qp,cq->cp") != std::string::npos);
  CHECK(state.describe().find("rc,cp->rp") != std::string::npos);
}

TEST_CASE("evolutions that cannot be") {
  const auto by = sc::tessera_contractions(16);
  check_failure(status::invalid_argument, {"evolution", "1 sites"}, [&] { sc::evolution({.sites = 1}, *by); });
  check_failure(status::invalid_argument, {"bonds of 0"}, [&] { sc::evolution({.bond = 0}, *by); });
  sc::evolution state({.sites = 4, .bond = 4}, *by);
  check_failure(status::invalid_argument, {"0 steps"}, [&] { state.advance(0.1, 0); });
  check_failure(status::invalid_argument, {"steps of -"}, [&] { state.advance(-0.1, 1); });
}
