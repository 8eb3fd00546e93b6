// SPDX-License-Identifier: BSD-3-Clause
// What a thread of the GPU does when D is computed from nodes, on the host, against the CPU's operators.
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/take_worst.hpp"

#include <tessera/fem/element_operator.hpp>
#include <tessera/gpu/detail/element/set_up.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::element_operator;
using fem::element_operator_options;

constexpr index_t elements = 3;

struct set_up_case {
  int q = 3, order = 1;
  bool most = false, at_points = false, by_node = false, dense = false;
};

/// Tables of elements by nodes, and the nodes: boxes that are bent a little.
template <int dim>
struct tables_of {
  fem::quadrature_rule rule;
  fem::basis_tables line;
  std::vector<double> values, slopes, weights, places;
  element_layout layout;

  explicit tables_of(const set_up_case& c)
      : rule(fem::gauss(c.q)),
        line(fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, c.order), rule)),
        values(line.B),
        slopes(line.G) {
    const index_t n = c.order + 1, N = power(n, dim), q = c.q, Q = power(q, dim);
    for (index_t k = 0; k < Q; ++k) {
      double weight = 1;
      for (index_t a = 0, rest = k; a < dim; ++a, rest /= q) weight *= rule.weights[at(rest % q)];
      weights.push_back(weight);
    }
    if (c.dense) {
      values.clear();
      slopes.clear();
      for (int a = 0; a < dim; ++a)
        for (index_t i = 0; i < N; ++i)
          for (index_t k = 0; k < Q; ++k) {
            double product = 1;
            for (index_t b = 0, kk = k, ii = i; b < dim; ++b, kk /= q, ii /= n)
              product *= (b == a ? line.G : line.B)[at(kk % q + q * (ii % n))];
            slopes.push_back(product);
          }
    }
    layout = c.by_node ? element_layout::by_node(N, dim) : element_layout::conventional(N, dim);
    const std::vector<double> on_line = fem::gauss_lobatto(c.order + 1).points;
    places.resize(at(N * dim * elements));
    for (index_t e = 0; e < elements; ++e)
      for (index_t i = 0; i < N; ++i) {
        double xi[3] = {};
        for (index_t a = 0, rest = i; a < dim; ++a, rest /= n) xi[a] = on_line[at(rest % n)];
        for (int r = 0; r < dim; ++r)
          places[at(layout.offset(i, r, e))] = (1 + r) * xi[r] + 0.1 * std::sin(xi[0] + 2 * xi[1] - xi[2] + double(e));
      }
  }
};

template <int dim, class Stored>
void check_kind(operator_kind kind, const set_up_case& c) {
  const tables_of<dim> tables(c);
  const index_t Q = power(c.q, dim), N = power(c.order + 1, dim);
  const int given = c.most ? coefficients_of(kind, dim).most : coefficients_of(kind, dim).fewest;
  std::vector<double> coefficients = seeded<double>(given * (c.at_points ? Q * elements : 1), 4);
  for (double& value : coefficients) value += 2;
  const device::node_set_up<double> what{.coordinates = tables.places.data(),
                                         .layout = tables.layout,
                                         .values = c.dense ? nullptr : tables.values.data(),
                                         .slopes = tables.slopes.data(),
                                         .weights = tables.weights.data(),
                                         .coefficients = coefficients.data(),
                                         .given = given,
                                         .varying = c.at_points,
                                         .nodes = c.dense ? int(N) : c.order + 1,
                                         .q = c.q,
                                         .points = Q,
                                         .elements = elements};
  const int factors = factors_of(kind, dim);
  std::vector<Stored> D(at(Q * factors * elements));
  for (index_t e = 0; e < elements; ++e)
    for (index_t k = 0; k < Q; ++k)
      CHECK(device::set_up_point<dim>(kind, what, e, k, D.data()) == device::point_fault::none);

  // As users give it: factor f of point k at f + factors k.
  std::vector<double> plain(D.size());
  for (index_t e = 0; e < elements; ++e)
    for (index_t k = 0; k < Q; ++k)
      for (index_t f = 0; f < factors; ++f)
        plain[at(f + factors * (k + Q * e))] = double(D[at(k + Q * (f + factors * e))]);
  const element_operator_options o{
      .kind = kind, .trial = {.order = 2}, .components = coupled_components(kind, dim), .points = c.q};
  fem::element_nodes<double> nodes{
      .dim = dim, .order = c.order, .elements = elements, .coordinates = tables.places.data(), .layout = tables.layout};
  if (c.at_points)
    nodes.coefficients_at_points = coefficients.data(), nodes.coefficients_given = given;
  else
    nodes.coefficients = coefficients;
  const element_operator<double> wanted(nodes, o), got(dim, elements, plain.data(), o);
  const std::vector<double> x = seeded<double>(wanted.trial_size() * wanted.components() * elements, 5);
  std::vector<double> y(x.size()), z(x.size());
  wanted.apply(x.data(), y.data());
  got.apply(x.data(), z.data());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    take_worst(worst, std::abs(z[i] - y[i]));
    largest = std::max(largest, std::abs(y[i]));
  }
  INFO(name_of(kind) << " " << dim << "-D, geometry of order " << c.order << ", " << c.q << " points");
  CHECK(worst <= (sizeof(Stored) == 8 ? 1e-12 : 1e-6) * largest);
  CHECK(largest > 0);
}

void check(const set_up_case& c) {
  for (const operator_kind kind : all_operator_kinds) {
    check_kind<1, double>(kind, c);
    check_kind<2, double>(kind, c);
    check_kind<3, double>(kind, c);
    check_kind<3, float>(kind, c);
  }
}

}  // namespace

TEST_CASE("gpu set-up of D: of every operator, dimension and order of the geometry", "[fem][element]") {
  for (const int order : {1, 2, 3, 5}) {
    check({.q = 4, .order = order, .most = order % 2 == 0, .by_node = order == 2});
    check({.q = 3, .order = order, .most = true, .at_points = true});
    check({.q = 4, .order = order, .at_points = order == 1, .dense = true});
  }
}

TEST_CASE("gpu set-up of D: determinants that are not positive, without D", "[fem][element]") {
  tables_of<2> tables({.q = 3, .order = 1});
  for (index_t i = 0; i < 4; ++i) tables.places[at(i + 4 * 2)] *= -1;  // x of element 1
  const double one = 1;
  const device::node_set_up<double> what{.coordinates = tables.places.data(),
                                         .layout = tables.layout,
                                         .values = tables.values.data(),
                                         .slopes = tables.slopes.data(),
                                         .weights = tables.weights.data(),
                                         .coefficients = &one,
                                         .nodes = 2,
                                         .q = 3,
                                         .points = 9,
                                         .elements = elements};
  for (index_t e = 0; e < elements; ++e)
    for (index_t k = 0; k < 9; ++k)
      CHECK(device::set_up_point<2>(operator_kind::mass, what, e, k, static_cast<double*>(nullptr)) ==
            (e != 1 ? device::point_fault::none : device::point_fault::inverted));
}
