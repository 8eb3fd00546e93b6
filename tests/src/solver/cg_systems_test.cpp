// SPDX-License-Identifier: BSD-3-Clause
// Several systems solved at once: the same bits as one after the other, sums over processes, threads, mistakes.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>

#include "systems.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Jacobi that solvers cannot fuse with their loops.
template <class T>
linear_operator<T> unfused_jacobi(const side_by_side<T>& A) {
  return {A.size(), [d = A.diagonals()](const T* r, T* z) {
            for (std::size_t i = 0; i < d.size(); ++i) z[i] = r[i] / d[i];
          }};
}
// None, a diagonal and one that is a function.
template <class T>
linear_operator<T> preconditioner(int kind, const side_by_side<T>& A) {
  if (kind == 0) return {};
  return kind == 1 ? jacobi(A.size(), A.diagonals().data()) : unfused_jacobi(A);
}

template <class T>
struct solved_systems {
  std::vector<solve_result> results;
  std::vector<T> x;
};
template <class T>
solved_systems<T> solve_all(const linear_operator<T>& A, const linear_operator<T>& M,
                            const conjugate_gradient_options& o, const std::vector<T>& b, const std::vector<T>& guess) {
  solved_systems<T> s{{}, guess};
  conjugate_gradient<T> solver(A, M, o);
  s.results = guess.empty() ? (s.x.resize(b.size()), solver.solve_each_from_zero(b.data(), s.x.data()))
                            : solver.solve_each(b.data(), s.x.data());
  return s;
}

void check_same(const solve_result& found, const solve_result& wanted) {
  CHECK(found.outcome == wanted.outcome);
  CHECK(found.iterations == wanted.iterations);
  CHECK(found.limit == wanted.limit);
  CHECK(found.residuals == wanted.residuals);
  CHECK(found.alpha == wanted.alpha);
  CHECK(found.beta == wanted.beta);
}

}  // namespace

TEMPLATE_TEST_CASE("systems at once: results are bit for bit those of solves apart", "[solver]", double, float) {
  using T = TestType;
  for (const index_t n : {1, 50, 1100, 20'000})
    for (const int kind : {0, 1, 2})
      for (const bool flexible : {false, true})
        for (const residual_norm norm : {residual_norm::euclidean, residual_norm::preconditioned})
          for (const bool from_zero : {false, true}) {
            INFO(n << " numbers, preconditioner " << kind << ", flexible " << flexible << ", norm " << int(norm));
            const four_systems<T> four(n);
            conjugate_gradient_options o{.relative = 1e-5, .norm = norm, .flexible = flexible};
            o.systems = 4;
            const std::vector<T> guess = from_zero ? std::vector<T>() : four.guess;
            const solved_systems<T> all = solve_all<T>(four.A, preconditioner(kind, four.A), o, four.b, guess);
            REQUIRE(all.results.size() == 4);
            o.systems = 1;
            std::set<int> ends;
            for (std::size_t k = 0; k < 4; ++k) {
              const side_by_side<T> A = four.A.only(k);
              const solved_systems<T> alone = solve_all<T>(A, preconditioner(kind, A), o, A.part_of(four.b, k),
                                                           from_zero ? guess : A.part_of(guess, k));
              check_same(all.results[k], alone.results.front());
              CHECK(four.A.part_of(all.x, k) == alone.x);
              ends.insert(alone.results.front().iterations);
            }
            if (n == 1) continue;
            CHECK(ends.size() == 4);
            CHECK(all.results[0].outcome == solve_outcome::converged);
            CHECK(all.results[1].outcome == solve_outcome::zero_right_hand_side);
            CHECK(all.results[2].outcome == solve_outcome::indefinite_operator);
            CHECK(all.results[2].iterations > 1);
            CHECK(all.results[3].outcome == solve_outcome::converged);
          }
}

TEST_CASE("systems at once: three components of a vector", "[solver]") {
  const index_t n = 100;
  const side_by_side<double> springs{{n}, {0, -0.1, -0.2}};
  const linear_operator<double> A = springs, M = jacobi(3 * n, springs.diagonals().data());
  const std::vector<double> b = some_numbers<double>(3 * n, 1);
  std::vector<double> x(b.size()), Ax(b.size());
  // snippet systems
  // A and M map vectors of 3 n numbers: n of each component.
  conjugate_gradient<double> solver(A, M, {.relative = 1e-10, .systems = 3});
  const std::vector<solve_result> results = solver.solve_each(b.data(), x.data());
  for (const solve_result& component : results)
    if (!component.solved()) std::puts(component.describe().c_str());
  // end snippet
  REQUIRE(results.size() == 3);
  for (const solve_result& component : results) CHECK(component.solved());
  A.apply(x.data(), Ax.data());
  for (std::size_t i = 0; i < b.size(); ++i) CHECK(std::abs(Ax[i] - b[i]) <= 1e-8);
}

TEST_CASE("systems at once: A is applied once an iteration to all, without x.y", "[solver]") {
  const four_systems<double> four(300);
  int calls = 0;
  const linear_operator<double> A(four.A.size(), [&](const double* x, double* y) {
    ++calls;
    four.A.apply(x, y);
  });
  const linear_operator<double> with = A.with_dot([](const double*, double*, double*, stream_view) { FAIL("x.y"); });
  std::vector<double> told;
  const conjugate_gradient_options o{.systems = 4, .progress = [&](int iteration, double residual) {
                                       CHECK(iteration == int(told.size()) + 1);
                                       told.push_back(residual);
                                     }};
  const solved_systems<double> all = solve_all<double>(with, {}, o, four.b, {});
  int last = 0;
  for (const solve_result& result : all.results) last = std::max(last, result.iterations);
  CHECK(calls == last);
  CHECK(last == all.results[0].iterations);
  // Progress is told the largest residual of those that go on.
  REQUIRE(int(told.size()) == last);
  for (std::size_t i = 1; i <= told.size(); ++i) {
    double largest = 0;
    for (const solve_result& result : all.results)
      if (i < result.residuals.size()) largest = std::max(largest, result.residuals[i]);
    CHECK(told[i - 1] == largest);
  }
}

TEST_CASE("systems at once: NaN in one leaves the others alone", "[solver]") {
  const index_t n = 200;
  const four_systems<double> four(n);
  for (const int kind : {0, 1, 2}) {
    int calls = 0;
    const linear_operator<double> A(4 * n, [&](const double* x, double* y) {
      four.A.apply(x, y);
      if (++calls == 3) y[3 * n + 7] = std::numeric_limits<double>::quiet_NaN();
    });
    const conjugate_gradient_options o{.systems = 4};
    const linear_operator<double> M = preconditioner(kind, four.A);
    const solved_systems<double> found = solve_all(A, M, o, four.b, {}),
                                 wanted = solve_all<double>(four.A, M, o, four.b, {});
    for (std::size_t k = 0; k < 3; ++k) {
      check_same(found.results[k], wanted.results[k]);
      CHECK(four.A.part_of(found.x, k) == four.A.part_of(wanted.x, k));
    }
    CHECK(found.results[3].outcome == solve_outcome::not_a_number);
    CHECK(found.results[3].iterations == 3);
    conjugate_gradient_options two = o;
    two.max_iterations = 2;
    CHECK(four.A.part_of(found.x, 3) == four.A.part_of(solve_all<double>(four.A, M, two, four.b, {}).x, 3));
    // Nothing of that is left in the next solve.
    conjugate_gradient<double> solver(A, M, o);
    calls = 0;
    std::vector<double> x(four.b.size());
    solver.solve_each_from_zero(four.b.data(), x.data());
    solver.solve_each_from_zero(four.b.data(), x.data());
    CHECK(x == wanted.x);
  }
}

TEST_CASE("systems at once: sums over processes come system by system", "[solver]") {
  const index_t n = 300;
  const four_systems<double> four(n);
  // As if system k had k + 2 like processes, of which one is run.
  const auto multiply = [](double* sums, int count, std::size_t system) {
    for (int i = 0; i < count; ++i) sums[i] *= double(system + 2);
  };
  for (const int kind : {0, 1, 2})
    for (const bool flexible : {false, true}) {
      conjugate_gradient_options o{.flexible = flexible, .systems = 4};
      std::vector<int> counts;
      std::vector<double> first;
      o.sums.on_host = [&](double* sums, int count) {
        REQUIRE(count % 4 == 0);
        if (counts.empty()) first.assign(sums, sums + count);
        counts.push_back(count);
        for (std::size_t k = 0; k < 4; ++k) multiply(sums + index_t(k) * (count / 4), count / 4, k);
      };
      const solved_systems<double> all = solve_all<double>(four.A, preconditioner(kind, four.A), o, four.b, {});
      const bool fused = kind < 2 && !flexible;
      CHECK(index_t(counts.size()) == (fused ? 1 : 2) + (fused ? 2 : 3) * all.results[0].iterations - (fused ? 0 : 1));
      REQUIRE(first.size() == 12);
      o.systems = 1;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::vector<double> b = four.A.part_of(four.b, k);
        CHECK(first[3 * k] == Approx(plain_dot(b, b)));
        o.sums.on_host = [&](double* sums, int count) { multiply(sums, count, k); };
        const side_by_side<double> A = four.A.only(k);
        const solved_systems<double> alone = solve_all<double>(A, preconditioner(kind, A), o, b, {});
        check_same(all.results[k], alone.results.front());
        CHECK(four.A.part_of(all.x, k) == alone.x);
      }
    }
}

TEST_CASE("systems at once: the same bits for any number of threads", "[solver]") {
  const four_systems<double> four(40'003);
  for (const bool flexible : {false, true}) {
    solved_systems<double> first;
    for (const int threads : {1, 2, 5}) {
      const threads_for_now set(threads);
      const conjugate_gradient_options o{
          .norm = residual_norm::preconditioned, .max_iterations = 20, .flexible = flexible, .systems = 4};
      const solved_systems<double> found = solve_all<double>(four.A, preconditioner(1, four.A), o, four.b, four.guess);
      if (threads == 1) first = found;
      CHECK(found.x == first.x);
      for (std::size_t k = 0; k < 4; ++k) check_same(found.results[k], first.results[k]);
    }
  }
}

TEST_CASE("systems at once: mistakes are named, and one system is an ordinary solve", "[solver]") {
  const chain_of_springs<double> A{10};
  const auto made = [&](int systems) { return conjugate_gradient<double>(A, {}, {.systems = systems}); };
  for (const int systems : {0, -2, 9})
    check_failure(status::invalid_argument, {std::to_string(systems) + " systems", "1 to 8"}, [&] { made(systems); });
  check_failure(status::shape_mismatch, {"10 numbers", "3 systems"}, [&] { made(3); });
  const std::vector<double> b = some_numbers<double>(10, 1);
  std::vector<double> x(10), y(10);
  conjugate_gradient<double> two = made(2);
  CHECK(two.size() == 10);
  check_failure(status::invalid_argument, {"solve_each", "2 of this solver"}, [&] { two.solve(b.data(), x.data()); });
  check_failure(status::invalid_argument, {"solve_each"}, [&] { two.solve_from_zero(b.data(), x.data()); });
  check_failure(status::null_pointer, {"b is a null pointer"}, [&] { two.solve_each(nullptr, x.data()); });
  check_failure(status::overlap, {"10 numbers"}, [&] { two.solve_each(b.data(), const_cast<double*>(b.data()) + 5); });

  conjugate_gradient<double> one = made(1);
  const std::vector<solve_result> each = one.solve_each_from_zero(b.data(), x.data());
  REQUIRE(each.size() == 1);
  check_same(each.front(), one.solve_from_zero(b.data(), y.data()));
  CHECK(x == y);
  const linear_operator<double> nothing(0, [](const double*, double*) {});
  const std::vector<solve_result> none =
      conjugate_gradient<double>(nothing, {}, {.systems = 3}).solve_each(nullptr, nullptr);
  REQUIRE(none.size() == 3);
  for (const solve_result& result : none) CHECK(result.outcome == solve_outcome::zero_right_hand_side);
}
