// SPDX-License-Identifier: BSD-3-Clause
// Norms of polynomials, the order in which errors of interpolation fall, and norms on faces.
#include "plain_points.hpp"
#include "testing/failure.hpp"

#include <tessera/fem/norms.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;

// Errors of the interpolation of sin(2 x) cos(y + z) on a bent box of n cells a side: in L2, and of gradients.
std::array<double, 2> errors_of_interpolation(int dim, int p, int n) {
  const fem::mesh domain(std::vector<int>(at(dim), n), p, bubble(dim, 0.1));
  const fem::element_nodes<double> nodes = fem::nodes_of(domain);
  const auto f = [](const auto& p, double* u) { *u = std::sin(2 * p.x[0]) * std::cos(p.x[1] + p.x[2]); };
  const std::vector<double> u =
      element_points<double>(nodes, {.trial = {.order = p}, .points = p + 1, .rule = fem::points_kind::gauss_lobatto})
          .evaluate(1, f);
  const element_points<double> points(nodes, {.trial = {.order = p}, .points = p + 3});
  return {fem::l2_error(points, u.data(), f), fem::h1_error(points, u.data(), [&](const auto& at, double* g) {
            const double x = at.x[0], s = at.x[1] + at.x[2];
            const double all[3] = {2 * std::cos(2 * x) * std::cos(s), -std::sin(2 * x) * std::sin(s),
                                   -std::sin(2 * x) * std::sin(s)};
            std::copy_n(all, dim, g);
          })};
}

}  // namespace

TEMPLATE_TEST_CASE("norms of polynomials", "[fem][norms]", float, double) {
  using T = TestType;
  // u = (x, 2) on [0,2] x [0,3]: |u|^2 = 8 + 24, |grad u|^2 = 6.
  const std::vector<T> corners{0, 2, 0, 2, 0, 0, 3, 3}, u{0, 2, 0, 2, 2, 2, 2, 2};
  const fem::element_nodes<T> nodes{.dim = 2, .order = 1, .elements = 1, .coordinates = corners.data()};
  const element_points<T> points(nodes, {.components = 2});
  const double most = enough<T>();
  CHECK(std::abs(fem::l2_norm(points, u.data()) - std::sqrt(32.0)) < most * 10);
  CHECK(std::abs(fem::h1_seminorm(points, u.data()) - std::sqrt(6.0)) < most * 10);
  const auto exact = [](const auto& p, T* v) {
    v[0] = p.x[0] - 1;
    v[1] = 2;
  };
  CHECK(std::abs(fem::l2_error(points, u.data(), exact) - std::sqrt(6.0)) < most * 10);
  CHECK(std::abs(fem::l2_error(points, u.data(), points.evaluate(2, exact).data()) - std::sqrt(6.0)) < most * 10);
  CHECK(fem::h1_error(points, u.data(), [](const auto&, T* g) {
          g[0] = 1;
          g[1] = g[2] = g[3] = 0;
        }) < most * 10);
  std::vector<T> slopes(points.evaluate(4, [](const auto&, T* g) { g[0] = g[1] = g[2] = g[3] = 1; }));
  CHECK(std::abs(fem::h1_error(points, u.data(), slopes.data()) - std::sqrt(18.0)) < most * 10);
  // An L-vector, the components side by side.
  const std::vector<std::int32_t> offsets{6, 4, 2, 0};
  const restriction r(
      {.elements = 1, .entries = 4, .components = 2, .size = 8, .offsets = offsets.data(), .component_stride = 1});
  const std::vector<T> x{2, 2, 0, 2, 2, 2, 0, 2};
  CHECK(std::abs(fem::l2_norm(points, {x.data(), r}) - std::sqrt(32.0)) < most * 10);
  CHECK(std::abs(fem::l2_error(points, {x.data(), r}, exact) - std::sqrt(6.0)) < most * 10);
  // On the face x = 2: (4 + 4) by 3.
  const element_points<T> face(nodes, std::vector<boundary_face>{{0, 1}}, {.components = 2});
  CHECK(std::abs(fem::l2_norm(face, u.data()) - std::sqrt(24.0)) < most * 10);
}

TEST_CASE("errors of interpolation fall with order p + 1 in L2, and p of gradients", "[fem][norms]") {
  for (const int dim : {2, 3})
    for (const int p : dim == 2 ? std::vector<int>{1, 2, 3, 4} : std::vector<int>{1, 2, 3}) {
      const auto coarse = errors_of_interpolation(dim, p, 4), fine = errors_of_interpolation(dim, p, 8);
      INFO("dim " << dim << ", p " << p << ": " << coarse[0] << ' ' << fine[0] << ' ' << coarse[1] << ' ' << fine[1]);
      CHECK(std::abs(std::log2(coarse[0] / fine[0]) - (p + 1)) < 0.35);
      CHECK(std::abs(std::log2(coarse[1] / fine[1]) - p) < 0.35);
    }
}

TEST_CASE("an energy is the integral of a function of u and its gradient", "[fem][norms]") {
  // u = x on [0,2] x [0,3]: 6 (1 + 4 / 3) / 2.
  const std::vector<double> corners{0, 2, 0, 2, 0, 0, 3, 3}, x{0, 2, 0, 2};
  const fem::element_nodes<double> nodes{.dim = 2, .order = 1, .elements = 1, .coordinates = corners.data()};
  const std::vector<std::int32_t> offsets{0, 1, 2, 3};
  const restriction unknowns({.elements = 1, .entries = 4, .size = 4, .offsets = offsets.data()});
  // snippet energy
  const fem::element_points<double> points(nodes, {.trial = {.order = 1}});
  const double energy = points.integral({x.data(), unknowns}, {.value = true, .gradient = true},
                                        [](const auto&, const double* u, const double* grad) {
                                          return 0.5 * (u[0] * u[0] + grad[0] * grad[0] + grad[1] * grad[1]);
                                        });
  // end snippet
  CHECK(std::abs(energy - 7) < 1e-13);
}

TEST_CASE("mistakes with norms are named", "[fem][norms]") {
  const std::vector<double> corners{0, 2, 0, 2, 0, 0, 3, 3}, u{0, 2, 0, 2};
  const element_points<double> points({.dim = 2, .order = 1, .elements = 1, .coordinates = corners.data()}, {});
  check_failure(status::null_pointer, {"u is a null pointer"},
                [&] { fem::l2_norm(points, static_cast<const double*>(nullptr)); });
  check_failure(status::null_pointer, {"l2_error", "null pointer"},
                [&] { fem::l2_error(points, u.data(), static_cast<const double*>(nullptr)); });
  check_failure(status::null_pointer, {"l2_error: no function"},
                [&] { fem::l2_error(points, u.data(), fem::function_at_points<double>()); });
  check_failure(status::null_pointer, {"h1_error: no function"},
                [&] { fem::h1_error(points, u.data(), fem::function_at_points<double>()); });
}
