// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients that stop by sqrt(r.Mr), beside a plain loop: limits, outcomes, what is reported.
#include <algorithm>
#include <limits>

#include "systems.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

constexpr residual_norm preconditioned = residual_norm::preconditioned;
using vector = std::vector<double>;

// Far from the diagonal of the springs: r.Mr is between 1.6 and 16 times r.r.
vector scaled_diagonal(index_t n) {
  vector d;
  for (index_t i = 0; i < n; ++i) d.push_back((1 + double((7 * i) % 10)) / 16);
  return d;
}
linear_operator<double> division(const vector& d, bool fused) {
  if (fused) return jacobi(index_t(d.size()), d.data());
  return {index_t(d.size()), [d](const double* r, double* z) {
            for (std::size_t i = 0; i < d.size(); ++i) z[i] = r[i] / d[i];
          }};
}

struct plain_result {
  vector x, norms, alpha, beta;
};
// As MFEM's CGSolver: sqrt(r.Mr) is compared at the start and after each iteration.
plain_result plain_solve(const chain_of_springs<double>& A, const vector& d, const vector& b, const vector& guess,
                         double relative, double absolute) {
  const auto divided = [&](const vector& r) {
    vector z(r);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] /= d[i];
    return z;
  };
  vector r(b.size()), q(b.size());
  plain_result s{guess, {}, {}, {}};
  A.apply(guess.data(), r.data());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  vector z = divided(r), p = z;
  double rz = plain_dot(r, z);
  s.norms.push_back(std::sqrt(rz));
  const double limit = std::max(relative * std::sqrt(rz), absolute);
  while (s.norms.back() > limit) {
    A.apply(p.data(), q.data());
    const double alpha = rz / plain_dot(p, q);
    for (std::size_t i = 0; i < r.size(); ++i) {
      s.x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    z = divided(r);
    const double next = plain_dot(r, z), beta = next / rz;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
    rz = next;
    s.norms.push_back(std::sqrt(rz));
    s.alpha.push_back(alpha);
    s.beta.push_back(s.norms.back() > limit ? beta : 0);
  }
  return s;
}

void check_solution(const vector& found, const vector& wanted, double relative) {
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found[i] - wanted[i]) / (std::abs(wanted[i]) + 1e-300));
  CHECK(worst <= relative);
}

}  // namespace

TEST_CASE("norm r.Mr: residuals, factors, limit and end are those of a plain loop", "[solver]") {
  for (const index_t n : {200, 1000, 20'000}) {
    const chain_of_springs<double> A{n};
    const vector b = some_numbers<double>(n, 1), zero(at(n)), d = scaled_diagonal(n);
    vector guess = some_numbers<double>(n, 2);
    for (double& number : guess) number *= 10;  // its residual is not of the size of b
    for (const bool fused : {true, false})
      for (const bool flexible : {false, true})
        for (const bool from_zero : {true, false})
          for (const double absolute : {0.0, 2.0}) {
            INFO(n << " numbers, fused " << fused << ", flexible " << flexible << ", absolute " << absolute);
            const conjugate_gradient_options o{
                .relative = 0.05, .absolute = absolute, .norm = preconditioned, .flexible = flexible};
            const plain_result wanted = plain_solve(A, d, b, from_zero ? zero : guess, 0.05, absolute);
            vector x(guess);
            conjugate_gradient<double> solver(A, division(d, fused), o);
            const solve_result found =
                from_zero ? solver.solve_from_zero(b.data(), x.data()) : solver.solve(b.data(), x.data());
            CHECK(found.outcome == solve_outcome::converged);
            CHECK(found.iterations == int(wanted.alpha.size()));
            CHECK(found.iterations > 5);
            CHECK(found.limit == Approx(std::max(0.05 * wanted.norms.front(), absolute)).epsilon(1e-12));
            check_solution(found.residuals, wanted.norms, 1e-8);
            check_solution(found.alpha, wanted.alpha, 1e-8);
            check_solution(found.beta, wanted.beta, 1e-8);
            // The last iteration's step is in x.
            double worst = 0;
            for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - wanted.x[i]));
            CHECK(worst <= 1e-9);
            CHECK(found.residuals.back() <= found.limit);
            CHECK(found.residuals.end()[-2] > found.limit);
          }
  }
}

TEST_CASE("norm r.Mr: without a preconditioner it is the 2-norm, relative to the first residual", "[solver]") {
  const index_t n = 500;
  const chain_of_springs<double> A{n};
  const vector b = some_numbers<double>(n, 1), guess = some_numbers<double>(n, 2);
  vector x(at(n)), y(at(n));
  const solve_result by_r = conjugate_gradient<double>(A, {}, {.relative = 1e-6}).solve_from_zero(b.data(), x.data());
  conjugate_gradient<double> by_Mr(A, {}, {.relative = 1e-6, .norm = preconditioned});
  const solve_result same = by_Mr.solve_from_zero(b.data(), y.data());
  CHECK(same.residuals == by_r.residuals);
  CHECK(same.limit == by_r.limit);
  CHECK(x == y);
  x = guess;
  const solve_result guessed = by_Mr.solve(b.data(), x.data());
  CHECK(guessed.limit == 1e-6 * guessed.residuals[0]);
  CHECK(guessed.limit != by_r.limit);
  // In float, too.
  const chain_of_springs<float> Af{n};
  const std::vector<float> bf(b.begin(), b.end());
  std::vector<float> xf(at(n));
  const auto M = jacobi(n, Af.diagonals().data());
  const solve_result single = conjugate_gradient<float>(Af, M, {.relative = 1e-4, .norm = preconditioned})
                                  .solve_from_zero(bf.data(), xf.data());
  CHECK(single.solved());
  CHECK(single.residuals.back() <= 1e-4 * single.residuals[0]);
}

TEST_CASE("norm r.Mr: solves that end before the first iteration", "[solver]") {
  const index_t n = 50;
  const chain_of_springs<double> A{n};
  const vector zero(at(n)), u = some_numbers<double>(n, 3);
  for (const bool fused : {true, false}) {
    const linear_operator<double> M = division(scaled_diagonal(n), fused);
    const auto solve = [&](conjugate_gradient_options o, const vector& b, vector& x) {
      o.norm = preconditioned;
      return conjugate_gradient<double>(A, M, o).solve(b.data(), x.data());
    };
    vector x(u), b(at(n));
    solve_result result = solve({}, zero, x);
    CHECK(result.outcome == solve_outcome::zero_right_hand_side);
    CHECK(result.residuals == vector{0});
    CHECK(x == zero);
    A.apply(u.data(), b.data());
    x = u;
    result = solve({}, b, x);  // r = 0
    CHECK(result.outcome == solve_outcome::converged);
    CHECK(result.iterations == 0);
    CHECK(result.residuals == vector{0});
    CHECK(x == u);
    x = zero;
    CHECK(solve({.relative = 1}, b, x).outcome == solve_outcome::converged);
    CHECK(x == zero);
    result = solve({.max_iterations = 0}, b, x);
    CHECK(result.outcome == solve_outcome::iteration_limit);
    CHECK(result.limit == 1e-8 * result.residuals[0]);
    CHECK(x == zero);
    result = solve({.relative = 0, .max_iterations = 3}, b, x);
    CHECK(result.outcome == solve_outcome::iteration_limit);
    CHECK(result.iterations == 3);
    CHECK(result.residuals.size() == 4);
    // NaN in b is found before that.
    b[5] = std::numeric_limits<double>::quiet_NaN();
    CHECK(solve({}, b, x).outcome == solve_outcome::not_a_number);
  }
  // M is 0 where b is not: r.Mr = 0 is the end.
  vector b(zero), x(zero);
  b[0] = 1;
  const linear_operator<double> without_first(n, [](const double* r, double* z) {
    std::copy_n(r, 50, z);
    z[0] = 0;
  });
  const solve_result result =
      conjugate_gradient<double>(A, without_first, {.norm = preconditioned}).solve(b.data(), x.data());
  CHECK(result.outcome == solve_outcome::converged);
  CHECK(result.residuals == vector{0});
  CHECK(conjugate_gradient<double>(A, without_first).solve(b.data(), x.data()).outcome ==
        solve_outcome::indefinite_preconditioner);
}

TEST_CASE("norm r.Mr: where M is negative or NaN, x is from the iteration before", "[solver]") {
  const index_t n = 20;
  const chain_of_springs<double> A{n};
  const vector b = some_numbers<double>(n, 1);
  for (const double factor : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    for (const bool flexible : {false, true})
      for (const int from : {1, 4}) {
        int calls = 0;
        const linear_operator<double> M(n, [&](const double* r, double* z) {
          ++calls;
          for (index_t i = 0; i < n; ++i) z[i] = calls < from ? r[i] : factor * r[i];
        });
        vector x(at(n)), before(at(n));
        conjugate_gradient_options o{.norm = preconditioned, .flexible = flexible};
        const solve_result found = conjugate_gradient<double>(A, M, o).solve_from_zero(b.data(), x.data());
        CHECK(found.outcome == (factor == -1 ? solve_outcome::indefinite_preconditioner : solve_outcome::not_a_number));
        CHECK(found.iterations == from - 1);
        if (from == 1) {
          REQUIRE(found.residuals.size() == 1);
          CHECK(std::isnan(found.residuals[0]));
          CHECK(x == before);
          continue;
        }
        o.max_iterations = from - 2;
        const solve_result wanted = conjugate_gradient<double>(A, {}, o).solve_from_zero(b.data(), before.data());
        CHECK(x == before);
        CHECK(found.residuals == wanted.residuals);
      }
}
