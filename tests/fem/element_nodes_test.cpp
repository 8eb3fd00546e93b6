// SPDX-License-Identifier: BSD-3-Clause
// Element operators from nodes, D stored and computed at each application, against integrals over the mapped elements.
#include "reference_nodes.hpp"
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/targets.hpp"

#include <tessera/fem/element_operator.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;

/// How elements and coefficients are given.
struct nodes_case {
  int order = 1;           // of the geometry
  bool most = false;       // coefficients: the most or the fewest that the operator takes
  bool at_points = false;  // at each point, or one set
  bool by_component = false;
  index_t elements = 5;
  double edge = 1;  // length of the shortest side; rho is divided by its square, so that no term of helmholtz vanishes
  double flat = 1;  // the last direction is so many times as long
};

/// Boxes of sides 1, 1.5 and 2, bent, each in its own way.
template <class T>
std::vector<T> places_of(const nodes_case& c, int dim, const element_layout& layout) {
  const std::vector<double> line = fem::gauss_lobatto(c.order + 1).points;
  const index_t n = power(c.order + 1, dim);
  std::vector<T> places(at(n * dim * c.elements));
  for (index_t e = 0; e < c.elements; ++e)
    for (index_t i = 0; i < n; ++i) {
      double xi[3] = {};
      for (index_t a = 0, rest = i; a < dim; ++a, rest /= c.order + 1) xi[a] = line[at(rest % (c.order + 1))];
      for (int r = 0; r < dim; ++r)
        places[at(layout.offset(i, r, e))] =
            T(((1 + 0.5 * r) * xi[r] + 0.1 * std::sin(1.3 * xi[0] + 0.7 * xi[1] + xi[2] + double(e) + r)) * c.edge *
              (r == dim - 1 ? c.flat : 1));
    }
  return places;
}

struct largest {
  long double off = 0, value = 0;
  void compare(long double got, long double wanted) {
    const long double here = std::abs(got - wanted);
    off = here <= off ? off : std::isnan(here) ? HUGE_VAL : here;
    value = std::max(value, std::abs(wanted));
  }
};

/// What else the operator does with its D agrees with what it does with E-vectors.
template <class T>
void check_consistent(const element_operator<T>& A, const std::vector<T>& x, const std::vector<T>& y, double close) {
  const index_t elements = A.elements(), nx = A.trial_size() * A.components(), ny = A.test_size() * A.test_components();
  const std::vector<index_t> list{elements - 1, 0, elements / 2};
  const element_layout in = element_layout::interleaved(A.trial_size(), A.components(), 3);
  std::vector<T> moved(at(nx * (elements + 3))), z(at(2 * ny * elements), T(1));
  for (index_t e = 0; e < elements; ++e)
    for (index_t c = 0; c < A.components(); ++c)
      for (index_t i = 0; i < A.trial_size(); ++i)
        moved[at(in.offset(i, c, e))] = x[at(i + A.trial_size() * (c + A.components() * e))];
  A.apply(element_set::of(list),
          {.x = moved.data(), .x_layout = in, .y = z.data(), .y_layout = A.y_layout(), .add = true});
  A.apply(element_set::of(list), {.x = x.data(),
                                  .x_layout = A.x_layout(),
                                  .y = z.data(),
                                  .y_layout = A.y_layout(),
                                  .sides = 2,
                                  .x_side = 0,
                                  .y_side = ny * elements});
  A.apply(element_set::of(std::span(list).first(1)),
          {.x = moved.data(), .x_layout = in, .y = z.data(), .y_layout = A.y_layout(), .add = true});
  for (index_t e = 0; e < elements; ++e) {
    const bool listed = e == list[0] || e == list[1] || e == list[2];
    for (index_t i = 0; i < ny; ++i) {
      const T own = y[at(i + ny * e)];
      CHECK(z[at(i + ny * e)] == (!listed ? T(1) : e == list[0] ? own + own : own));
      CHECK(z[at(i + ny * (e + elements))] == (listed ? own : T(1)));
    }
  }

  std::vector<T> M(at(A.matrix_entries() * 2)), diagonal(at(ny * elements));
  A.assemble(elements - 2, 2, M.data());
  largest product, mirrored, of_diagonal;
  const bool square = nx == ny && A.kernel().symmetric();
  if (nx == ny) A.diagonal(diagonal.data());
  for (index_t e = 0; e < 2; ++e)
    for (index_t i = 0; i < ny; ++i) {
      const T* const row = M.data() + A.matrix_entries() * e + i;
      const index_t number = elements - 2 + e;
      long double sum = 0;
      for (index_t j = 0; j < nx; ++j) {
        sum += (long double)row[ny * j] * x[at(j + nx * number)];
        if (square) mirrored.compare(row[ny * j], M[at(A.matrix_entries() * e + j + ny * i)]);
      }
      product.compare(sum, y[at(i + ny * number)]);
      if (nx == ny) of_diagonal.compare(diagonal[at(i + ny * number)], row[ny * i]);
    }
  CHECK(product.off <= close * (1 + product.value));
  CHECK(mirrored.off <= close * mirrored.value);
  CHECK(of_diagonal.off <= close * of_diagonal.value);
}

template <class T, operator_kind kind, int dim>
void check_one(element_operator_options o, const nodes_case& c, bool consistent) {
  using reference_type = reference_nodes<kind, dim>;
  o.kind = kind;
  o.components *= reference_type::parts;
  const int given = c.most ? coefficients_of(kind, dim).most : coefficients_of(kind, dim).fewest;
  const index_t n = power(c.order + 1, dim), points = power(o.points, dim);
  const element_layout layout =
      c.by_component ? element_layout::by_component(n, c.elements) : element_layout::conventional(n, dim);
  const std::vector<T> places = places_of<T>(c, dim, layout);
  std::vector<T> coefficients = seeded<T>(given * points * c.elements, 6);
  for (T& value : coefficients) value += T(2);
  if (kind == operator_kind::helmholtz)
    for (index_t i = 0; i < index_t(coefficients.size()); i += given) coefficients[at(i)] /= T(c.edge) * T(c.edge);
  if (kind == operator_kind::advection_diffusion)
    for (index_t i = 0; i < index_t(coefficients.size()); ++i)
      if (i % given >= given - dim) coefficients[at(i)] /= T(c.edge);
  if (!c.at_points)
    for (index_t i = given; i < index_t(coefficients.size()); ++i) coefficients[at(i)] = coefficients[at(i % given)];
  fem::element_nodes<T> nodes{
      .dim = dim, .order = c.order, .elements = c.elements, .coordinates = places.data(), .layout = layout};
  if (c.at_points) {
    nodes.coefficients_at_points = coefficients.data();
    nodes.coefficients_given = given;
  } else {
    nodes.coefficients.assign(coefficients.begin(), coefficients.begin() + given);
  }
  const element_operator<T> A(nodes, o);
  INFO(A.describe() << ", geometry of order " << c.order << ", " << given << " coefficients");
  const index_t nx = A.trial_size() * o.components, ny = A.test_size() * o.components;
  const std::vector<T> x = seeded<T>(nx * c.elements, 7);
  std::vector<T> y(at(ny * c.elements));
  A.apply(x.data(), y.data());

  const fem::function_space test = o.test.value_or(o.trial);
  const fem::quadrature_rule rule =
      o.rule == fem::points_kind::gauss ? fem::gauss(o.points) : fem::gauss_lobatto(o.points);
  const reference_type reference(fem::basis(o.trial.kind, o.trial.order), fem::basis(test.kind, test.order),
                                 fem::basis(basis_kind::gauss_lobatto, c.order), rule);
  const std::vector<double> xd(x.begin(), x.end()), cd(coefficients.begin(), coefficients.end());
  const double unit = o.storage == point_storage::in_float ? double(std::numeric_limits<float>::epsilon())
                                                           : double(std::numeric_limits<T>::epsilon());
  const double close = 8 * std::pow(o.trial.order + o.points + c.order, 2) * unit;
  double worst = 0;
  for (index_t e = 0; e < c.elements; ++e) {
    std::vector<double> own(at(n * dim));
    for (int r = 0; r < dim; ++r)
      for (index_t i = 0; i < n; ++i) own[at(i + n * r)] = double(places[at(layout.offset(i, r, e))]);
    for (index_t p = 0; p < o.components; p += reference_type::parts) {
      long double size = 0;
      const auto wanted = reference.apply(xd.data() + nx * e + A.trial_size() * p, own.data(),
                                          cd.data() + given * points * e, given, size);
      largest here;
      for (std::size_t i = 0; i < wanted.size(); ++i) here.compare(y[at(ny * e + A.test_size() * p) + i], wanted[i]);
      // Numbers next to zero have fewer digits; each point adds one of them.
      const long double next_to_zero = 4.0L * points * std::numeric_limits<T>::denorm_min();
      worst = std::max(worst, double(here.off / (close * size + next_to_zero)));
      CHECK(here.value > 0);
    }
  }
  CHECK(worst <= 1);
  if (consistent) check_consistent(A, x, y, 100 * close);
}

template <class T, int dim>
void check_operators(const element_operator_options& o, const nodes_case& c, bool consistent = false) {
  for_each_kind([&]<operator_kind kind>(known_kind<kind>) { check_one<T, kind, dim>(o, c, consistent); });
}

template <class T>
void check_dimensions(const element_operator_options& o, const nodes_case& c, bool consistent = false) {
  check_operators<T, 1>(o, c, consistent);
  check_operators<T, 2>(o, c, consistent);
  check_operators<T, 3>(o, c, consistent);
}

constexpr element_form both_forms[] = {element_form::partial_assembly, element_form::matrix_free};

}  // namespace

TEST_CASE("elements by nodes: every operator is the integral that it stands for, on every target", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const element_form form : both_forms)
      for (const int p : {1, 2, 3})
        for (const int q : {p, p + 1, p + 2})
          for (const int order : {1, 2}) {
            const element_operator_options o{.trial = {.order = p}, .points = q, .form = form, .on = on};
            const nodes_case c{.order = order, .most = order == 1, .at_points = p == 2, .by_component = p == 3};
            check_dimensions<double>(o, c);
            if (p < 3) check_dimensions<float>(o, c);
          }
}

TEST_CASE("elements by nodes: geometry of every order up to that of the functions", "[fem][element]") {
  for (const element_form form : both_forms)
    for (const int p : {4, 6, 8, 12, 16})
      for (int order = 1; order <= p; order += p > 8 ? 5 : 1) {
        const element_operator_options o{.trial = {.order = p}, .points = p + 1 + order % 2, .form = form};
        const nodes_case c{.order = order, .most = order % 2 == 0, .at_points = order % 3 == 0, .elements = 2};
        check_operators<double, 1>(o, c);
        if (p <= 8 || order == 11) check_operators<double, 2>(o, c);
        if (p <= 4 || (p == 8 && order == 8)) check_operators<double, 3>(o, c);
      }
}

TEST_CASE("elements by nodes: other spaces, nodes that are points, components, D in float", "[fem][element]") {
  for (const element_form form : both_forms) {
    const nodes_case c{.order = 2, .most = true, .at_points = true};
    check_dimensions<double>(
        {.trial = {.order = 3}, .test = fem::function_space{basis_kind::gauss, 2}, .points = 4, .form = form}, c, true);
    check_dimensions<double>(
        {.trial = {.order = 3}, .points = 4, .rule = fem::points_kind::gauss_lobatto, .form = form}, c);
    check_dimensions<double>({.trial = {basis_kind::bernstein, 2}, .components = 2, .points = 4, .form = form}, c,
                             true);
    check_dimensions<float>({.trial = {.order = 2}, .components = 3, .points = 3, .form = form}, c);
  }
  check_dimensions<double>({.trial = {.order = 2}, .points = 4, .storage = point_storage::in_float}, {.order = 2});
}

TEST_CASE("elements by nodes: lists, sides, layouts, matrices and diagonals are the operator's", "[fem][element]") {
  for (const element_form form : both_forms)
    for (const int p : {1, 2, 3}) {
      const element_operator_options o{.trial = {.order = p}, .points = p + 1, .form = form};
      check_dimensions<double>(o, {.order = p, .most = true, .at_points = true, .elements = 11}, true);
      check_operators<float, 2>(o, {.order = 1, .elements = 19}, true);
    }
}

TEST_CASE("elements by nodes: elements of any size that the type can represent", "[fem][element]") {
  const auto check = [](auto zero, double edge, double flat) {
    for (const target on : cpu_targets())
      for (const element_form form : both_forms)
        for (const bool most : {false, true}) {
          const element_operator_options o{.trial = {.order = 2}, .points = 4, .form = form, .on = on};
          check_dimensions<decltype(zero)>(
              o, {.order = 1, .most = most, .at_points = most, .elements = 17, .edge = edge, .flat = flat});
        }
  };
  for (const double edge : {1e-12, 1e-8, 3e-8, 1e-3, 3e6, 1e10, 1e12}) check(0.0F, edge, 1);
  for (const double edge : {1e-60, 1e-12, 1e12, 1e60}) check(0.0, edge, 1);
  for (const double flat : {1e-6, 1e6}) {
    check(0.0F, 1e-3, flat);
    check(0.0, 1e-3, flat);
  }
}
