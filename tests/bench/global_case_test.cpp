// SPDX-License-Identifier: BSD-3-Clause
// Cases of operators between L-vectors: right results pass the checks, one wrong number does not.
#include <limits>
#include <vector>

#include "global_case.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
using bench::numbering;
using tessera::index_t;
using tessera::operator_kind;

namespace {

template <class T>
void check_case(const bench::element_sizes& sizes, numbering how) {
  bench::global_case<T> c(sizes, 400, how, tessera::default_cpu_target());
  c.fill_y();
  c.run();
  INFO(name_of(sizes.kind) << " " << sizes.dim << "-D, order " << sizes.p << ", " << name_of(how));
  const bench::verdict right = c.check();
  CHECK(right.correct());
  CHECK(right.error > 0);
  c.run_elements();
  CHECK(c.compared(c.summed_elements()).correct());

  // A number that one of the checked elements has alone or shares.
  const std::size_t number = std::size_t(c.offsets[0]);
  const T kept = c.y[number];
  c.y[number] += T(0.01);
  CHECK(!c.check().correct());
  c.y[number] = std::numeric_limits<T>::quiet_NaN();
  CHECK(!c.check().correct());
  c.y[number] = kept;
  std::vector<T> other(c.y.begin(), c.y.end());
  CHECK(c.compared(other).error == 0);
  other.back() = std::numeric_limits<T>::quiet_NaN();
  CHECK(!c.compared(other).correct());
}

}  // namespace

TEST_CASE("operators between L-vectors agree with sums over elements, and wrong numbers are found") {
  for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
    for (const numbering how : {numbering::box, numbering::mesh, numbering::random}) {
      check_case<double>({.kind = kind, .p = 3, .q = 5}, how);
      check_case<float>({.kind = kind, .dim = 2, .p = 2, .q = 3, .nodal = true}, how);
      check_case<double>({.kind = kind, .p = 2, .q = 4, .geometry = 3}, how);
    }
  check_case<double>({.kind = operator_kind::elasticity, .components = 3, .p = 2, .q = 3}, numbering::mesh);
  check_case<double>({.kind = operator_kind::mass, .dim = 2, .components = 2, .p = 1, .q = 3}, numbering::box);
}

TEST_CASE("bytes count each unknown once, D, and the list if wanted") {
  const bench::global_case<double> c({.kind = operator_kind::diffusion, .p = 2, .q = 4}, 700, numbering::box,
                                     tessera::default_cpu_target());
  CHECK(c.numbers.cells == std::vector<int>{4, 4, 4});
  const double without = 8 * (2 * 9. * 9 * 9 + 64. * 6 * 64);
  CHECK(c.bytes(false) == without);
  CHECK(c.bytes(true) == without + 4 * 64. * 27);
}
