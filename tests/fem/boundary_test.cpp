// SPDX-License-Identifier: BSD-3-Clause
// Faces of elements: their geometry by the divergence theorem, loads on them, lists of faces and of unknowns on them.
#include "plain_points.hpp"
#include "testing/failure.hpp"
#include "vectors.hpp"

#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/norms.hpp>

namespace {

using namespace tessera;
using namespace tessera::testing;

// A field F of dim components with its divergence, and the gradient of u = x (y + 2) - z y.
template <class T>
double field(int dim, const mapped_point<T>& p, double (&F)[3]) {
  const double x = double(p.x[0]), y = double(p.x[1]), z = double(p.x[2]);
  F[0] = x * x + y;
  F[1] = x * y - z;
  F[2] = z * x + y * y;
  return 2 * x + (dim > 1 ? x : 0) + (dim > 2 ? x : 0);
}

}  // namespace

TEMPLATE_TEST_CASE("fluxes through the faces of an element are the integral of the divergence", "[fem][faces]", float,
                   double) {
  using T = TestType;
  each_shape([](int dim, element_shape shape) {
    const moved_mesh<T> m(dim, 2, shape);
    const element_points<T> inside(m.nodes(), m.options(2, 1, 7)), faces(m.nodes(), m.all_faces(), m.options(2, 1, 7));
    CHECK(faces.count() == m.elements * fem::faces_of_element(dim, shape));
    std::vector<double> flux(at(m.elements)), divergence(flux);
    faces.integral([&](const mapped_point<T>& p) {
      double F[3], length = 0;
      field(dim, p, F);
      for (int c = 0; c < 3; ++c) length += double(p.normal[c]) * double(p.normal[c]);
      if (!(std::abs(length - 1) < 1e-6) || p.tag != p.face + 10) throw std::runtime_error("a normal, or a tag");
      return 0.0;
    });
    for (index_t e = 0; e < m.elements; ++e) {
      std::vector<boundary_face> own;
      for (const boundary_face& f : m.all_faces())
        if (f.element == e) own.push_back(f);
      flux[at(e)] = element_points<T>(m.nodes(), own, m.options(2, 1, 7)).integral([&](const mapped_point<T>& p) {
        double F[3], sum = 0;
        field(dim, p, F);
        for (int c = 0; c < dim; ++c) sum += F[c] * double(p.normal[c]);
        return sum;
      });
      divergence[at(e)] = inside.integral([&](const mapped_point<T>& p) {
        double F[3];
        return p.element == e ? field(dim, p, F) : 0.0;
      });
    }
    CHECK(distance(flux, divergence) < 10 * enough<T>());
  });
}

TEST_CASE("normals, coordinates and measures of the faces of a box", "[fem][faces]") {
  const fem::mesh domain({2, 3, 4}, 1, [](const fem::point& x) { return fem::point{2 * x[0], 3 * x[1], 5 * x[2]}; });
  const auto faces = fem::box_faces(domain);
  CHECK(faces.size() == 2 * (12 + 8 + 6));
  const double area[3] = {15, 10, 6};
  for (int side = 0; side < 6; ++side) {
    const element_points<double> of(fem::nodes_of(domain), fem::with_tags(faces, {side}), {.points = 2});
    CHECK(of.on_faces());
    CHECK(std::abs(of.integral([](const auto&) { return 1.0; }) - area[side / 2]) < 1e-12);
    std::vector<double> normals(at(of.count() * of.points() * 3)), x(normals);
    of.normals(normals.data());
    of.coordinates(x.data());
    const double sizes[3] = {2, 3, 5};
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const bool across = i % 3 == at(side / 2);
      CHECK(std::abs(normals[i] - (across ? (side % 2 == 0 ? -1 : 1) : 0)) < 1e-14);
      if (across) CHECK(std::abs(x[i] - (side % 2 == 0 ? 0 : sizes[side / 2])) < 1e-14);
    }
  }
}

TEST_CASE("a harmonic function is in balance with the flux through the boundary", "[fem][faces]") {
  // integral of grad u . grad v = integral over the boundary of (grad u . n) v, for every v of the space.
  for (const int dim : {1, 2, 3}) {
    index_t cells[3] = {3, 2, 2};
    box_spec box{.dim = dim, .cells = {cells[0], cells[1], cells[2]}, .order = 2};
    std::vector<double> corners;
    const index_t elements = cells[0] * (dim > 1 ? cells[1] : 1) * (dim > 2 ? cells[2] : 1);
    for (index_t e = 0; e < elements; ++e)
      for (int c = 0; c < dim; ++c)
        for (int i = 0; i < 1 << dim; ++i) {
          const index_t place[3] = {e % 3, e / 3 % 2, e / 6};
          corners.push_back(double(place[c] + (i >> c & 1)) * (c + 1) + (c == 1 ? 0.25 * double(place[0] + i % 2) : 0));
        }
    const fem::element_nodes<double> nodes{.dim = dim, .order = 1, .elements = elements, .coordinates = corners.data()};
    const element_operator_options o{.kind = operator_kind::diffusion, .trial = {.order = 2}, .points = 4};
    const restriction r = restriction::box(box);
    // u at the nodes, by points that are the nodes.
    const element_points<double> at_nodes(
        nodes, {.trial = {.order = 2}, .points = 3, .rule = fem::points_kind::gauss_lobatto});
    const std::vector<double> E = at_nodes.evaluate(1, [&](const auto& p, double* u) {
      *u = dim == 1 ? 3 * p.x[0] : p.x[0] * p.x[0] - p.x[1] * p.x[1] + p.x[1] * p.x[2];
    });
    std::vector<double> u(at(r.size())), times(u), Au(u), b(u);
    r.add_from_elements(E.data(), u.data());
    r.multiplicity(times.data());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] /= times[i];
    fem::global_operator<double>(nodes, r, o).apply(u.data(), Au.data());
    const element_points<double> boundary(nodes, fem::box_faces(box), o);
    std::vector<double> G(at(boundary.count() * boundary.points() * dim));
    boundary.gradients({u.data(), r}, G.data());
    const std::vector<double> flux = boundary.evaluate(1, [&](const auto& p, double* g) {
      *g = 0;
      for (int d = 0; d < dim; ++d) *g += G[at(d + dim * p.number)] * p.normal[d];
    });
    boundary.load(flux.data(), {b.data(), r});
    INFO("dim " << dim);
    CHECK(distance(b, Au) < 1e-12);
  }
}

TEST_CASE("given values on two sides of a box, a flux on the others", "[fem][faces]") {
  // -div grad u = f for u = y sin(pi x), which is 0 on the sides x = 0 and x = 1.
  const double pi = std::acos(-1.0);
  const auto exact = [&](const auto& p, double* u) { *u = p.x[1] * std::sin(pi * p.x[0]); };
  const fem::mesh domain({8, 8}, 1);
  const fem::element_nodes<double> nodes = fem::nodes_of(domain);
  const element_operator_options options{.kind = operator_kind::diffusion, .trial = {.order = 3}};
  // snippet sides
  tessera::box_spec box{.dim = 2, .cells = {8, 8}, .order = 3};
  const std::vector<fem::boundary_face> sides = fem::box_faces(box);  // their tags: 0 left, 1 right, 2 below, 3 above
  const auto fixed = fem::numbers_on(tessera::restriction::box(box), fem::with_tags(sides, {0, 1}), 2, {.order = 3});
  box.constrained = fixed;
  const tessera::restriction unknowns = tessera::restriction::box(box);
  // end snippet
  const fem::global_operator<double> A(nodes, unknowns, options);
  const element_points<double> inside(nodes, options);
  std::vector<double> b(at(unknowns.size()));
  inside.load(inside
                  .evaluate(1,
                            [&](const auto& p, double* f) {
                              exact(p, f);
                              *f *= pi * pi;
                            })
                  .data(),
              {b.data(), unknowns});
  // snippet flux
  const fem::element_points<double> ends(nodes, fem::with_tags(sides, {2, 3}), options);
  const std::vector<double> g =
      ends.evaluate(1, [&](const auto& p, double* g) { *g = p.normal[1] * std::sin(pi * p.x[0]); });  // grad u . n
  ends.add_load(g.data(), {b.data(), unknowns});
  // end snippet
  for (const index_t i : fixed) b[at(i)] = 0;
  const std::vector<double> u = solved(
      [&](const std::vector<double>& x) {
        std::vector<double> y(x.size());
        A.apply(x.data(), y.data());
        return y;
      },
      b);
  CHECK(fem::l2_error(inside, {u.data(), unknowns}, exact) < 5e-6);
}

TEST_CASE("a traction is in balance with the stress of a linear displacement", "[fem][faces]") {
  for (const element_shape shape : {element_shape::cube, element_shape::simplex})
    for (const int dim : {2, 3}) {
      const moved_mesh<double> m(dim, 1, shape);
      const double lambda = 1.5, mu = 0.75;
      fem::element_nodes<double> nodes = m.nodes();
      nodes.coefficients = {lambda, mu};
      const element_operator_options o{
          .kind = operator_kind::elasticity, .trial = {.order = 1}, .components = dim, .points = 4, .shape = shape};
      // u_c = sum of H[c][d] x_d, at the corners.
      const double H[3][3] = {{0.5, -1, 0.25}, {2, 1, -0.5}, {0.75, 0.125, 1.5}};
      const index_t n = index_t(m.coordinates.size()) / (dim * m.elements);
      std::vector<double> u(m.coordinates.size()), Au(u), b(u);
      for (index_t e = 0; e < m.elements; ++e)
        for (int c = 0; c < dim; ++c)
          for (int d = 0; d < dim; ++d)
            for (index_t i = 0; i < n; ++i)
              u[at(i + n * (c + dim * e))] += H[c][d] * m.coordinates[at(i + n * (d + dim * e))];
      fem::element_operator<double>(nodes, o).apply(u.data(), Au.data());
      const element_points<double> faces(nodes, m.all_faces(), o);
      const std::vector<double> traction = faces.evaluate(dim, [&](const auto& p, double* t) {
        double divergence = 0;
        for (int d = 0; d < dim; ++d) divergence += H[d][d];
        for (int c = 0; c < dim; ++c) {
          t[c] = lambda * divergence * p.normal[c];
          for (int d = 0; d < dim; ++d) t[c] += mu * (H[c][d] + H[d][c]) * p.normal[d];
        }
      });
      faces.load(traction.data(), b.data());
      INFO("dim " << dim << ", shape " << int(shape));
      CHECK(distance(b, Au) < 1e-12);
      const std::vector<double> values = faces.evaluate(dim, [&](const auto& p, double* v) {
        for (int c = 0; c < dim; ++c) {
          v[c] = 0;
          for (int d = 0; d < dim; ++d) v[c] += H[c][d] * p.x[d];
        }
      });
      std::vector<double> found(values.size());
      faces.values(u.data(), found.data());
      CHECK(distance(found, values) < 1e-13);
    }
}

TEST_CASE("unknowns on the sides of a box", "[fem][faces]") {
  const index_t nodes[3] = {7, 5, 3}, all = 105;
  for (const bool interleaved : {false, true}) {
    const box_spec box{.dim = 3, .cells = {3, 2, 1}, .order = 2, .components = 2, .interleaved = interleaved};
    const restriction r = restriction::box(box);
    const auto faces = fem::box_faces(box);
    for (int side = 0; side < 6; ++side)
      for (const int component : {-1, 0, 1}) {
        std::vector<index_t> wanted;
        for (index_t i = 0; i < all; ++i)
          for (int c = 0; c < 2; ++c) {
            const index_t place[3] = {i % nodes[0], i / nodes[0] % nodes[1], i / (nodes[0] * nodes[1])};
            if (place[side / 2] == (side % 2 == 0 ? 0 : nodes[side / 2] - 1) && (component < 0 || component == c))
              wanted.push_back(interleaved ? 2 * i + c : i + all * c);
          }
        std::sort(wanted.begin(), wanted.end());
        CHECK(fem::numbers_on(r, fem::with_tags(faces, {side}), 3, {.order = 2}, element_shape::cube, component) ==
              wanted);
      }
  }
}

TEST_CASE("functions on a face are those that are not 0 there", "[fem][faces]") {
  each_shape([](int dim, element_shape shape) {
    const moved_mesh<double> m(dim, 1, shape);
    for (const fem::basis_kind kind : {fem::basis_kind::gauss_lobatto, fem::basis_kind::bernstein})
      for (const int p : {1, 3}) {
        element_operator_options o = m.options(p);
        o.trial.kind = kind;
        for (int face = 0; face < fem::faces_of_element(dim, shape); ++face) {
          const std::vector<boundary_face> one{{2, face}};
          const element_points<double> of(m.nodes(), one, o);
          std::vector<std::int32_t> offsets(at(of.functions() * m.elements));
          std::iota(offsets.begin(), offsets.end(), 0);
          const restriction r({.elements = m.elements,
                               .entries = of.functions(),
                               .size = index_t(offsets.size()),
                               .offsets = offsets.data()});
          const std::vector<index_t> found = fem::numbers_on(r, one, dim, o.trial, shape);
          std::vector<double> u(offsets.size()), values(at(of.points()));
          for (index_t i = 0; i < of.functions(); ++i) {
            const index_t number = i + 2 * of.functions();
            u[at(number)] = 1;
            of.values(u.data(), values.data());
            u[at(number)] = 0;
            const bool is_there =
                std::any_of(values.begin(), values.end(), [](double v) { return std::abs(v) > 1e-9; });
            CHECK(std::binary_search(found.begin(), found.end(), number) == is_there);
          }
        }
      }
  });
}

TEST_CASE("mistakes with faces are named", "[fem][faces]") {
  moved_mesh<double> m(2, 2, element_shape::cube);
  const element_operator_options o = m.options(2);
  const auto with = [&](std::vector<boundary_face> faces) {
    return [&m, &o, faces] { element_points<double>(m.nodes(), faces, o); };
  };
  using enum status;
  check_failure(invalid_argument, {"element_points: face 1 of the list", "element 12", "12 elements"},
                with({{0, 0}, {12, 0}}));
  check_failure(invalid_argument, {"face 0 of the list", "element -1"}, with({{-1, 0}}));
  check_failure(invalid_argument, {"face 2 of the list is face 4 of element 5", "has 4"},
                with({{0, 0}, {1, 3}, {5, 4}}));
  const restriction r = restriction::box({.dim = 2, .cells = {3, 4, 1}, .order = 2});
  const std::vector<boundary_face> faces{{0, 1}, {3, 7}};
  check_failure(invalid_argument, {"numbers_on: face 1 of the list is face 7"},
                [&] { fem::numbers_on(r, faces, 2, {.order = 2}); });
  check_failure(shape_mismatch, {"numbers_on", "16 functions", "9 entries"},
                [&] { fem::numbers_on(r, faces, 2, {.order = 3}); });
  check_failure(invalid_argument, {"numbers_on", "gauss"}, [&] {
    fem::numbers_on(r, faces, 2, {fem::basis_kind::gauss, 2});
  });
  check_failure(invalid_argument, {"numbers_on", "component 1 of 1"},
                [&] { fem::numbers_on(r, faces, 2, {.order = 2}, element_shape::cube, 1); });
  check_failure(invalid_argument, {"4 dimensions"}, [&] { fem::faces_of_element(4); });
  check_failure(invalid_argument, {"box_faces: -1 cells in direction 1"}, [&] {
    fem::box_faces(box_spec{.dim = 2, .cells = {1, -1, 1}});
  });
  CHECK(fem::box_faces(box_spec{.dim = 2, .cells = {0, 3, 1}}).empty());
  CHECK(element_points<double>(m.nodes(), std::vector<boundary_face>{}, o).integral([](const auto&) { return 1.0; }) ==
        0);
  // An element that is positive at its own points, and inverted on a face.
  m.coordinates[at(2 + 9 * 2 * 3)] -= 0.33;
  m.coordinates[at(1 + 9 * 2 * 3)] += 0.08;
  const element_operator_options few = m.options(2, 1, 1);
  CHECK(element_points<double>(m.nodes(), few).count() == 12);
  check_failure(invalid_argument, {"element 3 is inverted", "point 0 of 1 on face 2"},
                [&] { element_points<double>(m.nodes(), m.all_faces(), few); });
}
