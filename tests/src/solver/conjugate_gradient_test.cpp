// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a CPU beside a plain loop: residuals, stopping, threads, inner products, mistakes.
#include <algorithm>
#include <limits>

#include "systems.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

const conjugate_gradient_options to_the_end{.relative = 0, .max_iterations = 25};

plain_operator plain(const chain_of_springs<double>& A) {
  return [A](const std::vector<double>& x) {
    std::vector<double> y(x.size());
    A.apply(x.data(), y.data());
    return y;
  };
}
plain_operator plain_jacobi(const chain_of_springs<double>& A) {
  return [A](const std::vector<double>& r) {
    std::vector<double> z(r);
    for (std::size_t i = 0; i < r.size(); ++i) z[i] /= A.diagonal(index_t(i));
    return z;
  };
}
const plain_operator identity = [](const std::vector<double>& r) { return r; };

// A user's own Jacobi, which solvers cannot fuse with their loops.
linear_operator<double> unfused_jacobi(const chain_of_springs<double>& A) {
  return {A.n, [A](const double* r, double* z) {
            for (index_t i = 0; i < A.n; ++i) z[i] = r[i] / A.diagonal(i);
          }};
}

void check_near(const std::vector<double>& found, const std::vector<double>& wanted, double relative) {
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found[i] - wanted[i]) / (std::abs(wanted[i]) + 1e-300));
  CHECK(worst <= relative);
}

}  // namespace

TEST_CASE("conjugate gradients: progress is told each iteration and its residual, and can end the solve", "[solver]") {
  const chain_of_springs<double> A{100};
  const std::vector<double> b = some_numbers<double>(100, 1);
  std::vector<double> x(100), told;
  conjugate_gradient_options o = to_the_end;
  o.progress = [&](int iteration, double residual) {
    CHECK(iteration == int(told.size()) + 1);
    told.push_back(residual);
  };
  const solve_result result = conjugate_gradient<double>(A, {}, o).solve_from_zero(b.data(), x.data());
  CHECK(told == std::vector<double>(result.residuals.begin() + 1, result.residuals.end()));

  struct enough {};
  o.progress = [](int iteration, double) {
    if (iteration == 3) throw enough{};
  };
  CHECK_THROWS_AS((conjugate_gradient<double>(A, {}, o).solve_from_zero(b.data(), x.data())), enough);
}

TEST_CASE("conjugate gradients: residuals and solutions are those of a plain loop", "[solver]") {
  for (const index_t n : {1, 7, 100, 1024, 1025, 40000}) {
    const chain_of_springs<double> A{n};
    const std::vector<double> b = some_numbers<double>(n, 1), guess = some_numbers<double>(n, 2);
    const int iterations = n == 1 ? 1 : n == 7 ? 5 : 25;
    conjugate_gradient_options o = to_the_end;
    o.max_iterations = iterations;
    const auto check = [&](const linear_operator<double>& M, const plain_operator& plain_M) {
      for (const bool flexible : {false, true}) {
        INFO(n << " numbers, flexible " << flexible);
        o.flexible = flexible;
        std::vector<double> x(guess), wanted(guess), zero(at(n));
        const std::vector<double> norms = plain_conjugate_gradients(plain(A), plain_M, b, iterations, wanted);
        conjugate_gradient<double> solver(A, M, o);
        const solve_result result = solver.solve(b.data(), x.data());
        if (n > 1) {  // else the last residual is rounding
          CHECK(result.outcome == solve_outcome::iteration_limit);
          CHECK(result.iterations == iterations);
          check_near(result.residuals, norms, 1e-9);
        }
        check_near(x, wanted, 1e-9);
        // From zero, x is not read.
        x.assign(at(n), std::numeric_limits<double>::quiet_NaN());
        wanted.assign(at(n), 0.0);
        plain_conjugate_gradients(plain(A), plain_M, b, iterations, wanted);
        solver.solve_from_zero(b.data(), x.data());
        check_near(x, wanted, 1e-9);
      }
    };
    check({}, identity);
    check(jacobi(n, A.diagonals().data()), plain_jacobi(A));
    check(unfused_jacobi(A), plain_jacobi(A));
  }
}

TEST_CASE("conjugate gradients: an operator that gives x.y is asked for it, and once an iteration", "[solver]") {
  const index_t n = 1000;
  const chain_of_springs<double> A{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  int plain_calls = 0, calls = 0;
  double factor = 1;
  const linear_operator<double> without(n, [&](const double* x, double* y) {
    ++plain_calls;
    A.apply(x, y);
  });
  const linear_operator<double> with = without.with_dot([&](const double* x, double* y, double* dot, stream_view) {
    ++calls;
    A.apply(x, y);
    *dot = factor * plain_dot(std::vector<double>(x, x + n), std::vector<double>(y, y + n));
  });
  CHECK(with.gives_dot());
  CHECK(!without.gives_dot());
  double untouched = 3;
  std::vector<double> y_of_b(at(n));
  check_failure(status::invalid_argument, {"apply_with_dot", "gives no x.y"},
                [&] { without.apply_with_dot(b.data(), y_of_b.data(), &untouched); });
  CHECK(untouched == 3);
  conjugate_gradient_options o = to_the_end;
  o.max_iterations = 25;
  std::vector<double> x(at(n)), wanted(at(n));
  const solve_result result = conjugate_gradient<double>(with, {}, o).solve(b.data(), x.data());
  CHECK(calls == 25);
  CHECK(plain_calls == 1);  // for the first residual
  check_near(result.residuals, conjugate_gradient<double>(without, {}, o).solve(b.data(), wanted.data()).residuals,
             1e-9);
  check_near(x, wanted, 1e-9);
  // Over all processes: two, each with half of it.
  factor = 0.5;
  o.sums.on_host = [&](double* sums, int count) {
    for (int k = 0; k < count; ++k) sums[k] *= count == 1 ? 2 : 1;
  };
  x.assign(at(n), 0.0);
  conjugate_gradient<double>(with, {}, o).solve(b.data(), x.data());
  check_near(x, wanted, 1e-9);
  factor = -1;
  CHECK(conjugate_gradient<double>(with, {}, to_the_end).solve(b.data(), x.data()).outcome ==
        solve_outcome::indefinite_operator);
}

TEST_CASE("conjugate gradients: the same bits for any number of threads", "[solver]") {
  const index_t n = 100'003;
  const chain_of_springs<double> A{n};
  const chain_of_springs<float> Af{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  const std::vector<float> bf(b.begin(), b.end());
  for (const bool flexible : {false, true}) {
    conjugate_gradient_options o = to_the_end;
    o.flexible = flexible;
    std::vector<double> norms, x(at(n));
    std::vector<float> xf(at(n));
    std::vector<double> normsf;
    for (const int threads : {1, 2, 5}) {
      const threads_for_now set(threads);
      std::vector<double> y(at(n));
      std::vector<float> yf(at(n));
      const auto result = conjugate_gradient<double>(A, jacobi(n, A.diagonals().data()), o).solve(b.data(), y.data());
      const auto resultf =
          conjugate_gradient<float>(Af, jacobi(n, Af.diagonals().data()), o).solve(bf.data(), yf.data());
      if (threads == 1) norms = result.residuals, x = y, normsf = resultf.residuals, xf = yf;
      CHECK(result.residuals.size() == 26);
      CHECK(result.residuals == norms);
      CHECK(y == x);
      CHECK(resultf.residuals == normsf);
      CHECK(yf == xf);
    }
  }
}

TEST_CASE("conjugate gradients: they stop at the first residual that is small enough", "[solver]") {
  const index_t n = 500;
  const chain_of_springs<double> A{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  const double norm_of_b = std::sqrt(plain_dot(b, b));
  std::vector<double> x(at(n)), wanted(at(n));
  const std::vector<double> norms = plain_conjugate_gradients(plain(A), identity, b, 60, wanted);
  const auto check = [&](const conjugate_gradient_options& o, double limit) {
    const solve_result result = conjugate_gradient<double>(A, {}, o).solve_from_zero(b.data(), x.data());
    CHECK(result.outcome == solve_outcome::converged);
    CHECK(result.solved());
    CHECK(result.limit == Approx(limit).epsilon(1e-14));
    const auto first = std::find_if(norms.begin(), norms.end(), [&](double norm) { return norm <= limit; });
    CHECK(result.iterations == first - norms.begin());
    CHECK(int(result.residuals.size()) == result.iterations + 1);
    CHECK(result.residuals.back() <= limit);
    CHECK(result.residuals[result.residuals.size() - 2] > limit);
    // The residual that iterations update is that of x.
    std::vector<double> r(at(n));
    A.apply(x.data(), r.data());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    CHECK(std::sqrt(plain_dot(r, r)) == Approx(result.residuals.back()).epsilon(1e-6));
  };
  check({.relative = 1e-3}, 1e-3 * norm_of_b);
  check({.relative = 0, .absolute = 1e-2}, 1e-2);
  check({.relative = 1e-9, .absolute = 1e-1}, 1e-1);
  // The limit is reached by equality, too.
  const solve_result before = conjugate_gradient<double>(A, {}, {.relative = 1e-3}).solve_from_zero(b.data(), x.data());
  const solve_result equal = conjugate_gradient<double>(A, {}, {.relative = 0, .absolute = before.residuals.back()})
                                 .solve_from_zero(b.data(), x.data());
  CHECK(equal.iterations == before.iterations);
}

TEST_CASE("conjugate gradients: right-hand sides of zero, exact guesses, no iterations", "[solver]") {
  const index_t n = 50;
  const chain_of_springs<double> A{n};
  const std::vector<double> zero(at(n)), u = some_numbers<double>(n, 3);
  std::vector<double> b(at(n)), x(u);
  conjugate_gradient<double> solver(A);
  solve_result result = solver.solve(zero.data(), x.data());
  CHECK(result.outcome == solve_outcome::zero_right_hand_side);
  CHECK(result.solved());
  CHECK(result.iterations == 0);
  CHECK(result.residuals == std::vector<double>{0});
  CHECK(x == zero);
  CHECK(result.describe().find("right-hand side is zero") != std::string::npos);

  A.apply(u.data(), b.data());
  x = u;
  result = solver.solve(b.data(), x.data());
  CHECK(result.outcome == solve_outcome::converged);
  CHECK(result.iterations == 0);
  CHECK(x == u);
  CHECK(estimated_eigenvalues(result).largest == 0);

  result = conjugate_gradient<double>(A, {}, {.max_iterations = 0}).solve_from_zero(b.data(), x.data());
  CHECK(result.outcome == solve_outcome::iteration_limit);
  CHECK(result.iterations == 0);
  CHECK(x == zero);

  const linear_operator<double> nothing(0, [](const double*, double*) {});
  result = conjugate_gradient<double>(nothing).solve(nullptr, nullptr);
  CHECK(result.outcome == solve_outcome::zero_right_hand_side);
}

TEST_CASE("conjugate gradients: operators that are not positive definite are reported", "[solver]") {
  // The smallest eigenvalue is -1, which only the third direction shows: each finds one of the eigenvalues left.
  const std::vector<double> eigenvalues{3, 5, -1};
  const linear_operator<double> A(3, [&](const double* x, double* y) {
    for (std::size_t i = 0; i < 3; ++i) y[i] = eigenvalues[i] * x[i];
  });
  const std::vector<double> b{1, 1, 0.1};
  const auto identity_of_3 = [](const double* r, double* z) { std::copy_n(r, 3, z); };
  for (const bool fused : {true, false}) {
    const linear_operator<double> M = fused ? linear_operator<double>() : linear_operator<double>(3, identity_of_3);
    std::vector<double> x(3), before(3);
    conjugate_gradient<double> solver(A, M);
    const solve_result result = solver.solve_from_zero(b.data(), x.data());
    CHECK(result.outcome == solve_outcome::indefinite_operator);
    CHECK(!result.solved());
    const int last = result.iterations;
    CHECK(last == 3);
    CHECK(int(result.residuals.size()) == last);
    CHECK(result.describe().find("p.Ap <= 0 in iteration 3") != std::string::npos);
    // x is that of the iteration before.
    conjugate_gradient<double>(A, M, {.relative = 0, .max_iterations = last - 1})
        .solve_from_zero(b.data(), before.data());
    CHECK(x == before);
  }
  // A preconditioner that is negative, from the start and later.
  int calls = 0;
  const chain_of_springs<double> springs{20};
  const std::vector<double> c = some_numbers<double>(20, 1);
  for (const int from : {1, 4}) {
    calls = 0;
    const linear_operator<double> M(20, [&](const double* r, double* z) {
      ++calls;
      for (index_t i = 0; i < 20; ++i) z[i] = calls < from ? r[i] : -r[i];
    });
    std::vector<double> x(20);
    const solve_result result = conjugate_gradient<double>(springs, M).solve_from_zero(c.data(), x.data());
    CHECK(result.outcome == solve_outcome::indefinite_preconditioner);
    CHECK(result.iterations == from - 1);
    CHECK(int(result.residuals.size()) == from);
  }
}

TEST_CASE("conjugate gradients: NaN and infinity end the iterations", "[solver]") {
  const index_t n = 30;
  const chain_of_springs<double> springs{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const bool fused : {true, false}) {
      int calls = 0;
      const linear_operator<double> A(n, [&](const double* x, double* y) {
        springs.apply(x, y);
        if (++calls == 3) y[7] = bad;
      });
      const linear_operator<double> M = fused ? linear_operator<double>() : unfused_jacobi(springs);
      std::vector<double> x(at(n)), before(at(n));
      conjugate_gradient<double> solver(A, M);
      const solve_result result = solver.solve_from_zero(b.data(), x.data());
      CHECK(result.outcome == solve_outcome::not_a_number);
      CHECK(result.iterations == 3);
      CHECK(result.residuals.size() == 3);
      conjugate_gradient<double>(springs, M, {.relative = 0, .max_iterations = 2})
          .solve_from_zero(b.data(), before.data());
      CHECK(x == before);
      // The solver can go on with other data: nothing of that is left.
      CHECK(solver.solve_from_zero(b.data(), x.data()).outcome == solve_outcome::converged);

      std::vector<double> c(b);
      c[5] = bad;
      const solve_result at_once = solver.solve_from_zero(c.data(), x.data());
      CHECK(at_once.outcome == solve_outcome::not_a_number);
      CHECK(at_once.iterations == 0);
    }
}

TEST_CASE("conjugate gradients: the flexible variant takes preconditioners that differ", "[solver]") {
  const index_t n = 400;
  const chain_of_springs<double> A{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  const auto iterations = [&](bool flexible) {
    int calls = 0;
    const linear_operator<double> M(n, [&A, &calls](const double* r, double* z) {
      ++calls;
      for (index_t i = 0; i < A.n; ++i) z[i] = r[i] * (1 + 0.9 * std::sin(double(i * calls)));
    });
    std::vector<double> x(at(n));
    const solve_result result =
        conjugate_gradient<double>(A, M, {.relative = 1e-10, .flexible = flexible}).solve_from_zero(b.data(), x.data());
    return result.solved() ? result.iterations : 1000;
  };
  const int flexible = iterations(true), fixed = iterations(false);
  CHECK(flexible < 1000);
  CHECK(4 * flexible < 3 * fixed);
}

TEST_CASE("conjugate gradients: sums over processes are completed by the caller", "[solver]") {
  // Two like processes, of which one is run: all sums are twice as large, and everything else is the same.
  const index_t n = 300;
  const chain_of_springs<double> A{n};
  const std::vector<double> b = some_numbers<double>(n, 1);
  for (const linear_operator<double>& M : {jacobi(n, A.diagonals().data()), unfused_jacobi(A)})
    for (const bool flexible : {false, true}) {
      int calls = 0;
      conjugate_gradient_options o{.relative = 1e-8, .flexible = flexible};
      std::vector<double> x(at(n)), alone(at(n));
      const solve_result single = conjugate_gradient<double>(A, M, o).solve_from_zero(b.data(), alone.data());
      o.sums.on_host = [&](double* sums, int count) {
        ++calls;
        for (int k = 0; k < count; ++k) sums[k] *= 2;
      };
      const solve_result result = conjugate_gradient<double>(A, M, o).solve_from_zero(b.data(), x.data());
      CHECK(calls >= 2 * result.iterations);
      CHECK(result.iterations == single.iterations);
      CHECK(result.residuals[3] == Approx(std::sqrt(2.0) * single.residuals[3]));
      check_near(x, alone, 1e-12);
    }
}

TEST_CASE("conjugate gradients: mistakes are named", "[solver]") {
  const chain_of_springs<double> A{10};
  const linear_operator<double> M(9, [](const double*, double*) {});
  std::vector<double> b(10, 1.0), x(10);
  check_failure(status::null_pointer, {"no operator"}, [&] { conjugate_gradient<double>({}); });
  check_failure(status::shape_mismatch, {"operator has 10", "preconditioner 9"},
                [&] { conjugate_gradient<double>(A, M); });
  check_failure(status::invalid_argument, {"tolerances -1"},
                [&] { conjugate_gradient<double>(A, {}, {.relative = -1}); });
  check_failure(status::invalid_argument, {"tolerances", "nan"},
                [&] { conjugate_gradient<double>(A, {}, {.absolute = std::nan("")}); });
  check_failure(status::invalid_argument, {"-3 iterations"},
                [&] { conjugate_gradient<double>(A, {}, {.max_iterations = -3}); });
  check_failure(status::invalid_argument, {"in a stream", "host"},
                [&] { conjugate_gradient<double>(A, {}, {.sums = {.on_stream = [](double*, int, stream_view) {}}}); });
  check_failure(status::overflow, {"-1"},
                [&] { conjugate_gradient<double>(linear_operator<double>(-1, [](const double*, double*) {})); });
  conjugate_gradient<double> solver(A);
  check_failure(status::null_pointer, {"b is a null pointer"}, [&] { solver.solve(nullptr, x.data()); });
  check_failure(status::null_pointer, {"x is a null pointer"}, [&] { solver.solve(b.data(), nullptr); });
  check_failure(status::overlap, {"b and x overlap", "10"}, [&] { solver.solve(b.data(), b.data()); });
  // What an operator throws reaches the caller.
  const linear_operator<double> broken(10, [](const double*, double*) { throw error("broken", status::internal); });
  check_failure(status::internal, {"broken"}, [&] { conjugate_gradient<double>(broken).solve(b.data(), x.data()); });
}
