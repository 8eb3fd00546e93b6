// SPDX-License-Identifier: BSD-3-Clause
// Several systems at once and the norm r.Mr on a GPU: beside the CPU, and bit for bit the same as solves apart.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include <tessera/gpu/detail/vectors.hpp>

#include "gpu/device_springs.cuh"

using namespace tessera;
using namespace tessera::testing;

namespace {

// sums[k * per + j] *= k + first, as if system k had so many like processes.
__global__ void multiply_by_system(double* sums, int count, int per, int first) {
  for (int i = 0; i < count; ++i) sums[i] *= i / per + first;
}
// y[at] = NaN in the third call, counted in device memory.
__global__ void spoil_third(int* calls, index_t at, double* y) {
  if (++*calls == 3) y[at] = std::numeric_limits<double>::quiet_NaN();
}

template <class T>
struct solved {
  std::vector<solve_result> results;
  std::vector<T> x;
};
template <class T>
solved<T> solve_on_gpu(const linear_operator<T>& A, const linear_operator<T>& M, const conjugate_gradient_options& o,
                       const std::vector<T>& b, const std::vector<T>& guess) {
  conjugate_gradient<T> solver(A, M, o);
  const device_entries<T> of_b(b), of_x(guess);
  std::vector<solve_result> results = solver.solve_each(of_b.data(), of_x.data());
  return {std::move(results), of_x.read()};
}

// None, a diagonal and one that is a function.
template <class T>
linear_operator<T> preconditioner(int kind, device_springs<T>& A) {
  if (kind == 0) return {};
  return kind == 1 ? A.diagonal() : unfused(A.diagonal());
}

void check_same(const solve_result& found, const solve_result& wanted) {
  CHECK(found.outcome == wanted.outcome);
  CHECK(found.iterations == wanted.iterations);
  CHECK(found.limit == wanted.limit);
  CHECK(found.residuals == wanted.residuals);
  CHECK(found.alpha == wanted.alpha);
  CHECK(found.beta == wanted.beta);
}
template <class T>
void check_same(const solved<T>& found, const solved<T>& wanted) {
  REQUIRE(found.results.size() == wanted.results.size());
  for (std::size_t k = 0; k < found.results.size(); ++k) check_same(found.results[k], wanted.results[k]);
  CHECK(found.x == wanted.x);
}

}  // namespace

TEMPLATE_TEST_CASE("gpu solver: systems at once are bit for bit those of solves apart", "[gpu]", double, float) {
  if (no_gpu()) return;
  using T = TestType;
  for (const index_t n : {1, 50, 4097, 20'001}) {
    const four_systems<T> four(n);
    device_springs<T> A(four.A);
    for (const int kind : {0, 1, 2})
      for (const bool flexible : {false, true})
        for (const residual_norm norm : {residual_norm::euclidean, residual_norm::preconditioned}) {
          INFO(n << " numbers, preconditioner " << kind << ", flexible " << flexible << ", norm " << int(norm));
          conjugate_gradient_options o{.relative = 1e-5, .norm = norm, .flexible = flexible, .systems = 4};
          const solved<T> all = solve_on_gpu(A.made(), preconditioner(kind, A), o, four.b, four.guess);
          REQUIRE(all.results.size() == 4);
          o.graph = false;
          check_same(solve_on_gpu(A.made(), preconditioner(kind, A), o, four.b, four.guess), all);
          o.graph = true;
          o.systems = 1;
          std::set<int> ends;
          for (std::size_t k = 0; k < 4; ++k) {
            device_springs<T> one(four.A.only(k));
            const solved<T> alone = solve_on_gpu(one.made(), preconditioner(kind, one), o, four.A.part_of(four.b, k),
                                                 four.A.part_of(four.guess, k));
            check_same(all.results[k], alone.results.front());
            CHECK(four.A.part_of(all.x, k) == alone.x);
            ends.insert(alone.results.front().iterations);
          }
          if (n > 1) CHECK(ends.size() == 4);
        }
  }
}

TEST_CASE("gpu solver: systems at once, and the norm r.Mr, are those of the CPU", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const index_t n = 300;
  const four_systems<double> four(n);
  device_springs<double> A(four.A);
  const linear_operator<double> on_host = jacobi(four.A.size(), four.A.diagonals().data());
  for (const int kind : {0, 1, 2})
    for (const residual_norm norm : {residual_norm::euclidean, residual_norm::preconditioned}) {
      INFO("preconditioner " << kind << ", norm " << int(norm));
      const conjugate_gradient_options o{.relative = 1e-2, .norm = norm, .systems = 4};
      const solved<double> found = solve_on_gpu(A.made(), preconditioner(kind, A), o, four.b, four.guess);
      std::vector<double> x(four.guess);
      conjugate_gradient<double> solver(four.A, kind == 0 ? linear_operator<double>() : on_host, o);
      const std::vector<solve_result> wanted = solver.solve_each(four.b.data(), x.data());
      for (std::size_t k = 0; k < 4; ++k) {
        CHECK(found.results[k].outcome == wanted[k].outcome);
        CHECK(found.results[k].iterations == wanted[k].iterations);
        CHECK(found.results[k].limit == Approx(wanted[k].limit).epsilon(1e-12));
        check_alike(found.results[k].residuals, wanted[k].residuals, 1e-6);
        check_alike(found.results[k].alpha, wanted[k].alpha, 1e-6);
        check_alike(found.results[k].beta, wanted[k].beta, 1e-6);
      }
      check_alike(found.x, x, 1e-6);
    }
}

TEST_CASE("gpu solver: systems at once, in one graph, without x.y of the operator", "[gpu]") {
  if (no_gpu()) return;
  const four_systems<double> four(2000);
  device_springs<double> A(four.A);
  int dots = 0;
  const linear_operator<double> with = A.made().with_dot([&](const double*, double*, double*, stream_view) { ++dots; });
  std::vector<double> told;
  const conjugate_gradient_options o{.systems = 4, .progress = [&](int iteration, double residual) {
                                       CHECK(iteration == int(told.size()) + 1);
                                       told.push_back(residual);
                                     }};
  const solved<double> all = solve_on_gpu(with, A.diagonal(), o, four.b, four.guess);
  CHECK(dots == 0);
  CHECK(A.calls == 3);  // the start, the first iteration, the graph
  int last = 0;
  for (const solve_result& result : all.results) last = std::max(last, result.iterations);
  CHECK(int(told.size()) == last);
  CHECK(told.back() == all.results[0].residuals.back());
  // From zero x is not read.
  const device_entries<double> b(four.b),
      x(std::vector<double>(four.b.size(), std::numeric_limits<double>::quiet_NaN()));
  conjugate_gradient<double> solver(A.made(), A.diagonal(), {.systems = 4});
  const std::vector<solve_result> from_zero = solver.solve_each_from_zero(b.data(), x.data());
  const solved<double> from_guess =
      solve_on_gpu(A.made(), A.diagonal(), {.systems = 4}, four.b, std::vector<double>(four.b.size(), 0.0));
  CHECK(x.read() == from_guess.x);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(from_zero[k].outcome == from_guess.results[k].outcome);
    CHECK(from_zero[k].iterations == from_guess.results[k].iterations);
    check_alike(from_zero[k].residuals, from_guess.results[k].residuals, 1e-14);
  }
}

TEST_CASE("gpu solver: NaN in one system leaves the others alone", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const index_t n = 200;
  const four_systems<double> four(n);
  device_springs<double> A(four.A);
  for (const int kind : {0, 1, 2}) {
    const device_entries<int> calls(std::vector<int>{0});
    const linear_operator<double> spoiled(
        4 * n,
        [&](const double* x, double* y, stream_view on) {
          A.queue(x, y, on);
          spoil_third<<<1, 1, 0, as_cuda(on)>>>(calls.data(), 3 * n + 7, y);
        },
        space_kind::gpu);
    conjugate_gradient_options o{.systems = 4};
    const solved<double> found = solve_on_gpu(spoiled, preconditioner(kind, A), o, four.b, four.guess);
    const solved<double> wanted = solve_on_gpu(A.made(), preconditioner(kind, A), o, four.b, four.guess);
    for (std::size_t k = 0; k < 3; ++k) {
      check_same(found.results[k], wanted.results[k]);
      CHECK(four.A.part_of(found.x, k) == four.A.part_of(wanted.x, k));
    }
    // The first call is the start: it is the second iteration.
    CHECK(found.results[3].outcome == solve_outcome::not_a_number);
    CHECK(found.results[3].iterations == 2);
    o.max_iterations = 1;
    const solved<double> one = solve_on_gpu(A.made(), preconditioner(kind, A), o, four.b, four.guess);
    CHECK(four.A.part_of(found.x, 3) == four.A.part_of(one.x, 3));
  }
}

TEST_CASE("gpu solver: sums over processes come system by system", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const four_systems<double> four(300);
  device_springs<double> A(four.A);
  for (const int kind : {1, 2})
    for (const bool flexible : {false, true}) {
      INFO("preconditioner " << kind << ", flexible " << flexible);
      conjugate_gradient_options o{.flexible = flexible, .systems = 4};
      const linear_operator<double> M = preconditioner(kind, A);
      o.sums.on_host = [](double* sums, int count) {
        REQUIRE(count % 4 == 0);
        for (int i = 0; i < count; ++i) sums[i] *= i / (count / 4) + 2;
      };
      const solved<double> by_host = solve_on_gpu(A.made(), M, o, four.b, four.guess);
      o.sums.on_host = {};
      o.sums.on_stream = [](double* sums, int count, stream_view on) {
        multiply_by_system<<<1, 1, 0, as_cuda(on)>>>(sums, count, count / 4, 2);
      };
      check_same(solve_on_gpu(A.made(), M, o, four.b, four.guess), by_host);
      o.systems = 1;
      for (std::size_t k = 0; k < 4; ++k) {
        o.sums.on_stream = [k](double* sums, int count, stream_view on) {
          multiply_by_system<<<1, 1, 0, as_cuda(on)>>>(sums, count, count, int(k) + 2);
        };
        device_springs<double> one(four.A.only(k));
        const solved<double> alone = solve_on_gpu(one.made(), preconditioner(kind, one), o, four.A.part_of(four.b, k),
                                                  four.A.part_of(four.guess, k));
        check_same(by_host.results[k], alone.results.front());
        CHECK(four.A.part_of(by_host.x, k) == alone.x);
      }
    }
}

TEST_CASE("gpu solver: norm r.Mr, outcomes", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const index_t n = 300;
  device_springs<double> A(n);
  const std::vector<double> u = some_numbers<double>(n, 1), zero(u.size(), 0.0);
  const auto check = [&](const linear_operator<double>& M, conjugate_gradient_options o, const std::vector<double>& b,
                         const std::vector<double>& guess, solve_outcome outcome, int iterations) {
    o.norm = residual_norm::preconditioned;
    const solved<double> s = solve_on_gpu(A.made(), M, o, b, guess);
    CHECK(s.results[0].outcome == outcome);
    CHECK(s.results[0].iterations == iterations);
    if (iterations == 0) CHECK(s.x == (outcome == solve_outcome::zero_right_hand_side ? zero : guess));
    return s.results[0];
  };
  for (const int kind : {1, 2}) {
    const linear_operator<double> M = preconditioner(kind, A);
    check(M, {}, zero, u, solve_outcome::zero_right_hand_side, 0);
    check(M, {.max_iterations = 0}, u, zero, solve_outcome::iteration_limit, 0);
    check(M, {.relative = 1}, u, zero, solve_outcome::converged, 0);
    check(M, {.relative = 0, .max_iterations = 7}, u, zero, solve_outcome::iteration_limit, 7);
    std::vector<double> b(u);
    b[3] = std::numeric_limits<double>::quiet_NaN();
    check(M, {}, b, zero, solve_outcome::not_a_number, 0);
  }
  // r.Mr: 0 is the end, what is negative an error.
  const auto times = [&](double factor) {
    return linear_operator<double>(
        n,
        [n, d = std::make_shared<device_entries<double>>(std::vector<double>(u.size(), factor))](
            const double* r, double* z, stream_view on) {
          device::multiply(n, 1.0, static_cast<const double*>(d->data()), r, z, on.handle());
        },
        space_kind::gpu);
  };
  CHECK(check(times(0), {}, u, zero, solve_outcome::converged, 0).residuals == std::vector<double>{0});
  const solve_result negative = check(times(-1), {}, u, zero, solve_outcome::indefinite_preconditioner, 0);
  CHECK(std::isnan(negative.residuals[0]));
}
