// SPDX-License-Identifier: BSD-3-Clause
// Jacobi, Chebyshev, preconditioners in float, and the eigenvalues that iterations see.
#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include <limits>

#include "systems.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Eigenvalues of all sizes between 1 and `largest`.
template <class T>
linear_operator<T> graded(index_t n, double largest) {
  return {n, [=](const T* x, T* y) {
            for (index_t i = 0; i < n; ++i) y[i] = T((1 + (largest - 1) * double(i) / double(n - 1)) * double(x[i]));
          }};
}

solve_result solved(const linear_operator<double>& A, const linear_operator<double>& M,
                    const conjugate_gradient_options& o = {}) {
  const std::vector<double> b = some_numbers<double>(A.size(), 1);
  std::vector<double> x(b.size());
  return conjugate_gradient<double>(A, M, o).solve_from_zero(b.data(), x.data());
}

// Chebyshev's polynomial of degree k at t > 1, by its recurrence.
double chebyshev_value(int k, double t) {
  double before = 1, value = t;
  if (k == 0) return before;
  for (int j = 1; j < k; ++j) before = std::exchange(value, 2 * t * value - before);
  return value;
}

}  // namespace

TEST_CASE("solver: eigenvalues that the iterations have seen", "[solver]") {
  const eigenvalue_range seen = estimated_eigenvalues(solved(graded<double>(40, 90), {}, {.relative = 1e-12}));
  CHECK(seen.smallest == Approx(1).epsilon(1e-6));
  CHECK(seen.largest == Approx(90).epsilon(1e-6));
  const eigenvalue_range early =
      estimated_eigenvalues(solved(graded<double>(1000, 90), {}, {.relative = 0, .max_iterations = 10}));
  CHECK(early.smallest >= 1);
  CHECK(early.largest <= 90);
  CHECK(early.largest > 80);
}

TEST_CASE("solver: Jacobi is the inverse of the diagonal", "[solver]") {
  const std::vector<float> d{2, 0.5f, 1e30f};
  const linear_operator<float> M = jacobi(3, d.data());
  REQUIRE(M.diagonal() != nullptr);
  const std::vector<float> r{1, 1, 1e30f};
  std::vector<float> z(3);
  M.apply(r.data(), z.data());
  CHECK(z == std::vector<float>{0.5f, 2, 1e30f * (1 / 1e30f)});
  const auto refused = [](double number, const char* why) {
    const std::vector<double> bad{1, 1, number};
    check_failure(status::invalid_argument, {"number 2 of the diagonal", why}, [&] { jacobi(3, bad.data()); });
  };
  refused(0, "is 0, not positive");
  refused(-4, "is -4, not positive");
  refused(std::numeric_limits<double>::quiet_NaN(), "nan");
  refused(std::numeric_limits<double>::infinity(), "no inverse");
  refused(1e-310, "no inverse");
  check_failure(status::null_pointer, {"null pointer"}, [&] { jacobi<double>(3, nullptr); });
}

TEST_CASE("solver: Chebyshev's polynomial damps eigenvalues of the range", "[solver]") {
  // Errors of eigenvalue l become (1 - l p(l)) times as large: T_k((c - l) / h) / T_k(c / h) for the range c +- h.
  const index_t n = 50;
  const linear_operator<double> A = graded<double>(n, 10);
  const std::vector<double> ones(at(n), 1.0);
  for (const int degree : {1, 2, 3, 6}) {
    const linear_operator<double> M =
        chebyshev(A, jacobi(n, ones.data()), {.degree = degree, .eigenvalues = {.smallest = 2, .largest = 10}});
    std::vector<double> z(at(n));
    M.apply(ones.data(), z.data());
    M.apply(ones.data(), z.data());  // the second is like the first
    for (index_t i = 0; i < n; ++i) {
      const double l = 1 + 9 * double(i) / double(n - 1), t = (6 - l) / 4;
      const double value = std::abs(t) <= 1 ? std::cos(degree * std::acos(t)) : chebyshev_value(degree, t);
      CHECK(1 - l * z[at(i)] == Approx(value / chebyshev_value(degree, 1.5)).margin(1e-12));
    }
  }
}

TEST_CASE("solver: Chebyshev takes fewer iterations than Jacobi, by its own estimate", "[solver]") {
  const index_t n = 3000;
  const chain_of_springs<double> A{n};
  const linear_operator<double> D = jacobi(n, A.diagonals().data());
  const solve_result plain = solved(A, D), better = solved(A, chebyshev<double>(A, D)),
                     best = solved(A, chebyshev<double>(A, D, {.degree = 8, .range = 100}));
  CHECK(plain.solved());
  CHECK(better.solved());
  CHECK(best.solved());
  CHECK(better.iterations * 5 < plain.iterations * 2);
  CHECK(best.iterations < better.iterations);
  // The estimate uses the caller's sums.
  int calls = 0;
  chebyshev_options o;
  o.sums.on_host = [&](double*, int) { ++calls; };
  chebyshev<double>(A, D, o);
  CHECK(calls > 12);
  // A matrix that is its diagonal: one iteration tells its eigenvalues.
  const linear_operator<double> diagonal = graded<double>(10, 4);
  std::vector<double> d;
  for (int i = 0; i < 10; ++i) d.push_back(1 + 3.0 * i / 9);
  CHECK(solved(diagonal, chebyshev(diagonal, jacobi(10, d.data()))).solved());
}

TEST_CASE("solver: a preconditioner in float in a solver in double", "[solver]") {
  const index_t n = 3000;
  const chain_of_springs<double> A{n};
  const chain_of_springs<float> Af{n};
  const linear_operator<double> D = jacobi(n, A.diagonals().data());
  const linear_operator<float> Df = jacobi(n, Af.diagonals().data());
  const conjugate_gradient_options fine{.relative = 1e-12, .flexible = true};
  const solve_result in_double = solved(A, chebyshev<double>(A, D), fine),
                     mixed = solved(A, in_float(chebyshev<float>(Af, Df)), fine);
  CHECK(in_double.solved());
  CHECK(mixed.solved());
  CHECK(mixed.residuals != in_double.residuals);
  CHECK(mixed.iterations <= in_double.iterations + 3);
  const std::vector<double> r{1.0 / 3};
  double z = 0;
  in_float(linear_operator<float>(1, [](const float* x, float* y) { *y = 2 * *x; })).apply(r.data(), &z);
  CHECK(z == double(2 * float(1.0 / 3)));
}

TEST_CASE("solver: mistakes in preconditioners are named", "[solver]") {
  const chain_of_springs<double> A{10};
  const linear_operator<double> D = jacobi(10, A.diagonals().data()), small = jacobi(9, A.diagonals().data());
  check_failure(status::null_pointer, {"chebyshev: no operator"}, [&] { chebyshev<double>({}, D); });
  check_failure(status::invalid_argument, {"jacobi"}, [&] { chebyshev<double>(A, A); });
  check_failure(status::shape_mismatch, {"A has 10", "D 9"}, [&] { chebyshev<double>(A, small); });
  check_failure(status::invalid_argument, {"degree 0"}, [&] { chebyshev<double>(A, D, {.degree = 0}); });
  check_failure(status::invalid_argument, {"0 iterations"},
                [&] { chebyshev<double>(A, D, {.estimate_iterations = 0}); });
  check_failure(status::invalid_argument, {"from 3", "to 2"},
                [&] { chebyshev<double>(A, D, {.eigenvalues = {.smallest = 3, .largest = 2}}); });
  const linear_operator<double> negative(10, [](const double* x, double* y) {
    for (int i = 0; i < 10; ++i) y[i] = -x[i];
  });
  check_failure(status::invalid_argument, {"p.Ap <= 0 in iteration 1"}, [&] { chebyshev(negative, D); });
  check_failure(status::null_pointer, {"in_float"}, [&] { in_float({}); });
  check_failure(status::shape_mismatch, {"16 bytes"},
                [&] { linear_operator<double>::diagonal(3, std::make_shared<buffer>(space_kind::cpu, 16)); });
  struct wide {
    index_t size() const { return 3; }
    index_t trial_size() const { return 4; }
    void apply(const double*, double*) const {}
  };
  const wide not_square;
  check_failure(status::shape_mismatch, {"y has 3 numbers, x 4"}, [&] { linear_operator<double> refused(not_square); });
}
