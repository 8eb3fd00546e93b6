// SPDX-License-Identifier: BSD-3-Clause
// Sums of vectors with factors and inner products on a GPU: those of a CPU.
#include <cmath>

#include <tessera/solver/vector_sums.hpp>

#include "gpu/products.hpp"
#include "src/solver/systems.hpp"
#include "testing/catch.hpp"
#include "testing/gpu.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu vectors: sums with factors and inner products are those of a CPU", "[gpu][sanitize]") {
  if (no_gpu()) return;
  for (const index_t n : {0, 1, 100, 5000, 20'001}) {
    const std::vector<double> x = some_numbers<double>(n, 1), a = some_numbers<double>(n, 2),
                              b = some_numbers<double>(n, 3);
    std::vector<double> expected(x.size());
    const scaled_vector here[] = {{2, a.data()}, {-0.5, b.data()}};
    combine(n, x.data(), here, expected.data());
    const device_entries<double> of_x(x), of_a(a), of_b(b), y(std::vector<double>(x.size(), std::nan("")));
    const scaled_vector there[] = {{2, of_a.data()}, {-0.5, of_b.data()}};
    combine(n, of_x.data(), there, y.data(), space_kind::gpu);
    const std::vector<double> found = y.read();
    for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(std::abs(found[i] - expected[i]) < 1e-15);
    combine(n, nullptr, {}, y.data(), space_kind::gpu);
    CHECK(y.read() == std::vector<double>(x.size(), 0.0));
    const inner_product dot(n, space_kind::gpu);
    const double first = dot(n, of_a.data(), of_b.data());
    CHECK(std::abs(first - inner_product(n)(n, a.data(), b.data())) < 1e-14 * double(n + 1));
    CHECK(dot(n, of_a.data(), of_b.data()) == first);
  }
}
