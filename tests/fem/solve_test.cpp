// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation solved with fem::global_operator as the operator: orders of convergence, the same bits by any
// number of threads and any parts, and preconditioners of lower precision.
#include "poisson_case.hpp"

#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include <cmath>

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("solving Poisson's equation: errors fall as they should", "[fem][solver]") {
  for (const int p : {1, 2, 3, 4}) {
    double coarse = 0;
    for (const index_t cells : {4, 8}) {
      const poisson<double> problem(p, cells);
      const auto A = problem.made(operator_kind::diffusion, true);
      const std::vector<double> b = problem.right_hand_side(), exact = problem.exact();
      std::vector<double> x(b.size());
      conjugate_gradient<double> solver(A, jacobi(A), {.relative = 1e-12});
      const solve_result result = solver.solve_from_zero(b.data(), x.data());
      CHECK(result.solved());
      double error = 0;
      for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - exact[i]));
      INFO("order " << p << ", " << cells << " cells a direction: " << error);
      if (cells == 8) CHECK(std::log2(coarse / error) > p + 0.5);
      coarse = error;
    }
  }
}

TEST_CASE("solving Poisson's equation: the same bits by any threads, any parts", "[fem][solver]") {
  const poisson<double> problem(3, 40);
  const std::vector<double> b = problem.rough_right_hand_side();
  std::vector<int> part;
  for (int e = 0; e < 1600; ++e) part.push_back(e % 3);
  std::vector<double> norms, x;
  for (const int threads : {1, 2, 5})
    for (const bool parts : {false, true}) {
      const thread_count set(threads);
      const auto A =
          problem.made(operator_kind::diffusion, true, parts ? std::span<const int>(part) : std::span<const int>{});
      std::vector<double> y(b.size());
      const solve_result result =
          conjugate_gradient<double>(A, jacobi(A), {.relative = 1e-6}).solve_from_zero(b.data(), y.data());
      CHECK(result.solved());
      CHECK(result.iterations > 50);
      if (norms.empty()) norms = result.residuals, x = y;
      CHECK((result.residuals == norms));
      CHECK((y == x));
    }
}

TEST_CASE("solving Poisson's equation: Chebyshev in float around a solver in double", "[fem][solver]") {
  const poisson<double> problem(4, 10);
  const poisson<float> single(4, 10);
  const auto A = problem.made(operator_kind::diffusion, true);
  const auto Af = single.made(operator_kind::diffusion, true);
  const std::vector<double> b = problem.rough_right_hand_side();
  std::vector<double> x(b.size()), y(b.size());
  // snippet mixed
  const auto M = in_float(chebyshev<float>(Af, jacobi(Af)));  // Af: the same operator in float
  conjugate_gradient<double> solver(A, M, {.relative = 1e-12, .flexible = true});
  const solve_result result = solver.solve_from_zero(b.data(), x.data());
  // end snippet
  CHECK(result.solved());
  const solve_result plain =
      conjugate_gradient<double>(A, jacobi(A), {.relative = 1e-12}).solve_from_zero(b.data(), y.data());
  CHECK(plain.solved());
  INFO(result.iterations << " iterations, " << plain.iterations << " with Jacobi");
  CHECK(2 * result.iterations < plain.iterations);
  double worst = 0, most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - y[i]));
    most = std::max(most, std::abs(y[i]));
  }
  CHECK(worst < 1e-9 * most);
}
