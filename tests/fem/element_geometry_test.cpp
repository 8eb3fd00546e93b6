// SPDX-License-Identifier: BSD-3-Clause
// D from the geometry: against textbook formulas, and what mathematics says of the operators.
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "vectors.hpp"

#include <tessera/element/pointwise.hpp>
#include <tessera/fem/element_operator.hpp>
#include <tessera/fem/strategies/geometry.hpp>
#include <tessera/fem/strategies/mass.hpp>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_nodes;
using fem::element_operator;
using fem::element_operator_options;

fem::mesh bubble_mesh(int dim, int order) {
  return fem::mesh(dim == 2 ? std::vector<int>{3, 2} : std::vector<int>{2, 1, 3}, order, bubble(dim, 0.2));
}

// f(x) at the nodes of every element, as a conventional E-vector.
template <class F>
std::vector<double> at_nodes(const fem::mesh& domain, int order, const F& f) {
  const fem::basis geometry(fem::basis_kind::gauss_lobatto, domain.order());
  const fem::basis functions(fem::basis_kind::gauss_lobatto, order);
  const int dim = domain.dim();
  const index_t g = domain.order() + 1, d = order + 1, n = power(d, dim);
  std::vector<double> result;
  std::vector<std::vector<double>> values(at(d), std::vector<double>(at(g)));
  for (index_t i = 0; i < d; ++i) geometry.evaluate(functions.nodes()[at(i)], values[at(i)]);
  for (index_t e = 0; e < domain.elements(); ++e)
    for (index_t i = 0; i < n; ++i) {
      fem::point x{};
      for (index_t k = 0; k < domain.nodes(); ++k) {
        double phi = 1;
        for (index_t a = 0, ii = i, kk = k; a < dim; ++a, ii /= d, kk /= g) phi *= values[at(ii % d)][at(kk % g)];
        for (int c = 0; c < dim; ++c) x[at(c)] += phi * domain.coordinates()[at(k + domain.nodes() * (c + dim * e))];
      }
      result.push_back(f(x));
    }
  return result;
}

element_nodes<double> with(element_nodes<double> nodes, const std::vector<double>& coefficients) {
  nodes.coefficients = coefficients;
  return nodes;
}

}  // namespace

TEST_CASE("the mass operator is the five strategies' one", "[fem][element]") {
  for (const int dim : {2, 3})
    for (const int p : {1, 2, 3, 5}) {
      const fem::mesh domain = bubble_mesh(dim, 2);
      fem::mass_operator<double> M(domain, p, {.rho = 2.5});
      const std::vector<double> x = seeded<double>(M.size() * M.elements(), 3);
      fem::field<double> xf(space_kind::cpu, of_size(M.size()), M.elements(), x), yf = M.vector();
      M.apply(xf, yf);
      const std::vector<double> wanted = yf.host();
      for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
        const element_operator<double> A(with(fem::nodes_of(domain), {2.5}), {.trial = {.order = p}, .form = form});
        const std::vector<double> y = applied(A, x);
        double worst = 0;
        for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, std::abs(y[i] - wanted[i]));
        INFO(A.describe());
        CHECK(worst <= 1e-14);
      }
    }
}

TEST_CASE("diffusion: constants in the null space, energies of linear fields, symmetry", "[fem][element]") {
  for (const int dim : {2, 3})
    for (const int order : {1, 2})
      for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
        const fem::mesh domain = bubble_mesh(dim, order);
        const int p = order + 1;
        const std::array<double, 3> slope{1.5, -2, 0.5};
        // grad u . K grad u = the energy of every point; det J is a polynomial that the points integrate exactly.
        const std::vector<double> K =
            dim == 2 ? std::vector<double>{2, 0.5, 3} : std::vector<double>{2, 0.5, 0.25, 3, -0.5, 4};
        double energy = 0;
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j)
            energy += slope[at(i)] * slope[at(j)] * K[at(pointwise::symmetric_index(dim, i, j))];
        const element_operator<double> A(with(fem::nodes_of(domain), K),
                                         {.kind = operator_kind::diffusion, .trial = {.order = p}, .form = form});
        INFO(A.describe());
        const auto linear = [&](const fem::point& x) {
          return slope[0] * x[0] + slope[1] * x[1] + (dim == 3 ? slope[2] * x[2] : 0.0) + 1;
        };
        const std::vector<double> u = at_nodes(domain, p, linear), Au = applied(A, u);
        CHECK(std::abs(dot(u, Au) - energy * fem::volume(domain, fem::gauss_grid(std::vector<int>(at(dim), p + 2)))) <=
              1e-12 * energy);
        const std::vector<double> one(u.size(), 1.0);
        for (const double y : applied(A, one)) CHECK(std::abs(y) <= 1e-13);
        const std::vector<double> v = seeded<double>(index_t(u.size()), 9), w = seeded<double>(index_t(u.size()), 10);
        CHECK(std::abs(dot(v, applied(A, w)) - dot(w, applied(A, v))) <= 1e-12);
        CHECK(dot(v, applied(A, v)) > 0);
      }
}

TEST_CASE("geometry of more nodes than points: energies of linear fields", "[fem][element]") {
  for (const int dim : {2, 3})
    for (const int order : {1, 2, 3})
      for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
        const fem::mesh domain = bubble_mesh(dim, order);
        const element_operator<double> A(
            fem::nodes_of(domain),
            {.kind = operator_kind::diffusion, .trial = {.order = order}, .points = order, .form = form});
        INFO(A.describe());
        const auto linear = [](const fem::point& x) { return 3 * x[0] - 4 * x[1] + 1; };
        const std::vector<double> u = at_nodes(domain, order, linear);
        // By the same points: what they integrate exactly does not matter.
        const double volume = fem::volume(domain, fem::gauss_grid(std::vector<int>(at(dim), order)));
        CHECK(std::abs(dot(u, applied(A, u)) - 25 * volume) <= 1e-11);
        const std::vector<double> one(u.size(), 1.0);
        for (const double y : applied(A, one)) CHECK(std::abs(y) <= 1e-12);
      }
}

TEST_CASE("one coefficient for all is that coefficient at every point", "[fem][element]") {
  const fem::mesh domain = bubble_mesh(3, 2);
  const int q = 4;
  const index_t points = power(q, 3);
  const struct {
    operator_kind kind;
    std::vector<double> coefficients;
  } cases[] = {{operator_kind::mass, {3}},
               {operator_kind::diffusion, {0.5}},
               {operator_kind::diffusion, {2, 0.5, 0.25, 3, -0.5, 4}},
               {operator_kind::helmholtz, {2, 3}},
               {operator_kind::helmholtz, {2, 2, 0.5, 0.25, 3, -0.5, 4}},
               {operator_kind::convection, {1, -2, 3}},
               {operator_kind::elasticity, {1.5, 0.5}}};
  for (const auto& c : cases)
    for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
      const element_operator_options o{.kind = c.kind,
                                       .trial = {.order = 2},
                                       .components = coupled_components(c.kind, 3),
                                       .points = q,
                                       .form = form};
      const element_operator<double> constant(with(fem::nodes_of(domain), c.coefficients), o);
      std::vector<double> everywhere;
      for (index_t k = 0; k < points * domain.elements(); ++k)
        everywhere.insert(everywhere.end(), c.coefficients.begin(), c.coefficients.end());
      element_nodes<double> nodes = fem::nodes_of(domain);
      nodes.coefficients_at_points = everywhere.data();
      nodes.coefficients_given = int(c.coefficients.size());
      const element_operator<double> varying(nodes, o);
      const std::vector<double> x = seeded<double>(27 * o.components * domain.elements(), 6);
      CHECK(applied(constant, x) == applied(varying, x));
    }
}

TEST_CASE("operators are sums and special cases of one another", "[fem][element]") {
  for (const int dim : {2, 3}) {
    const fem::mesh domain = bubble_mesh(dim, 2);
    const index_t n = power(4, dim);
    const std::vector<double> x = seeded<double>(n * domain.elements(), 11);
    const auto of = [&](operator_kind kind, const std::vector<double>& coefficients) {
      return applied(
          element_operator<double>(with(fem::nodes_of(domain), coefficients), {.kind = kind, .trial = {.order = 3}}),
          x);
    };
    const std::vector<double> m = of(operator_kind::mass, {2}), k = of(operator_kind::diffusion, {3});
    const std::vector<double> h = of(operator_kind::helmholtz, {2, 3});
    double worst = 0;
    for (std::size_t i = 0; i < h.size(); ++i) worst = std::max(worst, std::abs(h[i] - m[i] - k[i]));
    CHECK(worst <= 1e-12);

    // b . grad of a linear field is a constant: its convection is the mass of that constant.
    const std::vector<double> velocity = dim == 2 ? std::vector<double>{1, 2} : std::vector<double>{1, 2, -1};
    const std::vector<double> u =
        at_nodes(domain, 3, [](const fem::point& p) { return 2 * p[0] - p[1] + 4 * p[2] + 1; });
    const double derivative = 2 * velocity[0] - velocity[1] + (dim == 3 ? 4 * velocity[2] : 0);
    const element_operator<double> C(with(fem::nodes_of(domain), velocity),
                                     {.kind = operator_kind::convection, .trial = {.order = 3}});
    const element_operator<double> M(fem::nodes_of(domain), {.trial = {.order = 3}});
    const std::vector<double> Cu = applied(C, u), Mc = applied(M, std::vector<double>(u.size(), derivative));
    worst = 0;
    for (std::size_t i = 0; i < Cu.size(); ++i) worst = std::max(worst, std::abs(Cu[i] - Mc[i]));
    CHECK(worst <= 1e-12);
  }
}

TEST_CASE("elasticity: rigid motions cost nothing, a stretch its energy", "[fem][element]") {
  for (const int dim : {2, 3}) {
    const fem::mesh domain = bubble_mesh(dim, 2);
    const index_t n = power(4, dim);
    const double lambda = 1.5, mu = 0.75;
    const element_operator<double> A(with(fem::nodes_of(domain), {lambda, mu}),
                                     {.kind = operator_kind::elasticity, .trial = {.order = 3}, .components = dim});
    const auto field = [&](auto displacement) {
      std::vector<double> u(at(n * dim * domain.elements()));
      for (int c = 0; c < dim; ++c) {
        const std::vector<double> one =
            at_nodes(domain, 3, [&](const fem::point& x) { return displacement(x)[at(c)]; });
        for (index_t e = 0; e < domain.elements(); ++e)
          for (index_t i = 0; i < n; ++i) u[at(i + n * (c + dim * e))] = one[at(i + n * e)];
      }
      return u;
    };
    const auto rigid = field([](const fem::point& x) { return fem::point{1 - x[1], x[0] - 2, 3}; });
    for (const double y : applied(A, rigid)) CHECK(std::abs(y) <= 1e-12);
    const auto stretch = field([](const fem::point& x) { return fem::point{2 * x[0], -x[1], 0}; });
    // lambda (tr eps)^2 + 2 mu eps : eps over the unit square or cube
    CHECK(std::abs(dot(stretch, applied(A, stretch)) - (lambda + 2 * mu * 5)) <= 1e-11);
  }
}

TEST_CASE("nodes of segments may be side by side, too", "[fem][element]") {
  constexpr index_t elements = 5;
  std::vector<double> conventional, side_by_side(2 * elements);
  for (index_t e = 0; e < elements; ++e)
    for (index_t i = 0; i < 2; ++i) {
      const double place = double((e + i) * (e + i + 1));
      conventional.push_back(place);
      side_by_side[at(e + elements * i)] = place;
    }
  const element_operator_options mass{.trial = {.order = 2}, .points = 3};
  element_nodes<double> nodes{.dim = 1, .elements = elements, .coordinates = conventional.data()};
  const element_operator<double> A(nodes, mass);
  nodes.coordinates = side_by_side.data();
  nodes.layout = element_layout::interleaved(2, 1, elements);
  nodes.layout.component = nodes.layout.block = 0;  // of one component and one block nothing need be said
  const element_operator<double> B(nodes, mass);
  const std::vector<double> x = seeded<double>(3 * elements, 5);
  CHECK(applied(A, x) == applied(B, x));
}

TEST_CASE("geometry that no kernel can serve is refused", "[fem][element]") {
  const element_operator<double> A(2, 1, std::vector<double>(4, 1.0).data(), {.trial = {.order = 1}, .points = 2});
  const auto check_refused = [&](std::string_view words, const geometry_spec<double>& from) {
    check_failure(status::shape_mismatch, {words}, [&] { point_data<double>::stored(A.kernel(), from); });
  };
  const std::vector<double> places(2 * 48 * 48), table(2 * 48);
  geometry_spec<double> many{.elements = 1,
                             .nodes = 48,
                             .interpolate = table,
                             .weights = {0.5, 0.5},
                             .gradients = table,
                             .coordinates = places.data(),
                             .layout = element_layout::conventional(48 * 48, 2)};
  check_refused("48 nodes a direction; at most 40", many);
  many.layout.lanes = 0;
  check_refused("0 lanes", many);
}
