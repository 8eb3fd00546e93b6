// SPDX-License-Identifier: BSD-3-Clause
// The steps of the GPU kernel of symmetric element matrices by even and odd parts, run on the host.
#include "parity_share_case.hpp"
#include "testing/catch.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using diffusion = pointwise::diffusion<2>;
using helmholtz = pointwise::helmholtz<2>;

template <class Stored, class Function, parity_case_sizes s>
void check() {
  INFO("p " << s.p << " q " << s.q << ", " << s.elements << " elements" << (s.packed ? ", packed" : ""));
  CHECK(worst_of_parities<Stored, Function, s>(3, 0, 3, 0) <= 1);
  CHECK(worst_of_parities<Stored, Function, s>(3, 1, 1, 5) <= 1);
}

}  // namespace

TEST_CASE("gpu parity share: even and odd functions are the functions", "[fem][element]") {
  for (int p = 1; p <= 8; ++p)
    for (const int q : {p + 1, p + 2}) {
      const parity_room room{{p + 1, q, 3}, {}};
      const parity_functions f = room.tables();
      const fem::basis_tables of_points = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, p), fem::gauss(q));
      const std::vector<double> all = device::constants_of_parities(room, of_points.B, of_points.G);
      const auto at = [&](int place) { return all.at(std::size_t(place)); };
      int wrong = 0;
      const auto check = [&](double sum, double entry) { wrong += !(std::abs(sum - entry) <= 1e-13 * (1 + p * p)); };
      for (int i = 0; i < f.functions / 2; ++i)
        for (int k = 0; k < f.points / 2; ++k) {
          const std::size_t own = std::size_t(k + q * i), mirrored = std::size_t(q - 1 - k + q * i);
          check(at(f.value(false, i, k)) + at(f.value(true, i, k)), of_points.B[own]);
          check(at(f.value(false, i, k)) - at(f.value(true, i, k)), of_points.B[mirrored]);
          check(at(f.slope(false, i, k)) + at(f.slope(true, i, k)), of_points.G[own]);
          check(at(f.slope(true, i, k)) - at(f.slope(false, i, k)), of_points.G[mirrored]);
        }
      CHECK(wrong == 0);
      CHECK(f.slope(true, f.count(true) - 1, f.points_of(false) - 1) == f.entries() - 1);
    }
}

TEST_CASE("gpu parity share: even and odd numbers of functions and points", "[fem][element]") {
  check<double, diffusion, parity_case_sizes{.p = 1, .q = 2}>();
  check<double, diffusion, parity_case_sizes{.p = 2, .q = 3, .packed = true}>();
  check<double, helmholtz, parity_case_sizes{.p = 3, .q = 5, .elements = 3}>();
  check<double, diffusion, parity_case_sizes{.p = 4, .q = 6, .packed = true, .elements = 2}>();
  check<double, helmholtz, parity_case_sizes{.p = 2, .q = 4, .packed = true, .elements = 2}>();
}

TEST_CASE("gpu parity share: as it is tuned", "[fem][element]") {
  check<double, diffusion, parity_case_sizes{.p = 5, .q = 7, .elements = 3, .columns = 3, .threads = 64}>();
  check<float, helmholtz, parity_case_sizes{.p = 6, .q = 8, .packed = true, .columns = 2}>();
  check<float, diffusion, parity_case_sizes{.p = 7, .q = 8, .elements = 2, .columns = 2, .pad = 1, .threads = 64}>();
  check<double, diffusion, parity_case_sizes{.p = 8, .q = 10, .packed = true, .elements = 2, .threads = 96}>();
}
