// SPDX-License-Identifier: BSD-3-Clause
// Sweeps of spin_chain against the lowest eigenvalue of the matrix of all states.
#include "dmrg.hpp"

#include <cmath>

#include "exact_chain.hpp"
#include "state_vector.hpp"

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace sc = tessera::spin_chain;

namespace {

sc::sweep_result swept(sc::dmrg& chain, int sweeps) {
  sc::sweep_result last;
  for (int i = 0; i < sweeps; ++i) last = chain.sweep();
  return last;
}

void check_energies(sc::contractions& by, space_kind where) {
  for (int sites = 2; sites <= 8; ++sites) {
    INFO(sites << " sites");
    const sc::dmrg_options options{.sites = sites, .bond = 16, .where = where, .lanczos_residual = 1e-7};
    sc::dmrg chain(options, by);
    const sc::sweep_result found = swept(chain, 4);
    CHECK(std::abs(found.energy - exact_by_diagonalisation(sites)) < 1e-11);
    CHECK(found.bond == options.full_bond());
    CHECK(options.full_bond() == index_t{1} << sites / 2);
    CHECK(found.truncation < 1e-25);
    CHECK(found.residual <= 1e-7);
    // The state that the sites hold has that energy, not only the pair that was solved last.
    const auto [energy, norm] = energy_and_norm(amplitudes_of(chain.sites()), sites);
    CHECK(std::abs(norm - 1) < 1e-13);
    CHECK(std::abs(energy - found.energy) < 1e-12);
  }
}

}  // namespace

TEST_CASE("energies of short chains by networks are exact") {
  check_energies(*sc::tessera_contractions(16), space_kind::cpu);
}

TEST_CASE("energies of short chains by BLAS are exact") {
  check_energies(*sc::blas_contractions(space_kind::cpu), space_kind::cpu);
}

TEST_CASE("energies of short chains on a GPU are exact") {
  if (no_gpu()) return;
  check_energies(*sc::tessera_contractions(16), space_kind::gpu);
}

TEST_CASE("a bond that is too small costs energy, as its cuts say") {
  const int sites = 8;
  const double exact = exact_by_diagonalisation(sites);
  double before = 1;
  for (const index_t bond : {2, 4, 8}) {
    INFO(bond);
    const auto by = sc::tessera_contractions(16);
    sc::dmrg chain({.sites = sites, .bond = bond}, *by);
    const sc::sweep_result found = swept(chain, 6);
    const auto [energy, norm] = energy_and_norm(amplitudes_of(chain.sites()), sites);
    CHECK(std::abs(norm - 1) < 1e-13);
    // Variational, and better with every state.
    CHECK(energy > exact + 1e-9);
    CHECK(energy - exact < before / 4);
    before = energy - exact;
    CHECK(found.bond == bond);
    CHECK(found.truncation > 1e-9);
    REQUIRE(chain.cuts().size() == 7);
    for (const sc::cut& c : chain.cuts()) {
      CHECK(c.bond <= bond);
      CHECK(c.entropy > 0);
      CHECK(c.entropy <= std::log(double(c.bond)) + 1e-12);
    }
    CHECK(by->flops() > 0);
    CHECK(found.seconds.contractions > 0);
  }
  CHECK(before < 1e-4);
}

TEST_CASE("entropies of a singlet of two spins") {
  const auto by = sc::tessera_contractions(16);
  sc::dmrg chain({.sites = 2, .bond = 2}, *by);
  CHECK(std::abs(chain.sweep().energy + 0.75) < 1e-15);
  CHECK(std::abs(chain.cuts()[0].entropy - std::log(2.0)) < 1e-15);
}

TEST_CASE("chains that cannot be") {
  const auto by = sc::tessera_contractions(16);
  check_failure(status::invalid_argument, {"1 sites"}, [&] { sc::dmrg({.sites = 1}, *by); });
  check_failure(status::invalid_argument, {"bonds of 0"}, [&] { sc::dmrg({.bond = 0}, *by); });
  check_failure(status::invalid_argument, {"1 vectors"}, [&] { sc::dmrg({.most_vectors = 1}, *by); });
}
