// SPDX-License-Identifier: BSD-3-Clause
// Runs of a gas on a GPU: those of a CPU but for rounding, and the same bits each time.
#include "run_case.hpp"
#include "testing/catch.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

void check_run(int dim, const fem::gas_orders& orders, fem::gas_method method, fem::gas_physics physics,
               fem::energy_solver energy = fem::energy_solver::exact, int steps = 6) {
  const run_case of = hot_corner(dim, {3, 2, dim == 3 ? 2 : 1}, orders);
  fem::gas_run_options options{.method = method, .final_time = 0.1, .masses = {.tolerance = 1e-13, .energy = energy}};
  fem::gas_run here(of.in, physics, of.start, options);
  options.space = space_kind::gpu;
  fem::gas_run there(of.in, physics, of.start, options);
  CHECK(std::abs(there.next_dt() - here.next_dt()) < 1e-12 * here.next_dt());
  for (int i = 0; i < steps && !here.finished(); ++i) {
    here.step();
    there.step();
  }
  CHECK(there.steps() == here.steps());
  CHECK(there.repeats() == here.repeats());
  CHECK(std::abs(there.time() - here.time()) < 1e-12 * here.time());
  const index_t n = of.in.kinematic();
  // The matrix of Bernstein polynomials of order 7 in 3-D multiplies rounding by some 10^10.
  const double few = dim == 3 && orders.energy > 6 ? 1e-8 : 1e-10;
  const numbers a = there.state_on_host(), b = here.state_on_host();
  const auto part = [](const numbers& of_state, index_t from, index_t to) {
    return numbers(of_state.begin() + from, of_state.begin() + to);
  };
  for (const auto& [from, to] : {std::pair<index_t, index_t>{0, n}, {n, 2 * n}, {2 * n, index_t(a.size())}})
    CHECK(far_off(part(a, from, to), part(b, from, to)) < few);
  CHECK(std::abs(there.energy_norm() - here.energy_norm()) < few * here.energy_norm());
  CHECK(std::abs(there.masses().kinetic_energy(there.state() + n) - here.masses().kinetic_energy(here.state() + n)) <
        1e-10);
  CHECK(std::abs(there.masses().internal_energy(there.state() + 2 * n) -
                 here.masses().internal_energy(here.state() + 2 * n)) < 1e-10);
  CHECK(std::abs(there.masses().momentum(there.state() + n, dim - 1) -
                 here.masses().momentum(here.state() + n, dim - 1)) < 1e-10);
  CHECK(std::abs(there.masses().potential_energy(there.state(), {1, 2, 3}) -
                 here.masses().potential_energy(here.state(), {1, 2, 3})) < 1e-10);
}

}  // namespace

TEST_CASE("runs on a GPU are those of a CPU", "[hydro][gpu]") {
  if (absent()) return;
  for (const int dim : {1, 2, 3})
    for (const int k : {1, 2, 3}) {
      INFO(dim << "-D, order " << k);
      fem::gas_physics pulled;
      pulled.gravity[std::size_t(dim) - 1] = -1;
      check_run(dim, {.velocity = k, .energy = k - 1}, fem::gas_method::rk4, {});
      check_run(dim, {.velocity = k, .energy = k - 1}, fem::gas_method::rk2_average, pulled);
    }
  check_run(2, {.velocity = 4, .energy = 3}, fem::gas_method::ssp3, {.viscous = false, .source = true});
  check_run(3, {.velocity = 2, .energy = 1}, fem::gas_method::midpoint, {.vorticity = true},
            fem::energy_solver::conjugate_gradients);
  for (const int k : {5, 6, 8}) {
    INFO("3-D, order " << k);
    check_run(3, {.velocity = k, .energy = k - 1}, fem::gas_method::midpoint, {}, fem::energy_solver::exact, 2);
  }
}

TEST_CASE("a run on a GPU is the same bits each time, and goes on from what was kept", "[hydro][gpu][sanitize]") {
  if (absent()) return;
  const run_case of = hot_corner(2, {3, 2, 1}, {.velocity = 2, .energy = 1});
  const fem::gas_run_options options{.final_time = 0.5, .space = space_kind::gpu};
  fem::gas_run one(of.in, {}, of.start, options), two(of.in, {}, of.start, options);
  for (int i = 0; i < 2; ++i) one.step();
  two.step();
  const fem::gas_run_state kept = two.kept();
  fem::gas_run three(of.in, {}, of.start, options);
  three.go_on_from(kept);
  three.step();
  CHECK(three.state_on_host() == one.state_on_host());
  CHECK(three.next_dt() == one.next_dt());
}
