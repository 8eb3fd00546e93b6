// SPDX-License-Identifier: BSD-3-Clause
// The point function in a loop: its numbers stay in range, and a GPU computes the same as the host.
#include "gpu/point_function.hpp"

#include <cmath>

#include "gpu/point_loop.hpp"
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;
namespace bench = tessera::bench;

namespace {

const hydro::gas_rules rules{.length = 0.01, .order = 3};

template <int dim>
double energy_after(int rounds, int thread) {
  hydro::gas_at_point<dim> at = bench::first_point<dim>(thread);
  for (int round = 0; round < rounds; ++round) bench::go_to_next_point<dim>(at, rules);
  return at.energy;
}

template <int dim>
void check_range() {
  for (const int thread : {0, 57, 127}) {
    hydro::gas_at_point<dim> at = bench::first_point<dim>(thread);
    const hydro::gas_at_point<dim> first = at;
    const auto before = hydro::force_of<dim, double>(at, rules);
    CHECK(before.determinant > 0.5);
    CHECK(before.rate < 1e6);
    for (int round = 0; round < 1000; ++round) bench::go_to_next_point<dim>(at, rules);
    CHECK(at.energy != first.energy);
    CHECK(std::abs(at.energy - first.energy) < 1e-3);
    for (int c = 0; c < dim; ++c)
      for (int g = 0; g < dim; ++g) CHECK(std::abs(at.jacobian[c][g] - first.jacobian[c][g]) < 1e-6);
  }
}

}  // namespace

TEST_CASE("the point function in a loop leaves its numbers in range") {
  check_range<2>();
  check_range<3>();
}

TEST_CASE("the point function in a loop on a GPU", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (const int dim : {2, 3}) {
    INFO(dim << "-D");
    const std::vector<double> found = bench::device::point_function_energies(dim, rules, 10, 200);
    REQUIRE(found.size() == 200);
    for (int t = 0; t < 200; ++t) {
      // Blocks of 128 threads; each has the same points.
      const double expected = dim == 2 ? energy_after<2>(10, t % 128) : energy_after<3>(10, t % 128);
      CHECK(std::abs(found[std::size_t(t)] - expected) < 1e-12);
    }
  }
}

TEST_CASE("the rate of the point function on a GPU", "[gpu]") {
  if (no_gpu()) return;
  const double rate = bench::device::point_function_rate(3, rules);
  CHECK(rate > 1e6);
  CHECK(bench::device::point_function_rate(2, rules) > rate);  // fewer numbers
}
