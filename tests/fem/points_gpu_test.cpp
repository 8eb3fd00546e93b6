// SPDX-License-Identifier: BSD-3-Clause
// Services at points with vectors in device memory.
#include "global_sums.hpp"
#include "placed.hpp"
#include "testing/jit.hpp"

#include <tessera/fem/norms.hpp>

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("gpu points: vectors and results in device memory are as those of the host", "[fem][points][gpu]") {
  if (absent()) return;
  const index_t elements = 5;
  const std::vector<double> coordinates = corners<double>(2, elements);
  const fem::element_nodes<double> nodes{
      .dim = 2, .order = 1, .elements = elements, .coordinates = coordinates.data(), .coefficients = {}};
  const fem::element_points<double> points(nodes, {.trial = {.order = 2}, .on = target::cuda});
  const std::vector<double> u = seeded<double>(9 * elements, 1);
  std::vector<double> values(at(points.points() * elements)), slopes(2 * values.size()), load = u;
  const placed<double> there_u(u, true), there_values(values, true), there_slopes(slopes, true), there_load(u, true);
  points.values(u.data(), values.data());
  points.gradients(u.data(), slopes.data());
  points.add_load(values.data(), load.data());
  points.values(there_u.data(), there_values.data());
  points.gradients(there_u.data(), there_slopes.data());
  points.add_load(there_values.data(), there_load.data());
  CHECK(there_values.read() == values);
  CHECK(there_slopes.read() == slopes);
  CHECK(there_load.read() == load);
  CHECK(fem::l2_norm(points, there_u.data()) == fem::l2_norm(points, u.data()));
  CHECK(fem::l2_error(points, there_u.data(), there_values.data()) == 0);
}
