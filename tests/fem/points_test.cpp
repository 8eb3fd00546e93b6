// SPDX-License-Identifier: BSD-3-Clause
// Geometry, values, gradients and loads at the points of elements, against plain sums and the operators.
#include "global_checks.hpp"
#include "global_sums.hpp"
#include "plain_points.hpp"
#include "testing/failure.hpp"
#include "vectors.hpp"

#include <cstring>
#include <limits>

namespace {

using namespace tessera;
using namespace tessera::testing;

// What element_points computes, by the textbook's sums.
template <class T>
struct plain_sums {
  std::vector<double> x, J, weights, values, slopes, load, gradient_load;

  // f (C) and F (dim, C) at the points are what values and slopes are in space.
  plain_sums(const moved_mesh<T>& m, int p, int q, int C, const std::vector<T>& u) {
    const int dim = m.dim;
    const fem::point_rule rule = plain_rule(dim, m.shape, q);
    const plain_functions geometry{dim, m.order, m.shape}, functions{dim, p, m.shape};
    const index_t n = functions.size(), g = geometry.size();
    load.resize(u.size());
    gradient_load.resize(u.size());
    std::vector<double> phi, dphi;
    for (index_t e = 0; e < m.elements; ++e)
      for (index_t k = 0; k < rule.size(); ++k) {
        geometry.at_point(rule.points.data() + dim * k, phi, dphi);
        double jacobian[3][3] = {}, inverse[3][3] = {};
        for (int c = 0; c < dim; ++c) {
          double sum = 0;
          for (index_t i = 0; i < g; ++i) {
            const double node = double(m.coordinates[at(i + g * (c + dim * e))]);
            sum += phi[at(i)] * node;
            for (int a = 0; a < dim; ++a) jacobian[c][a] += dphi[at(i + g * a)] * node;
          }
          x.push_back(sum);
        }
        for (int a = 0; a < dim; ++a)
          for (int c = 0; c < dim; ++c) J.push_back(jacobian[c][a]);
        const double w = rule.weights[at(k)] * inverted(dim, jacobian, inverse);
        weights.push_back(w);
        functions.at_point(rule.points.data() + dim * k, phi, dphi);
        for (int c = 0; c < C; ++c) {
          double value = 0, slope[3] = {}, in_space[3] = {};
          for (index_t i = 0; i < n; ++i) {
            const double entry = double(u[at(i + n * (c + C * e))]);
            value += phi[at(i)] * entry;
            for (int a = 0; a < dim; ++a) slope[a] += dphi[at(i + n * a)] * entry;
          }
          values.push_back(value);
          for (int d = 0; d < dim; ++d) {
            for (int a = 0; a < dim; ++a) in_space[d] += inverse[a][d] * slope[a];
            slopes.push_back(in_space[d]);
          }
          for (index_t i = 0; i < n; ++i) {
            load[at(i + n * (c + C * e))] += w * value * phi[at(i)];
            for (int d = 0; d < dim; ++d)
              for (int a = 0; a < dim; ++a)
                gradient_load[at(i + n * (c + C * e))] += w * in_space[d] * inverse[a][d] * dphi[at(i + n * a)];
          }
        }
      }
  }

  // The determinant, by cofactors.
  static double inverted(int dim, const double (&J)[3][3], double (&inverse)[3][3]) {
    double full[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, det = 0;
    for (int c = 0; c < dim; ++c)
      for (int a = 0; a < dim; ++a) full[c][a] = J[c][a];
    const auto minor = [&](int c, int a) {
      const int c1 = (c + 1) % 3, c2 = (c + 2) % 3, a1 = (a + 1) % 3, a2 = (a + 2) % 3;
      return full[c1][a1] * full[c2][a2] - full[c1][a2] * full[c2][a1];
    };
    for (int a = 0; a < 3; ++a) det += full[0][a] * minor(0, a);
    for (int a = 0; a < dim; ++a)
      for (int c = 0; c < dim; ++c) inverse[a][c] = minor(c, a) / det;
    return det;
  }
};

template <class T>
std::vector<T> random_function(const element_points<T>& at_points, std::uint32_t seed) {
  return seeded<T>(at_points.elements() * at_points.components() * at_points.functions(), seed);
}

template <class T>
std::vector<T> room(const element_points<T>& of, index_t each) {
  return std::vector<T>(at(of.count() * of.points() * each), std::numeric_limits<T>::quiet_NaN());
}

// Whether a and b are one bit pattern.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEMPLATE_TEST_CASE("what is at points equals plain sums", "[fem][points]", float, double) {
  using T = TestType;
  each_shape([](int dim, element_shape shape) {
    for (const int order : {1, 2})
      for (const int q : {2, 4}) {
        const int p = 3, C = 2;
        const moved_mesh<T> m(dim, order, shape);
        const element_points<T> of(m.nodes(), m.options(p, C, q));
        const std::vector<T> u = random_function(of, 3);
        const plain_sums<T> wanted(m, p, q, C, u);
        std::vector<T> x = room(of, dim), J = room(of, dim * dim), inverse = J, w = room(of, 1), values = room(of, C),
                       gradients = room(of, C * dim), slopes = gradients, b(u.size(), T(7)), c(b);
        of.coordinates(x.data());
        of.jacobians(J.data());
        of.inverse_jacobians(inverse.data());
        of.weights(w.data());
        of.values(u.data(), values.data());
        of.gradients(u.data(), gradients.data());
        of.reference_gradients(u.data(), slopes.data());
        of.load(values.data(), b.data());
        of.gradient_load(gradients.data(), c.data());
        const double most = 10 * enough<T>();
        CHECK(distance(x, wanted.x) < most);
        CHECK(distance(J, wanted.J) < most);
        CHECK(distance(w, wanted.weights) < most);
        CHECK(distance(values, wanted.values) < most);
        CHECK(distance(gradients, wanted.slopes) < most);
        CHECK(distance(b, wanted.load) < most);
        CHECK(distance(c, wanted.gradient_load) < most);
        // J^-1 J = 1, and derivatives on the element are J^T those in space.
        std::vector<T> one(J.size()), is(J.size()), turned(slopes.size());
        for (std::size_t k = 0; k < w.size(); ++k)
          for (std::size_t a = 0; a < at(dim); ++a)
            for (std::size_t r = 0; r < at(dim); ++r) {
              const std::size_t J0 = at(dim * dim) * k;
              one[J0 + a + at(dim) * r] = T(a == r);
              for (std::size_t s = 0; s < at(dim); ++s)
                is[J0 + a + at(dim) * r] += inverse[J0 + a + at(dim) * s] * J[J0 + s + at(dim) * r];
              for (std::size_t d = 0; d < at(C); ++d)
                turned[a + at(dim) * (d + at(C) * k)] +=
                    J[J0 + r + at(dim) * a] * gradients[r + at(dim) * (d + at(C) * k)];
            }
        CHECK(distance(is, one) < most);
        CHECK(distance(turned, slopes) < most);
      }
  });
}

TEST_CASE("loads of values and gradients are what mass and diffusion give", "[fem][points]") {
  each_shape([](int dim, element_shape shape) {
    const moved_mesh<double> m(dim, 2, shape);
    element_operator_options o = m.options(3, 2);
    const element_points<double> of(m.nodes(), o);
    const std::vector<double> u = random_function(of, 5);
    std::vector<double> f = room(of, 2), F = room(of, 2 * dim), b(u.size()), wanted(u.size());
    of.values(u.data(), f.data());
    of.load(f.data(), b.data());
    fem::element_operator<double>(m.nodes(), o).apply(u.data(), wanted.data());
    CHECK(distance(b, wanted) < 1e-12);
    o.kind = operator_kind::diffusion;
    of.gradients(u.data(), F.data());
    of.gradient_load(F.data(), b.data());
    fem::element_operator<double>(m.nodes(), o).apply(u.data(), wanted.data());
    CHECK(distance(b, wanted) < 1e-12);
    of.add_gradient_load(F.data(), b.data());
    for (double& one : wanted) one *= 2;
    CHECK(distance(b, wanted) < 1e-12);
  });
}

TEST_CASE("polynomials are integrated and differentiated exactly on deformed elements", "[fem][points]") {
  // Squares of coordinates are in the space of twice the geometry's order, whose nodes are Gauss-Lobatto points.
  each_shape([](int dim, element_shape shape) {
    if (shape == element_shape::simplex && dim > 1) return;
    const moved_mesh<double> m(dim, 2, shape == element_shape::cube ? shape : element_shape::cube);
    element_operator_options nodal = m.options(4, 1, 5);
    nodal.rule = fem::points_kind::gauss_lobatto;
    const auto f = [](const auto& p, double* to) { *to = p.x[0] * p.x[0] + 3 * p.x[0] * p.x[1] - p.x[2] * p.x[1]; };
    const std::vector<double> u = element_points<double>(m.nodes(), nodal).evaluate(1, f);
    const element_points<double> of(m.nodes(), m.options(4, 1, 8));
    std::vector<double> values = room(of, 1), gradients = room(of, dim);
    of.values(u.data(), values.data());
    of.gradients(u.data(), gradients.data());
    CHECK(distance(values, of.evaluate(1, f)) < 1e-12);
    CHECK(distance(gradients, of.evaluate(dim, [&](const auto& p, double* to) {
            const double all[3] = {2 * p.x[0] + 3 * p.x[1], 3 * p.x[0] - p.x[2], -p.x[1]};
            std::copy_n(all, dim, to);
          })) < 1e-11);
  });
}

TEMPLATE_TEST_CASE("L-vectors at points are gathered, and loads scattered, with signs", "[fem][points]", float,
                   double) {
  using T = TestType;
  const moved_mesh<T> m(2, 1, element_shape::cube);
  const int p = 2, C = 2;
  const element_points<T> of(m.nodes(), m.options(p, C));
  const index_t entries = of.functions(), nodes = 61;
  std::vector<std::int32_t> offsets(at(entries * m.elements));
  std::mt19937 random(4);
  for (std::int32_t& offset : offsets) {
    offset = std::int32_t(random() % std::uint32_t(nodes));
    if (random() % 3 == 0) offset = -1 - offset;
  }
  const restriction r({.elements = m.elements,
                       .entries = entries,
                       .components = C,
                       .size = nodes * C,
                       .offsets = offsets.data(),
                       .component_stride = nodes,
                       .negative = negative_offset::sign});
  const std::vector<T> x = seeded<T>(r.size(), 1), f = seeded<T>(of.count() * of.points() * C, 2),
                       F = seeded<T>(of.count() * of.points() * C * 2, 3);
  std::vector<T> E(at(entries * C * m.elements)), one = room(of, C), other = one, G = room(of, 2 * C), H = G, b(x),
                                                  y(x), B(E);
  r.to_elements(x.data(), E.data());
  of.values({x.data(), r}, one.data());
  of.values(E.data(), other.data());
  CHECK(same_bits(one, other));
  of.gradients({x.data(), r}, G.data());
  of.gradients(E.data(), H.data());
  CHECK(same_bits(G, H));
  for (const bool of_gradients : {false, true}) {
    std::fill(y.begin(), y.end(), T(0));
    if (of_gradients) {
      of.gradient_load(F.data(), {b.data(), r});
      of.gradient_load(F.data(), B.data());
    } else {
      of.load(f.data(), {b.data(), r});
      of.load(f.data(), B.data());
    }
    r.add_from_elements(B.data(), y.data());
    CHECK(distance(b, y) < enough<T>());
    // Transposes: (load f, x) is the sum over the points of weight f times values of x.
    const std::vector<T> w = of.evaluate(1, [](const auto& at_point, T* to) { *to = at_point.weight; });
    const std::vector<T>&given = of_gradients ? F : f, &taken = of_gradients ? G : one;
    const std::size_t each = given.size() / w.size();
    double left = 0, right = 0;
    for (std::size_t i = 0; i < x.size(); ++i) left += double(b[i]) * double(x[i]);
    for (std::size_t i = 0; i < given.size(); ++i) right += double(w[i / each]) * double(given[i]) * double(taken[i]);
    CHECK(std::abs(left - right) < 100 * enough<T>() * std::max(1.0, std::abs(right)));
  }
  const std::vector<T> before = b;
  of.add_gradient_load(F.data(), {b.data(), r});
  for (std::size_t i = 0; i < b.size(); ++i) CHECK(std::abs(b[i] - 2 * before[i]) < 200 * enough<T>());
}

TEMPLATE_TEST_CASE("results at points are the same bits on any number of threads", "[fem][points]", float, double) {
  using T = TestType;
  const moved_mesh<T> m(3, 2, element_shape::cube), t(2, 2, element_shape::simplex);
  for (const auto* of_mesh : {&m, &t}) {
    const element_points<T> of(of_mesh->nodes(), of_mesh->options(3, 2)),
        faces(of_mesh->nodes(), of_mesh->all_faces(), of_mesh->options(3, 2));
    const std::vector<T> u = random_function(of, 6);
    const restriction r =
        restriction({.elements = of.elements(),
                     .entries = of.functions(),
                     .components = 2,
                     .size = 2 * of.functions(),
                     .offsets = std::vector<std::int32_t>(at(of.functions() * of.elements()), 3).data(),
                     .component_stride = of.functions()});
    std::vector<std::vector<T>> first;
    double first_sum = 0;
    for (const int threads : {1, 2, 5}) {
      const thread_count set(threads);
      std::vector<std::vector<T>> all;
      for (const auto* points : {&of, &faces}) {
        std::vector<T> values = room(*points, 2), gradients = room(*points, 2 * of.dim()), b(u), l(at(r.size()));
        points->values(u.data(), values.data());
        points->gradients(u.data(), gradients.data());
        points->load(values.data(), b.data());
        points->add_gradient_load(gradients.data(), b.data());
        points->load(values.data(), {l.data(), r});
        for (auto& one : {values, gradients, b, l}) all.push_back(one);
      }
      const double sum = of.integral(u.data(), {.value = true, .gradient = true},
                                     [](const auto&, const T* v, const T* g) { return double(v[1] * g[1]); });
      if (first.empty()) first = all, first_sum = sum;
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(same_bits(all[i], first[i]));
      CHECK(sum == first_sum);
    }
  }
}

TEST_CASE("coordinates in another layout, and elements by tables of the caller", "[fem][points]") {
  const moved_mesh<double> m(2, 2, element_shape::simplex);
  const element_points<double> of(m.nodes(), m.options(2, 2));
  const std::vector<double> u = random_function(of, 8);
  std::vector<double> x = room(of, 2), y = x, g = room(of, 4), h = g;
  of.coordinates(x.data());
  of.gradients(u.data(), g.data());
  // Node by node, and by the tables that the options stand for.
  const index_t n = 6;
  fem::element_nodes<double> nodes = m.nodes();
  std::vector<double> by_node(m.coordinates.size());
  nodes.layout = element_layout::by_node(n, 2);
  for (index_t e = 0; e < m.elements; ++e)
    for (int c = 0; c < 2; ++c)
      for (index_t i = 0; i < n; ++i)
        by_node[at(nodes.layout.offset(i, c, e))] = m.coordinates[at(i + n * (c + 2 * e))];
  nodes.coordinates = by_node.data();
  fem::dense_element tables = fem::simplex_element(2, 2, m.options(2, 2));
  const element_points<double> other(nodes, {.components = 2, .tables = tables});
  other.coordinates(y.data());
  other.gradients(u.data(), h.data());
  CHECK(same_bits(x, y));
  CHECK(same_bits(g, h));
  // Of functions without values there are gradients.
  tables.trial.values.clear();
  tables.geometry.values.clear();
  const element_points<double> slopes(nodes, {.components = 2, .tables = tables});
  slopes.gradients(u.data(), h.data());
  CHECK(same_bits(g, h));
  check_failure(status::invalid_argument, {"element_points::values", "no values of functions"},
                [&] { slopes.values(u.data(), x.data()); });
  check_failure(status::invalid_argument, {"element_points::coordinates", "no values of the geometry"},
                [&] { slopes.coordinates(x.data()); });
  check_failure(status::invalid_argument, {"tables of the calling code"}, [&] {
    element_points<double>(nodes, std::vector<boundary_face>{{0, 0}}, {.tables = tables});
  });
}

TEST_CASE("no elements, no results", "[fem][points]") {
  const element_points<double> none({.dim = 3, .order = 1, .elements = 0}, {.trial = {.order = 2}});
  none.values(static_cast<const double*>(nullptr), nullptr);
  none.load(nullptr, static_cast<double*>(nullptr));
  CHECK(none.evaluate(3, [](const auto&, double*) {}).empty());
  CHECK(none.integral([](const auto&) { return 1.0; }) == 0);
  CHECK(none.describe() == "64 points in each of 0 elements, 1 component of 27 functions, f64");
}

TEST_CASE("mistakes at points are named, and nothing is written", "[fem][points]") {
  moved_mesh<double> m(2, 1, element_shape::cube);
  const element_operator_options o = m.options(2);
  const element_points<double> of(m.nodes(), o);
  const std::vector<double> u = random_function(of, 1);
  std::vector<double> out(at(of.count() * of.points()), 7.0), before = out;
  const restriction other = random_restriction(m.elements, 9, 2, 1), fewer = random_restriction(m.elements, 4, 1, 1);
  using enum status;
  check_failure(null_pointer, {"element_points::values", "u is a null pointer"},
                [&] { of.values(static_cast<const double*>(nullptr), out.data()); });
  check_failure(null_pointer, {"element_points::values", "the result is a null pointer"},
                [&] { of.values(u.data(), nullptr); });
  check_failure(shape_mismatch, {"element_points::values", "2 x 9 entries", "1 x 9"}, [&] {
    of.values({u.data(), other}, out.data());
  });
  check_failure(shape_mismatch, {"element_points::load", "b's restriction", "1 x 4 entries", "1 x 9"}, [&] {
    of.load(u.data(), {out.data(), fewer});
  });
  check_failure(null_pointer, {"element_points::load", "the values are a null pointer"},
                [&] { of.load(nullptr, out.data()); });
  check_failure(overlap, {"element_points::values", "overlaps"}, [&] { of.values(out.data(), out.data() + 5); });
  check_failure(overlap, {"element_points::load", "overlaps"}, [&] { of.load(out.data() + 5, out.data()); });
  check_failure(overlap, {"element_points::coordinates", "overlaps the coordinates"},
                [&] { of.coordinates(m.coordinates.data()); });
  check_failure(invalid_argument, {"element_points::normals", "no normals"}, [&] { of.normals(out.data()); });
  check_failure(invalid_argument, {"element_points::evaluate", "0 numbers"}, [&] {
    of.evaluate(
        0, [](const auto&, double*) {}, out.data());
  });
  check_failure(null_pointer, {"element_points::evaluate", "no function"}, [&] { of.evaluate(1, {}, out.data()); });
  // It computes on a CPU, whatever the operator is on.
  element_operator_options there = o;
  there.on = target::cuda;
  CHECK(element_points<double>(m.nodes(), there).points() == of.points());
  check_failure(null_pointer, {"coordinates are a null pointer"}, [&] {
    fem::element_nodes<double> nodes = m.nodes();
    nodes.coordinates = nullptr;
    element_points<double>(nodes, o);
  });
  CHECK(out == before);
  // An exception of the caller's function reaches the caller.
  CHECK_THROWS_AS(of.integral([](const auto& p) -> double { throw p.number; }), index_t);
  std::swap(m.coordinates[at(4 * 2 * 7)], m.coordinates[at(4 * 2 * 7 + 1)]);
  check_failure(invalid_argument, {"element 7 is inverted", "point 0"}, [&] { element_points<double>(m.nodes(), o); });
}
