// SPDX-License-Identifier: BSD-3-Clause
// Batches of small systems on a CPU: all sizes beside the textbook's factorisation, bits, mistakes, block Jacobi.
#include <tessera/solver/batched_cholesky.hpp>

#include <cstdint>
#include <limits>

#include <tessera/compiled_targets.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include "small_systems.hpp"
#include "systems.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/forced.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
std::vector<T> solved_in_place(const batched_cholesky<T>& by, std::vector<T> b) {
  by.solve(b.data(), b.data());
  return b;
}

template <class T>
void check_sizes(std::initializer_list<index_t> counts, index_t first, index_t last) {
  for (index_t n = first; n <= last; ++n)
    for (const index_t count : counts) {
      INFO(count << " matrices of " << n << " rows");
      const small_systems<T> s(n, count);
      const batched_cholesky<T> by(n, count, s.A.data());
      CHECK(by.size() == n * count);
      std::vector<T> x(s.b.size());
      by.solve(s.b.data(), x.data());
      CHECK(s.worst_residual(x) <= 1);
      CHECK(s.worst_error(x) <= 1);
      CHECK(solved_in_place(by, s.b) == x);
    }
}

}  // namespace

TEST_CASE("batched_cholesky: every size in double", "[solver]") { check_sizes<double>({11}, 1, 128); }

TEST_CASE("batched_cholesky: sizes in float, batches of any length", "[solver]") {
  for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 27, 33, 64, 127, 128}) check_sizes<float>({3, 19}, n, n);
  for (const index_t n : {1, 6, 8, 29}) {
    check_sizes<double>({1, 2, 3, 7, 8, 9, 16, 17, 40}, n, n);
    check_sizes<float>({1, 2, 15, 16, 17, 33}, n, n);
  }
}

TEST_CASE("batched_cholesky: every instruction set of this build", "[solver]") {
  for (const target on : compiled_cpu_targets()) {
    if (!is_available(on)) continue;
    const forced now(name_of(on));
    INFO(name_of(on));
    for (const index_t n : {1, 4, 7, 30}) {
      check_sizes<double>({13}, n, n);
      check_sizes<float>({21}, n, n);
    }
    const small_systems<double> s(3, 2);
    CHECK(batched_cholesky<double>(3, 2, s.A.data()).describe().find(name_of(on)) != std::string::npos);
  }
  const forced now("reference");  // there are no plain loops: the narrowest set
  check_sizes<double>({13}, 5, 5);
}

TEST_CASE("batched_cholesky: nearly singular matrices have small residuals", "[solver]") {
  for (const index_t n : {5, 32, 77}) {
    const auto s = small_systems<double>::nearly_singular(n, 9);
    CHECK(s.worst_residual(solved_in_place(batched_cholesky<double>(n, 9, s.A.data()), s.b)) <= 1);
  }
}

TEST_CASE("batched_cholesky: the same bits for any threads and at any position", "[solver]") {
  for (const index_t n : {3, 8, 50}) {
    const index_t count = 4003 / n;
    const small_systems<double> s(n, count);
    const threads_for_now one(1);
    const std::vector<double> x = solved_in_place(batched_cholesky<double>(n, count, s.A.data()), s.b);
    for (const int threads : {2, 3, 7}) {
      const threads_for_now several(threads);
      CHECK(solved_in_place(batched_cholesky<double>(n, count, s.A.data()), s.b) == x);
    }
    for (const index_t m : {index_t(0), index_t(5), count - 1}) {
      const batched_cholesky<double> alone(n, 1, s.A.data() + n * n * m);
      const auto of = s.b.begin() + n * m;
      CHECK(solved_in_place(alone, std::vector<double>(of, of + n)) ==
            std::vector<double>(x.begin() + n * m, x.begin() + n * (m + 1)));
    }
  }
}

TEST_CASE("batched_cholesky: the first matrix that is not positive definite is named", "[solver]") {
  const index_t count = 1000;
  for (const int threads : {1, 4})
    for (const index_t n : {2, 6, 40}) {
      const threads_for_now now(threads);
      small_systems<double> s(n, count);
      for (const index_t bad : {999, 700, 123}) {  // the first of all that are bad so far
        for (index_t i = 0; i < n; ++i) s.A[at(n * n * bad + i + n * (n - 1))] = i == n - 1 ? -0.5 : 0;
        for (index_t j = 0; j + 1 < n; ++j) s.A[at(n * n * bad + n - 1 + n * j)] = 0;
        check_failure(status::invalid_argument,
                      {"matrix " + std::to_string(bad) + " is not positive definite",
                       "pivot " + std::to_string(n - 1) + " is -0.5"},
                      [&] { batched_cholesky<double>(n, count, s.A.data()); });
      }
    }
  const auto refused = [](double pivot, const char* text) {
    const std::vector<double> A{1, 0, 0, pivot};
    check_failure(status::invalid_argument, {"matrix 0", "pivot 1 is ", text},
                  [&] { batched_cholesky<double>(2, 1, A.data()); });
  };
  refused(0, "is 0");
  refused(std::numeric_limits<double>::quiet_NaN(), "nan");
  refused(std::numeric_limits<double>::infinity(), "inf");
  refused(1e-310, "no inverse");
  const std::vector<float> singular{1, 2, 0, 4};
  check_failure(status::invalid_argument, {"matrix 0", "pivot 1 is 0"},
                [&] { batched_cholesky<float>(2, 1, singular.data()); });
}

TEST_CASE("batched_cholesky: mistakes are named", "[solver]") {
  const small_systems<double> s(4, 3);
  check_failure(status::invalid_argument, {"of 0 rows", "1 to 128"},
                [&] { batched_cholesky<double>(0, 3, s.A.data()); });
  check_failure(status::invalid_argument, {"of 129 rows"}, [&] { batched_cholesky<double>(129, 3, s.A.data()); });
  check_failure(status::overflow, {"-1", "negative"}, [&] { batched_cholesky<double>(4, -1, s.A.data()); });
  check_failure(status::overflow, {"4611686018427387904 x 4 x 4"},
                [&] { batched_cholesky<double>(4, index_t(1) << 62, s.A.data()); });
  check_failure(status::null_pointer, {"A is a null pointer"}, [&] { batched_cholesky<double>(4, 3, nullptr); });
  const auto shifted = reinterpret_cast<const double*>(reinterpret_cast<std::uintptr_t>(s.A.data()) + 4);
  check_failure(status::invalid_argument, {"A is at"}, [&] { batched_cholesky<double>(4, 3, shifted); });
  if (!device::available())
    check_failure(status::no_device, {"batched_cholesky"},
                  [&] { batched_cholesky<double>(4, 3, s.A.data(), space_kind::gpu); });

  const batched_cholesky<double> by(4, 3, s.A.data());
  std::vector<double> x(24);
  check_failure(status::null_pointer, {"b is a null"}, [&] { by.solve(nullptr, x.data()); });
  check_failure(status::null_pointer, {"x is a null"}, [&] { by.solve(x.data(), nullptr); });
  check_failure(status::overlap, {"overlap", "12 numbers"}, [&] { by.solve(x.data(), x.data() + 1); });
  check_failure(status::overlap, {"overlap"}, [&] { by.solve(x.data() + 11, x.data()); });
  by.solve(x.data() + 12, x.data());

  const batched_cholesky<double> none(4, 0, nullptr);
  CHECK(none.size() == 0);
  none.solve(nullptr, nullptr);
}

TEST_CASE("batched_cholesky: solves stage after stage, and says what it is", "[solver]") {
  const index_t zones = 100;
  const small_systems<double> s(27, zones);
  const std::vector<double>& M = s.A;
  std::vector<double> rate = s.b;
  // snippet mass
  // M: the mass matrices of all zones, 27 x 27 numbers each, column-major, one after the other.
  const batched_cholesky<double> mass(27, zones, M.data());
  mass.solve(rate.data(), rate.data());  // here in place; at each stage
  // end snippet
  CHECK(s.worst_residual(rate) <= 1);
  CHECK(mass.rows() == 27);
  CHECK(mass.matrices() == zones);
  CHECK(mass.space() == space_kind::cpu);
  CHECK(mass.describe().rfind("batched_cholesky f64: 100 matrices of 27x27, 0.3 MB, ", 0) == 0);
  CHECK(mass.describe().find(name_of(default_cpu_target())) != std::string::npos);
  const batched_cholesky<double> copy = mass;  // shares the factors
  CHECK(solved_in_place(copy, s.b) == rate);
}

TEST_CASE("batched_cholesky: block Jacobi in conjugate gradients", "[solver]") {
  // Blocks that are coupled weakly: the preconditioner is nearly the inverse.
  const index_t n = 12, count = 50;
  const small_systems<double> s(n, count);
  const linear_operator<double> A(n * count, [&](const double* x, double* y) {
    s.apply(x, y);
    for (index_t i = 0; i < n * count; ++i)
      y[i] += 0.1 * (x[i] - (i + n < n * count ? x[i + n] : 0) - (i >= n ? x[i - n] : 0));
  });
  std::vector<double> x(s.b.size());
  const conjugate_gradient_options o{.relative = 1e-12};
  // snippet preconditioner
  const batched_cholesky<double> blocks(n, count, s.A.data());
  conjugate_gradient<double> solver(A, blocks, o);
  // end snippet
  const solve_result with = solver.solve_from_zero(s.b.data(), x.data());
  const solve_result without = conjugate_gradient<double>(A, {}, o).solve_from_zero(s.b.data(), x.data());
  CHECK(with.solved());
  CHECK(without.solved());
  CHECK(2 * with.iterations < without.iterations);
}
