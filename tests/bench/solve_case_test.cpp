// SPDX-License-Identifier: BSD-3-Clause
// Cases of solves: right ones pass the check, other vectors and other residuals do not; bytes of an iteration.
#include <limits>
#include <vector>

#include "solve_case.hpp"
#include "testing/catch.hpp"

namespace bench = tessera::bench;
using tessera::operator_kind;

namespace {

template <class T>
void check_solve(const bench::element_sizes& sizes, int iterations) {
  INFO(name_of(sizes.kind) << " " << sizes.dim << "-D, order " << sizes.p << ", " << iterations << " iterations");
  bench::global_case<T> made(sizes, 900, bench::numbering::mesh, tessera::default_cpu_target());
  made.run();
  bench::solve_case<T> c(made, iterations);
  c.run();
  CHECK(c.iterations() == iterations);
  CHECK(c.check().correct());
  CHECK(c.check().error > 0);

  // Half a step, a wrong number, another residual.
  const std::vector<T> z = c.solution();
  const double residual = c.residual();
  CHECK(c.check(z, residual).correct());
  std::vector<T> wrong(z);
  for (T& number : wrong) number *= T(0.5);
  CHECK(!c.check(wrong, residual).correct());
  wrong = z;
  wrong[wrong.size() / 2] += T(1);
  CHECK(!c.check(wrong, residual).correct());
  wrong[wrong.size() / 2] = std::numeric_limits<T>::quiet_NaN();
  CHECK(!c.check(wrong, residual).correct());
  CHECK(!c.check(z, residual + 0.5).correct());
}

}  // namespace

TEST_CASE("solves by conjugate gradients pass their check, and others do not") {
  for (const int iterations : {1, 10}) {
    check_solve<double>({.kind = operator_kind::mass, .p = 3, .q = 5}, iterations);
    check_solve<double>({.kind = operator_kind::diffusion, .p = 2, .q = 3, .nodal = true}, iterations);
    check_solve<float>({.kind = operator_kind::mass, .dim = 2, .p = 4, .q = 6}, iterations);
    check_solve<double>({.kind = operator_kind::mass, .components = 3, .p = 2, .q = 4, .geometry = 2}, iterations);
  }
}

TEST_CASE("an iteration moves D, the list if wanted, and 12 vectors") {
  bench::global_case<double> made({.kind = operator_kind::diffusion, .p = 2, .q = 4}, 700, bench::numbering::box,
                                  tessera::default_cpu_target());
  made.run();
  const bench::solve_case<double> c(made, 3);
  const double D = 8. * 64 * 6 * 64, list = 4. * 64 * 27, vector = 8. * 9 * 9 * 9;
  CHECK(c.bytes(false) == D + 12 * vector);
  CHECK(c.bytes(true) == D + list + 12 * vector);
  CHECK(c.footprint(true) == D + list + 5 * vector);
  const bench::iteration_movement moved(std::as_bytes(std::span<const double>(made.D)), made.x.size_bytes());
  CHECK(moved.bytes() == c.bytes(false));
}
