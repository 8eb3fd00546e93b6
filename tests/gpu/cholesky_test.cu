// SPDX-License-Identifier: BSD-3-Clause
// Batches of small systems on a GPU: all sizes, in place, in a graph, the failure's name, block Jacobi.
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/gpu.hpp"

#include <tessera/gpu/detail/graph.hpp>
#include <tessera/solver/batched_cholesky.hpp>
#include <tessera/solver/conjugate_gradient.hpp>

#include "gpu/products.hpp"
#include "src/solver/small_systems.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

template <class T>
batched_cholesky<T> factored_there(const small_systems<T>& s, stream_view on = {}) {
  const device_entries<T> A(s.A);
  return batched_cholesky<T>(s.n, s.count, A.data(), space_kind::gpu, on);
}

template <class T>
void check_there(index_t n, index_t count) {
  INFO(count << " matrices of " << n << " rows");
  const small_systems<T> s(n, count);
  const batched_cholesky<T> by = factored_there(s);
  // Numbers around x must not change.
  const T mark = T(77);
  std::vector<T> around(s.b.size() + 2 * at(canary), mark);
  const device_entries<T> b(s.b), x(around);
  by.solve(b.data(), x.data() + canary);
  device::stream_synchronize(nullptr);
  around = x.read();
  const std::vector<T> found(around.begin() + canary, around.end() - canary);
  CHECK(s.worst_residual(found) <= 1);
  CHECK(s.worst_error(found) <= 1);
  CHECK(around.front() == mark);
  CHECK(around[at(canary - 1)] == mark);
  CHECK(around[around.size() - at(canary)] == mark);
  CHECK(b.read() == s.b);
  by.solve(b.data(), b.data());
  device::stream_synchronize(nullptr);
  CHECK(b.read() == found);
}

}  // namespace

TEST_CASE("gpu cholesky: every size", "[gpu]") {
  if (no_gpu()) return;
  for (index_t n = 1; n <= 128; ++n) check_there<double>(n, 37);
  for (index_t n = 1; n <= 128; ++n) check_there<float>(n, 19);
  for (const index_t n : {1, 8, 16, 27, 48, 49}) check_there<double>(n, 4001);
}

TEST_CASE("gpu cholesky: sizes around those of warps and of parts of them", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (const index_t n : {1, 3, 8, 9, 16, 17, 32, 33, 65, 97, 128}) {
    check_there<double>(n, 5);
    check_there<float>(n, 3);
  }
}

TEST_CASE("gpu cholesky: nearly singular matrices, and the same bits at any position", "[gpu]") {
  if (no_gpu()) return;
  for (const index_t n : {5, 32, 77}) {
    const auto s = small_systems<double>::nearly_singular(n, 9);
    const device_entries<double> x(s.b);
    factored_there(s).solve(x.data(), x.data());
    device::stream_synchronize(nullptr);
    const std::vector<double> all = x.read();
    CHECK(s.worst_residual(all) <= 1);
    for (const index_t m : {0, 1, 8}) {
      const auto part = [&](const std::vector<double>& of, index_t size) {
        return std::vector<double>(of.begin() + size * m, of.begin() + size * (m + 1));
      };
      const device_entries<double> A(part(s.A, n * n)), alone(part(s.b, n));
      batched_cholesky<double>(n, 1, A.data(), space_kind::gpu).solve(alone.data(), alone.data());
      device::stream_synchronize(nullptr);
      CHECK(alone.read() == part(all, n));
    }
  }
}

TEST_CASE("gpu cholesky: in a stream of its own, captured in a graph", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const stream on;
  for (const index_t n : {7, 30, 125}) {
    const small_systems<double> s(n, 21);
    const batched_cholesky<double> by = factored_there(s, on);
    device_entries<double> b(s.b), x(std::vector<double>(s.b.size(), 0));
    const std::size_t before = allocation_count();
    const device::graph solve("solve", on, [&](stream_view in) { by.solve(b.data(), x.data(), in); });
    CHECK(allocation_count() == before);
    CHECK(x.read() == std::vector<double>(s.b.size(), 0));  // captured, not run
    solve.launch(stream_view(on).handle());
    on.synchronize();
    CHECK(s.worst_residual(x.read()) <= 1);
    std::vector<double> doubled(s.b);
    for (double& number : doubled) number *= 2;
    std::vector<double> wanted = x.read();
    for (double& number : wanted) number *= 2;
    b.write(doubled);
    solve.launch(stream_view(on).handle());
    on.synchronize();
    CHECK(x.read() == wanted);  // powers of 2 round nothing
  }
}

TEST_CASE("gpu cholesky: mistakes are named", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (const index_t n : {2, 40}) {
    small_systems<double> s(n, 50);
    for (const index_t bad : {49, 17}) {
      for (index_t j = 0; j + 1 < n; ++j) s.entry(bad, n - 1, j) = 0;
      s.entry(bad, n - 1, n - 1) = -0.5;
      check_failure(status::invalid_argument,
                    {"matrix " + std::to_string(bad) + " is not positive definite",
                     "pivot " + std::to_string(n - 1) + " is -0.5"},
                    [&] { factored_there(s); });
    }
  }
  const small_systems<double> s(4, 3);
  check_failure(status::wrong_space, {"A is to be in device memory"},
                [&] { batched_cholesky<double>(4, 3, s.A.data(), space_kind::gpu); });
  const batched_cholesky<double> by = factored_there(s);
  CHECK(by.space() == space_kind::gpu);
  CHECK(by.describe().rfind("batched_cholesky f64: 3 matrices of 4x4, 0.0 MB, on cuda", 0) == 0);
  std::vector<double> x(12);
  const device_entries<double> there(x);
  check_failure(status::wrong_space, {"device memory"}, [&] { by.solve(there.data(), x.data()); });
  check_failure(status::overlap, {"overlap"}, [&] { by.solve(there.data(), there.data() + 1); });
  const batched_cholesky<double> none(4, 0, nullptr, space_kind::gpu);
  none.solve(nullptr, nullptr);
}

TEST_CASE("gpu cholesky: block Jacobi in conjugate gradients", "[gpu]") {
  if (no_gpu()) return;
  // M is the inverse of A: one iteration, whose graph calls it.
  const small_systems<double> s(12, 50);
  const batched_cholesky<double> M = factored_there(s);
  const linear_operator<double> A(
      M.size(),
      [&](const double* x, double* y, stream_view on) {
        on.synchronize();
        std::vector<double> of_x(s.b.size()), of_y(s.b.size());
        device::copy(of_x.data(), x, of_x.size() * sizeof(double), device::direction::device_to_host);
        s.apply(of_x.data(), of_y.data());
        device::copy(y, of_y.data(), of_y.size() * sizeof(double), device::direction::host_to_device);
      },
      space_kind::gpu);
  const device_entries<double> b(s.b), x(std::vector<double>(s.b.size(), 0));
  conjugate_gradient<double> solver(A, M, {.relative = 1e-12, .graph = false});
  const solve_result result = solver.solve_from_zero(b.data(), x.data());
  CHECK(result.solved());
  CHECK(result.iterations <= 2);
  CHECK(s.worst_error(x.read()) <= 1);
}
