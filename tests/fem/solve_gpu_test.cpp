// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation solved on a GPU: the solution of a CPU, and the same bits in every run and by any parts.
#include "placed.hpp"
#include "poisson_case.hpp"
#include "testing/jit.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu solving Poisson's equation: the solution of a CPU", "[fem][solver][gpu]") {
  if (absent()) return;
  for (const int p : {1, 2, 3, 4, 5, 6}) {
    const poisson<double> problem(p, 12);
    const std::vector<double> b = problem.right_hand_side();
    std::vector<double> x(b.size());
    const auto A = problem.made(operator_kind::diffusion, true);
    const auto B = problem.made(operator_kind::diffusion, true, {}, target::cuda);
    const conjugate_gradient_options to_the_end{.relative = 1e-13};
    CHECK(conjugate_gradient<double>(A, jacobi(A), to_the_end).solve_from_zero(b.data(), x.data()).solved());
    const placed<double> there_b(b, true), there_x(x, true);
    const solve_result result =
        conjugate_gradient<double>(B, jacobi(B), to_the_end).solve_from_zero(there_b.data(), there_x.data());
    CHECK(result.solved());
    const std::vector<double> y = there_x.read();
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::abs(y[i] - x[i]));
      most = std::max(most, std::abs(x[i]));
    }
    INFO("order " << p << ": " << worst / most << ", " << result.iterations << " iterations");
    CHECK(worst <= 1e-9 * most);
  }
}

TEST_CASE("gpu solving Poisson's equation: the same bits in every run, by any parts", "[fem][solver][gpu]") {
  if (absent()) return;
  const poisson<double> problem(3, 40);
  const std::vector<double> b = problem.rough_right_hand_side();
  std::vector<int> part;
  for (int e = 0; e < 1600; ++e) part.push_back(e % 3);
  std::vector<double> norms, x;
  for (const bool parts : {false, true, false}) {
    const auto A = problem.made(operator_kind::diffusion, true,
                                parts ? std::span<const int>(part) : std::span<const int>{}, target::cuda);
    const placed<double> there_b(b, true), there_x(b, true);
    const solve_result result =
        conjugate_gradient<double>(A, jacobi(A), {.relative = 1e-6}).solve_from_zero(there_b.data(), there_x.data());
    CHECK(result.solved());
    const std::vector<double> y = there_x.read();
    if (norms.empty()) norms = result.residuals, x = y;
    CHECK((result.residuals == norms));
    CHECK((y == x));
  }
}
