// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation solved with fem::global_operator as the operator: orders of convergence, the same bits by any
// number of threads and any parts, and preconditioners of lower precision.
#include "global_sums.hpp"

#include <tessera/fem/basis.hpp>
#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include <cmath>

using namespace tessera;
using namespace tessera::testing;

namespace {

/// -div grad u = f on the unit square, u = sin(pi x) sin(pi y).
template <class T>
struct poisson {
  int order;
  index_t cells, side = order * cells + 1;
  restriction box = restriction::box({.dim = 2, .cells = {cells, cells, 0}, .order = order});
  std::vector<std::int64_t> numbers{};
  std::vector<index_t> boundary{};
  std::vector<T> corners{};

  poisson(int p, index_t n) : order(p), cells(n) {
    for (index_t e = 0; e < n * n; ++e) {
      for (index_t i = 0; i < box.entries(); ++i) numbers.push_back(box.offset(i, e));
      for (int c = 0; c < 2; ++c)
        for (int i = 0; i < 4; ++i) corners.push_back(T(double(c == 0 ? e % n + i % 2 : e / n + i / 2) / double(n)));
    }
    for (index_t k = 0; k < size(); ++k)
      if (k % side == 0 || k % side == side - 1 || k / side == 0 || k / side == side - 1) boundary.push_back(k);
  }
  index_t size() const { return side * side; }

  global_operator<T> made(operator_kind kind, bool constrained, std::span<const int> part = {}) const {
    const fem::element_nodes<T> nodes{
        .dim = 2, .order = 1, .elements = cells * cells, .coordinates = corners.data(), .coefficients = {}};
    const restriction_spec s{
        .elements = cells * cells,
        .entries = box.entries(),
        .size = size(),
        .offsets64 = numbers.data(),
        .constrained = constrained ? std::span<const index_t>(boundary) : std::span<const index_t>{}};
    return global_operator<T>(nodes, restriction(s), {.kind = kind, .trial = {.order = order}}, {.part = part});
  }
  std::vector<double> exact() const {
    const double pi = std::acos(-1.0);
    const fem::basis functions(fem::basis_kind::gauss_lobatto, order);
    const auto place = [&](index_t i) {
      return (double(i / order) + functions.nodes()[at(i % order)]) / double(cells);
    };
    std::vector<double> u;
    for (index_t k = 0; k < size(); ++k) u.push_back(std::sin(pi * place(k % side)) * std::sin(pi * place(k / side)));
    return u;
  }
  // Of all frequencies.
  std::vector<double> rough_right_hand_side() const {
    std::vector<double> b = seeded<double>(size(), 5);
    for (const index_t k : boundary) b[at(k)] = 0;
    return b;
  }
  std::vector<double> right_hand_side() const {
    const double pi = std::acos(-1.0);
    std::vector<double> f = exact(), b(f.size());
    for (double& value : f) value *= 2 * pi * pi;
    made(operator_kind::mass, false).apply(f.data(), b.data());
    for (const index_t k : boundary) b[at(k)] = 0;
    return b;
  }
};

}  // namespace

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
