// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a GPU beside those on the CPU: graphs, outcomes, sums over processes, preconditioners.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <cmath>
#include <limits>

#include <tessera/gpu/detail/vectors.hpp>
#include <tessera/solver/chebyshev.hpp>
#include <tessera/solver/in_float.hpp>

#include "gpu/device_springs.cuh"

using namespace tessera;
using namespace tessera::testing;

namespace {

// y[0] = bad in call number `at`, counted in device memory: a graph calls no code of the host.
template <class T>
__global__ void spoil(int* calls, int at, T bad, T* y) {
  if (++*calls == at) y[0] = bad;
}
__global__ void multiply_sums(double* sums, int count, double by) {
  for (int k = 0; k < count; ++k) sums[k] *= by;
}

template <class T>
struct solved {
  solve_result result;
  std::vector<T> x;
};
template <class T>
solved<T> solve_on_gpu(conjugate_gradient<T>& solver, const std::vector<T>& b, const std::vector<T>& guess,
                       stream_view on = {}) {
  const device_entries<T> of_b(b), of_x(guess);
  solve_result result = solver.solve(of_b.data(), of_x.data(), on);
  return {std::move(result), of_x.read()};
}

}  // namespace

TEMPLATE_TEST_CASE("gpu solver: residuals and x are those of the CPU, the same bits in every run", "[gpu]", double,
                   float) {
  if (no_gpu()) return;
  using T = TestType;
  const double near = sizeof(T) == 8 ? 1e-9 : 1e-3;
  const stream own;
  for (const index_t n : {1, 33, 4096, 20'001}) {
    device_springs<T> A(n);
    const std::vector<T> b = some_numbers<T>(n, 1), guess = some_numbers<T>(n, 2);
    const linear_operator<T> D = A.diagonal(), on_host = jacobi(n, A.on_host.diagonals().data());
    for (const int kind : {0, 1, 2})
      for (const bool flexible : {false, true}) {
        INFO(n << " numbers, preconditioner " << kind << ", flexible " << flexible);
        conjugate_gradient_options o{.relative = 0, .max_iterations = n < 30 ? 1 : 20, .flexible = flexible};
        const linear_operator<T> M = kind == 0 ? linear_operator<T>() : kind == 1 ? D : unfused(D);
        std::vector<T> x(guess);
        const solve_result wanted =
            conjugate_gradient<T>(A.on_host, kind == 0 ? linear_operator<T>() : on_host, o).solve(b.data(), x.data());
        conjugate_gradient<T> solver(A.made(), M, o);
        const solved<T> first = solve_on_gpu(solver, b, guess);
        CHECK(first.result.iterations == wanted.iterations);
        CHECK(first.result.limit == wanted.limit);
        if (n > 30) {
          CHECK(first.result.outcome == wanted.outcome);
          check_alike(first.result.residuals, wanted.residuals, near);
          check_alike(first.result.alpha, wanted.alpha, near);
          check_alike(first.result.beta, wanted.beta, near);
        }
        check_alike(first.x, x, near);
        // Again by the same graph, into another x and in another stream; and without a graph.
        const solved<T> again = solve_on_gpu(solver, b, guess, own);
        CHECK(again.result.residuals == first.result.residuals);
        CHECK(again.x == first.x);
        o.graph = false;
        conjugate_gradient<T> without(A.made(), M, o);
        const solved<T> plain = solve_on_gpu(without, b, guess, own);
        CHECK(plain.result.residuals == first.result.residuals);
        CHECK(plain.x == first.x);
      }
  }
}

TEST_CASE("gpu solver: an iteration is a graph, for which operators are called once", "[gpu]") {
  if (no_gpu()) return;
  const index_t n = 5000;
  device_springs<double> A(n);
  const std::vector<double> b = some_numbers<double>(n, 1), zero(std::size_t(n), 0.0);
  conjugate_gradient<double> solver(A.made(), A.diagonal(), {.relative = 1e-6});
  const solved<double> first = solve_on_gpu(solver, b, zero);
  CHECK(first.result.outcome == solve_outcome::converged);
  CHECK(first.result.iterations > 20);
  CHECK(first.result.residuals.size() == std::size_t(first.result.iterations) + 1);
  CHECK(first.result.residuals.back() <= first.result.limit);
  CHECK(first.result.residuals.end()[-2] > first.result.limit);
  CHECK(A.calls == 3);  // the start, the first iteration, the graph
  solve_on_gpu(solver, b, zero);
  CHECK(A.calls == 6);
  // The residual is that of x.
  std::vector<double> r(b.size());
  A.on_host.apply(first.x.data(), r.data());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  CHECK(std::sqrt(plain_dot(r, r)) == Approx(first.result.residuals.back()).epsilon(1e-4));
  // From zero x is not read.
  const device_entries<double> of_b(b), x(std::vector<double>(b.size(), std::numeric_limits<double>::quiet_NaN()));
  check_alike(solver.solve_from_zero(of_b.data(), x.data()).residuals, first.result.residuals, 1e-9);
  check_alike(x.read(), first.x, 1e-9);
}

TEST_CASE("gpu solver: outcomes", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const index_t n = 300;
  device_springs<double> A(n);
  const std::vector<double> b = some_numbers<double>(n, 1), guess = some_numbers<double>(n, 2), zero(b.size(), 0.0);
  for (const bool fused : {true, false}) {
    const linear_operator<double> M = fused ? A.diagonal() : unfused(A.diagonal());
    conjugate_gradient<double> solver(A.made(), M);
    solved<double> s = solve_on_gpu(solver, zero, guess);
    CHECK(s.result.outcome == solve_outcome::zero_right_hand_side);
    CHECK(s.result.iterations == 0);
    CHECK(s.result.residuals == std::vector<double>{0});
    CHECK(s.x == zero);

    // NaN in the third application, after that of the start: in the second iteration. x is from the first.
    const device_entries<int> calls(std::vector<int>{0});
    const linear_operator<double> spoiled(
        n,
        [&](const double* x, double* y, stream_view on) {
          A.queue(x, y, on);
          spoil<<<1, 1, 0, as_cuda(on)>>>(calls.data(), 3, std::numeric_limits<double>::quiet_NaN(), y);
        },
        space_kind::gpu);
    conjugate_gradient<double> spoiled_solver(spoiled, M);
    s = solve_on_gpu(spoiled_solver, b, guess);
    CHECK(s.result.outcome == solve_outcome::not_a_number);
    CHECK(s.result.iterations == 2);
    CHECK(s.result.residuals.size() == 2);
    conjugate_gradient<double> one(A.made(), M, {.relative = 0, .max_iterations = 1});
    CHECK(s.x == solve_on_gpu(one, b, guess).x);
    // It can go on, with nothing left of that.
    CHECK(solve_on_gpu(spoiled_solver, b, guess).result.outcome == solve_outcome::converged);

    // -A is found in the first iteration, and M = -1 before it.
    const device_entries<double> minus(std::vector<double>(b.size(), -1.0));
    const auto negate = [&](const double* r, double* z, stream_view on) {
      device::multiply(n, 1.0, static_cast<const double*>(minus.data()), r, z, on.handle());
    };
    conjugate_gradient<double> negative({n, negate, space_kind::gpu}, M);
    s = solve_on_gpu(negative, b, guess);
    CHECK(s.result.outcome == solve_outcome::indefinite_operator);
    CHECK(s.result.iterations == 1);
    CHECK(s.x == guess);
    conjugate_gradient<double> negative_M(A.made(), {n, negate, space_kind::gpu});
    s = solve_on_gpu(negative_M, b, guess);
    CHECK(s.result.outcome == solve_outcome::indefinite_preconditioner);
    CHECK(s.result.iterations == 0);
    CHECK(s.x == guess);
    // No iteration allowed.
    conjugate_gradient<double> none(A.made(), M, {.max_iterations = 0});
    CHECK(solve_on_gpu(none, b, guess).result.outcome == solve_outcome::iteration_limit);
  }
}

TEST_CASE("gpu solver: sums over processes, on the host and in the stream", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const index_t n = 300;
  device_springs<double> A(n);
  const std::vector<double> b = some_numbers<double>(n, 1), zero(b.size(), 0.0);
  for (const bool flexible : {false, true}) {
    conjugate_gradient_options o{.relative = 1e-8, .flexible = flexible};
    conjugate_gradient<double> single(A.made(), A.diagonal(), o);
    const solved<double> alone = solve_on_gpu(single, b, zero);
    int host_calls = 0;
    o.sums.on_host = [&](double* sums, int count) {
      ++host_calls;
      for (int k = 0; k < count; ++k) sums[k] *= 2;
    };
    conjugate_gradient<double> by_host(A.made(), A.diagonal(), o);
    const solved<double> host = solve_on_gpu(by_host, b, zero);
    CHECK(host_calls >= 2 * host.result.iterations);
    o.sums.on_host = {};
    int stream_calls = 0;
    o.sums.on_stream = [&](double* sums, int count, stream_view on) {
      ++stream_calls;
      multiply_sums<<<1, 1, 0, as_cuda(on)>>>(sums, count, 2);
    };
    conjugate_gradient<double> by_stream(A.made(), A.diagonal(), o);
    const solved<double> queued = solve_on_gpu(by_stream, b, zero);
    CHECK(stream_calls < 12);  // captured
    CHECK(host.result.iterations == alone.result.iterations);
    CHECK(host.result.residuals == queued.result.residuals);
    CHECK(host.x == queued.x);
    CHECK(host.result.residuals[3] == Approx(std::sqrt(2.0) * alone.result.residuals[3]));
    check_alike(host.x, alone.x, 1e-12);
  }
}

TEST_CASE("gpu solver: Chebyshev, and in float", "[gpu]") {
  if (no_gpu()) return;
  const index_t n = 3000;
  device_springs<double> A(n);
  device_springs<float> single(n);
  const std::vector<double> b = some_numbers<double>(n, 1), zero(b.size(), 0.0);
  const conjugate_gradient_options fine{.relative = 1e-10, .flexible = true};
  const linear_operator<double> on_host =
      chebyshev<double>(A.on_host, jacobi(n, A.on_host.diagonals().data()), {.degree = 3});
  std::vector<double> x(zero);
  const solve_result wanted = conjugate_gradient<double>(A.on_host, on_host, fine).solve(b.data(), x.data());
  conjugate_gradient<double> solver(A.made(), chebyshev(A.made(), A.diagonal(), {.degree = 3}), fine);
  const solved<double> s = solve_on_gpu(solver, b, zero);
  CHECK(std::abs(s.result.iterations - wanted.iterations) <= 1);
  check_alike(s.x, x, 1e-7);
  conjugate_gradient<double> mixed(A.made(), in_float(chebyshev(single.made(), single.diagonal(), {.degree = 3})),
                                   fine);
  const solved<double> m = solve_on_gpu(mixed, b, zero);
  CHECK(m.result.solved());
  CHECK(m.result.iterations <= wanted.iterations + 3);
  check_alike(m.x, x, 1e-7);
}

TEST_CASE("gpu solver: mistakes are named", "[gpu]") {
  if (no_gpu()) return;
  device_springs<double> A(10);
  std::vector<double> b(10, 1.0);
  const device_entries<double> x(b), d(std::vector<double>{1, 0, -1});
  conjugate_gradient<double> solver(A.made());
  check_failure(status::wrong_space, {"device memory"}, [&] { solver.solve(b.data(), x.data()); });
  check_failure(status::invalid_argument, {"number 1 of the diagonal"},
                [&] { jacobi(3, static_cast<const double*>(d.data()), space_kind::gpu); });
  check_failure(status::wrong_space, {"on a gpu", "on a cpu"},
                [&] { conjugate_gradient<double>(A.made(), jacobi(10, b.data())); });
  // An operator that waits for its stream cannot be captured; the solver goes on without a graph.
  const linear_operator<double> waits(
      10,
      [&](const double* r, double* z, stream_view on) {
        A.queue(r, z, on);
        on.synchronize();
      },
      space_kind::gpu);
  const device_entries<double> of_b(some_numbers<double>(10, 1));
  conjugate_gradient<double> captured(waits);
  check_failure(status::launch_failure, {"synchronize"}, [&] { captured.solve(of_b.data(), x.data()); });
  conjugate_gradient<double> direct(waits, {}, {.graph = false});
  CHECK(direct.solve(of_b.data(), x.data()).solved());
}
