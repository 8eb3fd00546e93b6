// SPDX-License-Identifier: BSD-3-Clause
// Element operators on triangles and tetrahedra: volumes, patch tests, null spaces, and a Poisson problem's
// convergence.
#include "global_checks.hpp"
#include "seeded.hpp"
#include "simplex_mesh.hpp"
#include "testing/failure.hpp"
#include "vectors.hpp"

#include <tessera/fem/element_operator.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_nodes;
using fem::element_operator;
using fem::element_operator_options;
using fem::element_shape;

/// A mesh whose elements are given to operators by nodes of that order.
struct placed_mesh {
  simplex_mesh mesh;
  int order;
  fem::deformation move;
  std::vector<double> coordinates;
  placed_mesh(int dim, int n, int geometry, fem::deformation moved = {})
      : mesh(dim, n), order(geometry), move(moved), coordinates(mesh.nodes(geometry, moved)) {}
  element_nodes<double> nodes() const {
    return {.dim = mesh.dim(), .order = order, .elements = mesh.elements(), .coordinates = coordinates.data()};
  }
  /// f at the nodes of functions of an order that the geometry's nodes have, too, as an E-vector.
  std::vector<double> at_nodes(int p, const std::function<double(const fem::point&)>& f) const {
    const std::vector<double> x = mesh.nodes(p, move);
    const std::size_t dim = at(mesh.dim()), n = x.size() / dim / at(mesh.elements());
    std::vector<double> values;
    for (std::size_t e = 0; e < at(mesh.elements()); ++e)
      for (std::size_t i = 0; i < n; ++i) {
        fem::point place{};
        for (std::size_t c = 0; c < dim; ++c) place[c] = x[i + n * (c + dim * e)];
        values.push_back(f(place));
      }
    return values;
  }
};

fem::deformation shear() {
  return [](const fem::point& x) { return fem::point{x[0] + 0.3 * x[1], x[1] - 0.2 * x[2], x[2] + 0.1 * x[0]}; };
}

}  // namespace

TEST_CASE("simplices: two lines make an operator", "[fem][element][simplex]") {
  // snippet tetrahedra
  // Two tetrahedra: x, y and z of the four corners of the first one, then those of the second.
  const double corners[2][3][4] = {{{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}},   // 0, e1, e2, e3
                                   {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}}};  // e1, e2, e3, e1 + e2 + e3
  const fem::element_nodes<double> tetrahedra{.dim = 3, .order = 1, .elements = 2, .coordinates = corners[0][0]};
  const fem::element_operator<double> mass(
      tetrahedra, {.kind = operator_kind::mass, .trial = {.order = 3}, .shape = fem::element_shape::simplex});
  // end snippet
  const std::vector<double> one(at(mass.trial_size() * 2), 1.0), y = applied(mass, one);
  CHECK(mass.trial_size() == 20);
  CHECK(std::abs(std::accumulate(y.begin(), y.begin() + 20, 0.0) - 1.0 / 6) <= 1e-14);
  CHECK(std::abs(std::accumulate(y.begin() + 20, y.end(), 0.0) - 1.0 / 3) <= 1e-14);
  CHECK(mass.describe().find("mass 3-D, d = 20, q = 64, f64: ") == 0);
  CHECK(mass.describe().find("dense tables") != std::string::npos);
}

TEST_CASE("simplices: tables of a code's own rule", "[fem][element][simplex]") {
  // snippet own_tables
  // Linear functions on triangles, and a rule that is not ours: the middles of the edges.
  const fem::point_rule middles{.dim = 2, .points = {0.5, 0, 0.5, 0.5, 0, 0.5}, .weights = {1.0 / 6, 1.0 / 6, 1.0 / 6}};
  const tessera::dense_basis linear = fem::tabulate({fem::basis_kind::gauss_lobatto, 2, 1}, middles);
  const fem::dense_element triangle{
      .dim = 2, .points = 3, .trial = linear, .geometry = linear, .weights = middles.weights};
  const std::vector<double> corners{0, 2, 0, 0, 0, 1};
  const fem::element_operator<double> stiffness({.dim = 2, .elements = 1, .coordinates = corners.data()},
                                                {.kind = tessera::operator_kind::diffusion, .tables = triangle});
  // end snippet
  std::vector<double> M(9);
  stiffness.assemble(0, 1, M.data());
  const std::vector<double> wanted{1.25, -0.25, -1, -0.25, 0.25, 0, -1, 0, 1};
  for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(M[i] - wanted[i]) <= 1e-14);
}

TEST_CASE("simplices: between L-vectors, curved, stored and matrix-free", "[fem][element][simplex][global]") {
  for (const int dim : {2, 3})
    for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
      const placed_mesh domain(dim, 2, 2, bubble(dim, 0.1));
      const fem::element_operator_options o{
          .kind = operator_kind::helmholtz, .trial = {.order = 3}, .form = form, .shape = element_shape::simplex};
      const element_operator<double> A(domain.nodes(), o);
      const tessera::restriction unknowns = random_restriction(A.elements(), A.trial_size(), 1, 3);
      check_against_elements(
          A, fem::global_operator<double>(domain.nodes(), unknowns, o, {.order = tessera::element_order::as_given}));
      // Reordered: the same sums in another order.
      const fem::global_operator<double> close(domain.nodes(), unknowns, o, {.patch_elements = 3});
      const std::vector<double> x = seeded<double>(unknowns.size(), 4);
      std::vector<double> y(x), E(at(A.elements() * A.trial_size())), EA(E), z(x.size());
      close.apply(x.data(), y.data());
      unknowns.to_elements(x.data(), E.data());
      A.apply(E.data(), EA.data());
      unknowns.add_from_elements(EA.data(), z.data());
      for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - z[i]) <= 1e-12);
    }
}

TEST_CASE("simplices: volumes of straight and of curved elements", "[fem][element][simplex]") {
  for (const int dim : {2, 3})
    for (const int geometry : {1, 2, 3})
      for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
        const placed_mesh domain(dim, 2, geometry, bubble(dim, 0.1));
        const element_operator<double> mass(
            domain.nodes(), {.trial = {.order = 2}, .points = 6, .form = form, .shape = element_shape::simplex});
        const std::vector<double> one(at(mass.trial_size() * mass.elements()), 1.0);
        CHECK(std::abs(dot(one, applied(mass, one)) - 1) <= 1e-13);
      }
}

TEST_CASE("simplices: patch tests, the operators' values on polynomials", "[fem][element][simplex]") {
  for (const int dim : {2, 3})
    for (const int p : {1, 2, 3, 4}) {
      const placed_mesh domain(dim, 2, 1, shear());
      const double det = dim == 2 ? 1.0 : 1 + 0.3 * 0.2 * -0.1;
      const auto made = [&](operator_kind kind, std::vector<double> coefficients) {
        element_nodes<double> nodes = domain.nodes();
        nodes.coefficients = std::move(coefficients);
        return element_operator<double>(nodes, {.kind = kind, .trial = {.order = p}, .shape = element_shape::simplex});
      };
      const auto linear = domain.at_nodes(p, [](const fem::point& x) { return 1 + 2 * x[0] - 3 * x[1]; });
      const auto constant = domain.at_nodes(p, [](const fem::point&) { return 4.0; });
      const element_operator<double> diffusion = made(operator_kind::diffusion, {0.5});
      for (const double y : applied(diffusion, constant)) CHECK(std::abs(y) <= 1e-12);
      CHECK(std::abs(dot(linear, applied(diffusion, linear)) - 0.5 * 13 * det) <= 1e-12);
      const std::vector<double> K = dim == 2 ? std::vector<double>{2, 0.5, 1} : std::vector<double>{2, 0.5, 0, 1, 0, 3};
      CHECK(std::abs(dot(linear, applied(made(operator_kind::diffusion, K), linear)) - (8 + 9 - 6) * det) <= 1e-11);
      const std::vector<double> b = dim == 2 ? std::vector<double>{1, 2} : std::vector<double>{1, 2, 3};
      CHECK(std::abs(dot(constant, applied(made(operator_kind::convection, b), linear)) - 4 * (2 - 6) * det) <= 1e-12);
      const element_operator<double> helmholtz = made(operator_kind::helmholtz, {3, 0.5});
      CHECK(std::abs(dot(constant, applied(helmholtz, constant)) - 3 * 16 * det) <= 1e-11);
    }
}

TEST_CASE("simplices: elasticity has rigid motions for a null space", "[fem][element][simplex]") {
  const double lambda = 1.5, mu = 0.7;
  for (const int dim : {2, 3}) {
    const placed_mesh domain(dim, 2, 1, bubble(dim, 0.1));
    element_nodes<double> nodes = domain.nodes();
    nodes.coefficients = {lambda, mu};
    const element_operator<double> A(
        nodes,
        {.kind = operator_kind::elasticity, .trial = {.order = 2}, .components = dim, .shape = element_shape::simplex});
    const auto field = [&](const std::function<fem::point(const fem::point&)>& displacement) {
      // Nodes of order 2 are where the corners take them.
      const fem::simplex_basis corners(fem::basis_kind::gauss_lobatto, dim, 1),
          own(fem::basis_kind::gauss_lobatto, dim, 2);
      const index_t n = A.trial_size();
      std::vector<double> u(at(n * dim * A.elements())), shares(at(dim + 1));
      for (index_t e = 0; e < A.elements(); ++e)
        for (index_t i = 0; i < n; ++i) {
          corners.evaluate(own.nodes().subspan(at(dim * i), at(dim)), shares);
          fem::point x{};
          for (index_t c = 0; c < dim; ++c)
            for (index_t v = 0; v <= dim; ++v)
              x[at(c)] += shares[at(v)] * domain.coordinates[at(v + (dim + 1) * (c + dim * e))];
          for (index_t c = 0; c < dim; ++c) u[at(i + n * (c + dim * e))] = displacement(x)[at(c)];
        }
      return u;
    };
    const auto rigid = field([](const fem::point& x) { return fem::point{1 - x[1], x[0] - 2, 3}; });
    for (const double y : applied(A, rigid)) CHECK(std::abs(y) <= 1e-12);
    const auto stretch = field([](const fem::point& x) { return fem::point{2 * x[0], -x[1], 0}; });
    CHECK(std::abs(dot(stretch, applied(A, stretch)) - (lambda + 2 * mu * 5)) <= 1e-11);
  }
}

TEST_CASE("simplices: coefficients at points, matrix-free, in float", "[fem][element][simplex]") {
  const placed_mesh domain(3, 2, 2, bubble(3, 0.1));
  const index_t E = domain.mesh.elements();
  for (const operator_kind kind : all_operator_kinds) {
    element_nodes<double> nodes = domain.nodes();
    const int given = coefficients_of(kind, 3).fewest;
    std::vector<double> coefficients = seeded<double>(27 * E * given, 3);
    for (double& c : coefficients) c += 2;
    nodes.coefficients_at_points = coefficients.data();
    nodes.coefficients_given = given;
    element_operator_options o{.kind = kind, .trial = {.order = 2}, .points = 3, .shape = element_shape::simplex};
    o.components = coupled_components(kind, 3);
    const element_operator<double> stored(nodes, o);
    const std::vector<double> x = seeded<double>(stored.trial_size() * o.components * E, 4);
    const std::vector<double> y = applied(stored, x);
    o.form = element_form::matrix_free;
    const element_operator<double> computed(nodes, o);
    CHECK(computed.describe().find("from 10 nodes, f64") != std::string::npos);
    CHECK(applied(computed, x) == y);

    const std::vector<float> c32(coefficients.begin(), coefficients.end()),
        place32(domain.coordinates.begin(), domain.coordinates.end()), x32(x.begin(), x.end());
    const element_operator<float> in_float({.dim = 3,
                                            .order = 2,
                                            .elements = E,
                                            .coordinates = place32.data(),
                                            .coefficients_at_points = c32.data(),
                                            .coefficients_given = given},
                                           o);
    std::vector<float> y32(x.size());
    in_float.apply(x32.data(), y32.data());
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      worst = std::max(worst, std::abs(y[i] - double(y32[i])));
      largest = std::max(largest, std::abs(y[i]));
    }
    CHECK(worst <= 1e-5 * largest);
  }
}

TEST_CASE("simplices: an inverted element is named with its point", "[fem][element][simplex]") {
  placed_mesh domain(2, 2, 1);
  for (index_t c = 0; c < 2; ++c)
    std::swap(domain.coordinates[at(1 + 3 * (c + 2 * 5))], domain.coordinates[at(2 + 3 * (c + 2 * 5))]);
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free})
    check_failure(status::invalid_argument, {"element 5 is inverted: its determinant at point 0 of 9"}, [&] {
      element_operator<double>(domain.nodes(), {.trial = {.order = 2}, .form = form, .shape = element_shape::simplex});
    });
  const std::vector<double> D(100, 1.0);
  const auto made = [&](const element_operator_options& o) { element_operator<double>(2, 1, D.data(), o); };
  check_failure(status::invalid_argument, {"no gauss_lobatto"},
                [&] { made({.rule = fem::points_kind::gauss_lobatto, .shape = element_shape::simplex}); });
}

namespace {

/// -laplace u = f with u = 0 on the boundary, by conjugate gradients. The relative error at the nodes.
double poisson_error(int dim, int n, int p) {
  const double pi = std::acos(-1.0);
  const placed_mesh domain(dim, n, 1);
  const element_operator_options o{
      .kind = operator_kind::diffusion, .trial = {.order = p}, .shape = element_shape::simplex};
  const element_operator<double> A(domain.nodes(), o),
      M(domain.nodes(), {.trial = {.order = p}, .shape = element_shape::simplex});
  const std::vector<double> places = domain.mesh.nodes(p);
  int count = 0;
  const std::vector<int> number = numbered(places, dim, A.elements(), count);
  const auto exact = [&](const fem::point& x) {
    double u = 1;
    for (int c = 0; c < dim; ++c) u *= std::sin(pi * x[at(c)]);
    return u;
  };
  const std::vector<double> u = domain.at_nodes(p, exact);
  std::vector<double> solution(at(count));
  std::vector<bool> inside(at(count));
  for (std::size_t i = 0; i < u.size(); ++i) {
    solution[at(number[i])] = u[i];
    inside[at(number[i])] = std::abs(u[i]) > 1e-9;
  }
  const auto apply = [&](const element_operator<double>& of, const std::vector<double>& x) {
    std::vector<double> local(u.size()), y(at(count));
    for (std::size_t i = 0; i < u.size(); ++i) local[i] = x[at(number[i])];
    local = applied(of, local);
    for (std::size_t i = 0; i < u.size(); ++i)
      if (inside[at(number[i])]) y[at(number[i])] += local[i];
    return y;
  };
  std::vector<double> f(solution);
  for (double& value : f) value *= dim * pi * pi;
  std::vector<double> x = solved([&](const std::vector<double>& u) { return apply(A, u); }, apply(M, f));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= solution[i];
  return std::sqrt(dot(x, x) / dot(solution, solution));
}

}  // namespace

TEST_CASE("simplices: a Poisson problem converges as its order promises", "[fem][element][simplex]") {
  for (const int p : {1, 2, 3}) {
    const double rate = std::log2(poisson_error(2, 4, p) / poisson_error(2, 8, p));
    INFO("triangles, order " << p << ": rate " << rate);
    CHECK(rate > p + 0.5);
  }
  for (const int p : {1, 2}) {
    const double rate = std::log2(poisson_error(3, 3, p) / poisson_error(3, 6, p));
    INFO("tetrahedra, order " << p << ": rate " << rate);
    CHECK(rate > p + 0.5);
  }
}
