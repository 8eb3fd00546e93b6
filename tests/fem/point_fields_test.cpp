// SPDX-License-Identifier: BSD-3-Clause
// Fields at points against plain sums; functions of several fields applied, as matrices and as diagonals.
#include "global_sums.hpp"
#include "own_functions.hpp"
#include "reference_element.hpp"
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include <tessera/cpu/element/own_function.hpp>
#include <tessera/fem/global_operator.hpp>
#include <tessera/fem/point_fields.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_operator;
using fem::element_operator_options;
using fem::point_fields;

fem::quadrature_rule rule_of_fields(const element_operator_options& o) {
  return o.rule == fem::points_kind::gauss ? fem::gauss(o.points) : fem::gauss_lobatto(o.points);
}

/// The numbers of a field of one element, i + size k, by sums over all functions.
template <int dim>
std::vector<long double> numbers_by_sums(const element_operator_options& o, const point_shape& parts, const double* x) {
  const fem::basis_tables tables = fem::tabulate(fem::basis(o.trial.kind, o.trial.order), rule_of_fields(o));
  const index_t n = power(tables.d, dim), points = power(tables.q, dim), size = field_size(parts, dim);
  std::vector<long double> numbers(at(size * points));
  for (index_t k = 0; k < points; ++k)
    each_function<dim>(tables, k, [&](index_t i, const long double(&phi)[dim + 1]) {
      for (int c = 0; c < parts.components; ++c) {
        const long double entry = x[i + n * c];
        long double* const of_point = numbers.data() + size * k;
        if (parts.value) of_point[c] += phi[dim] * entry;
        if (parts.gradient)
          for (int a = 0; a < dim; ++a) of_point[(parts.value ? parts.components : 0) + a + dim * c] += phi[a] * entry;
      }
    });
  return numbers;
}

/// Of `elements` elements, between other numbers of D, which stay as they are.
template <class T, int dim>
void check_field(const element_operator_options& o, const point_shape& parts, index_t elements) {
  const point_fields<T> fields(dim, parts, o);
  const int size = field_size(parts, dim), before = 2, factors = before + size + 1;
  const index_t of_x = fields.trial_size() * fields.components(), points = fields.points();
  REQUIRE(fields.size() == size);
  REQUIRE(points == power(o.points, dim));
  const std::vector<T> x = seeded<T>(of_x * elements, 3);
  std::vector<T> D(at(factors * points * elements), T(7));
  fields.evaluate(elements, x.data(), {.D = D.data(), .factors = factors, .first = before});
  const std::vector<double> of_double(x.begin(), x.end());
  const double most = 4000 * std::numeric_limits<T>::epsilon();
  long double worst = 0;
  bool untouched = true;
  for (index_t e = 0; e < elements; ++e) {
    const auto wanted = numbers_by_sums<dim>(o, parts, of_double.data() + of_x * e);
    for (index_t k = 0; k < points; ++k)
      for (int f = 0; f < factors; ++f) {
        const T found = D[at(f + factors * (k + points * e))];
        if (f < before || f >= before + size)
          untouched = untouched && found == T(7);
        else
          worst = std::max(worst, std::abs(static_cast<long double>(found) - wanted[at(f - before + size * k)]));
      }
  }
  INFO(fields.describe() << ", " << dim << "-D, " << parts.components << " components");
  CHECK(worst <= most);
  CHECK(untouched);
}

template <class T>
void check_field_in_all_dimensions(const element_operator_options& o, const point_shape& parts) {
  check_field<T, 1>(o, parts, 19);
  check_field<T, 2>(o, parts, 7);
  check_field<T, 3>(o, parts, 5);
}

constexpr point_shape values{.value = true}, gradients{.gradient = true}, both{.value = true, .gradient = true};

}  // namespace

TEMPLATE_TEST_CASE("fields at points are sums over the functions", "[fem][fields]", float, double) {
  for (const point_shape& parts : {values, gradients, both})
    for (const int components : {1, 2}) {
      const point_shape given{components, parts.value, parts.gradient};
      check_field_in_all_dimensions<TestType>({.trial = {.order = 2}, .points = 4}, given);
      check_field_in_all_dimensions<TestType>({.trial = {.order = 3}, .points = 2}, given);  // fewer than functions
    }
  check_field_in_all_dimensions<TestType>({.trial = {basis_kind::gauss, 1}, .points = 3}, both);
  check_field_in_all_dimensions<TestType>({.trial = {basis_kind::bernstein, 2}, .points = 1}, both);
  check_field_in_all_dimensions<TestType>({.trial = {.order = 3}, .points = 4, .rule = fem::points_kind::gauss_lobatto},
                                          both);
}

TEST_CASE("fields at points: as many points as there may be", "[fem][fields]") {
  check_field<double, 2>({.trial = {.order = 3}, .points = 40}, both, 3);
}

TEST_CASE("fields at points: many elements, of which some at a time are computed", "[fem][fields]") {
  const index_t elements = (1 << 18) + 12345;
  const element_operator_options o{.trial = {.order = 1}, .points = 1};
  const point_fields<double> fields(1, both, o);
  const std::vector<double> x = seeded<double>(2 * elements, 1);
  std::vector<double> D(at(2 * elements)), again(D);
  fields.evaluate(elements, x.data(), {.D = D.data(), .factors = 2});
  double worst = 0;
  for (index_t e = 0; e < elements; ++e) {
    worst = std::max(worst, std::abs(D[at(2 * e)] - (x[at(2 * e)] + x[at(2 * e + 1)]) / 2));
    worst = std::max(worst, std::abs(D[at(2 * e + 1)] - (x[at(2 * e + 1)] - x[at(2 * e)])));
  }
  CHECK(worst <= 1e-15);
  for (const int threads : {1, 2, 5}) {
    const thread_count now(threads);
    fields.evaluate(elements, x.data(), {.D = again.data(), .factors = 2});
    CHECK(again == D);
  }
}

TEST_CASE("fields at points of an L-vector are those of its E-vector", "[fem][fields][global]") {
  const restriction r = restriction::box({.dim = 2, .cells = {4, 3}, .order = 2, .components = 2});
  const point_fields<double> fields(2, {.components = 2, .value = true, .gradient = true},
                                    {.trial = {.order = 2}, .points = 3});
  const std::vector<double> x = seeded<double>(r.size(), 5);
  std::vector<double> E(at(r.elements() * r.entries() * 2)), D(at(r.elements() * 9 * 6)), wanted(D);
  r.to_elements(x.data(), E.data());
  fields.evaluate(r, x.data(), {.D = D.data(), .factors = 6});
  fields.evaluate(r.elements(), E.data(), {.D = wanted.data(), .factors = 6});
  CHECK(D == wanted);
  CHECK(std::abs(D[0]) > 0);
}

TEST_CASE("fields at points of simplices and of tables", "[fem][fields][dense]") {
  const index_t elements = 9;
  const auto check = [&](const element_operator_options& o, const fem::dense_element& element) {
    const point_fields<double> fields(element.dim, both, o);
    const index_t n = element.trial.functions, points = element.points;
    const int size = 1 + element.dim;
    REQUIRE(fields.trial_size() == n);
    REQUIRE(fields.points() == points);
    const std::vector<double> x = seeded<double>(n * elements, 2);
    std::vector<double> D(at(size * points * elements));
    fields.evaluate(elements, x.data(), {.D = D.data(), .factors = size});
    double worst = 0;
    for (index_t e = 0; e < elements; ++e)
      for (index_t k = 0; k < points; ++k)
        for (int f = 0; f < size; ++f) {
          double sum = 0;
          for (index_t i = 0; i < n; ++i)
            sum += x[at(i + n * e)] * (f == 0 ? element.trial.values[at(k + points * i)]
                                              : element.trial.gradients[at(k + points * (i + n * (f - 1)))]);
          worst = std::max(worst, std::abs(D[at(f + size * (k + points * e))] - sum));
        }
    INFO(fields.describe());
    CHECK(worst <= 1e-12);
  };
  for (const int dim : {2, 3}) {
    element_operator_options o{.trial = {.order = 2}, .points = 3, .shape = fem::element_shape::simplex};
    const fem::dense_element element = fem::simplex_element(dim, 0, o);
    check(o, element);
    o.points = 0;  // the order + 1
    check(o, element);
    check({.tables = element}, element);
  }
}

namespace {

/// w of each point; the fields are filled in.
struct state_data {
  static constexpr index_t elements = 11, points = 64;
  static constexpr int factors = at_state::factors;
  const element_operator_options options{.trial = {.order = 2}, .points = 4};
  const element_operator_options of_coefficient{.trial = {basis_kind::gauss, 1}, .points = 4};
  const std::vector<double> state = seeded<double>(27 * elements, 4), coefficient = seeded<double>(8 * elements, 5);
  std::vector<double> D = seeded<double>(factors * points * elements, 6);

  state_data() {
    for (std::size_t i = 0; i < D.size(); i += factors) D[i] += 2;
    point_fields<double>(3, at_state::state, options)
        .evaluate(elements, state.data(), {.D = D.data(), .factors = factors, .first = at_state::of_state});
    point_fields<double>(3, at_state::coefficient, of_coefficient)
        .evaluate(elements, coefficient.data(), {.D = D.data(), .factors = factors, .first = at_state::of_coefficient});
  }
  /// D of an element by plain sums.
  std::vector<double> plain(index_t e) const {
    std::vector<double> own(D.begin() + std::ptrdiff_t(factors * points * e),
                            D.begin() + std::ptrdiff_t(factors * points * (e + 1)));
    const auto u0 = numbers_by_sums<3>(options, at_state::state, state.data() + 27 * e);
    const auto c = numbers_by_sums<3>(of_coefficient, at_state::coefficient, coefficient.data() + 8 * e);
    for (index_t k = 0; k < points; ++k) {
      for (index_t i = 0; i < 4; ++i) own[at(at_state::of_state + i + factors * k)] = double(u0[at(i + 4 * k)]);
      own[at(at_state::of_coefficient + factors * k)] = double(c[at(k)]);
    }
    return own;
  }
};

}  // namespace

TEST_CASE("a function of a state and a coefficient: applied, matrices and diagonals", "[fem][fields]") {
  const state_data data;
  const auto function = own_function<double>(at_state{}, "at a state");
  const element_operator<double> A(function, data.elements, data.D.data(), data.options);
  element_operator_options in_float = data.options;
  in_float.storage = point_storage::in_float;
  const element_operator<double> A_float(function, data.elements, data.D.data(), in_float);

  const fem::basis basis(basis_kind::gauss_lobatto, 2);
  const reference_element<at_state> reference(basis, basis, fem::gauss(4));
  const std::vector<double> x = seeded<double>(27 * data.elements, 7);
  std::vector<double> y(x.size()), y_float(x), M(at(27 * 27 * data.elements)), diagonal(x.size());
  A.apply(x.data(), y.data());
  A_float.apply(x.data(), y_float.data());
  A.assemble(0, data.elements, M.data());
  A.diagonal(diagonal.data());
  double worst = 0, worst_float = 0, worst_matrix = 0, worst_diagonal = 0;
  for (index_t e = 0; e < data.elements; ++e) {
    const std::vector<double> D = data.plain(e);
    const auto wanted = reference.apply(x.data() + 27 * e, D.data());
    for (index_t i = 0; i < 27; ++i) {
      worst = std::max(worst, std::abs(y[at(i + 27 * e)] - double(wanted[at(i)])));
      worst_float = std::max(worst_float, std::abs(y_float[at(i + 27 * e)] - double(wanted[at(i)])));
    }
    for (index_t j = 0; j < 27; ++j) {
      std::vector<double> unit(27);
      unit[at(j)] = 1;
      const auto column = reference.apply(unit.data(), D.data());
      for (index_t i = 0; i < 27; ++i)
        worst_matrix = std::max(worst_matrix, std::abs(M[at(i + 27 * (j + 27 * e))] - double(column[at(i)])));
      worst_diagonal = std::max(worst_diagonal, std::abs(diagonal[at(j + 27 * e)] - double(column[at(j)])));
    }
  }
  CHECK(worst <= 1e-12);
  CHECK(worst_float <= 1e-4);
  CHECK(worst_float > worst);
  CHECK(worst_matrix <= 1e-12);
  CHECK(worst_diagonal <= 1e-12);

  std::vector<double> again(y.size());
  for (const int threads : {1, 2, 5}) {
    const thread_count now(threads);
    CHECK(state_data().D == data.D);
    A.apply(x.data(), again.data());
    CHECK(again == y);
  }
}

TEST_CASE("a function of a state between L-vectors: another state is other D", "[fem][fields][global]") {
  const restriction r = restriction::box({.dim = 3, .cells = {3, 2, 2}, .order = 2});
  const element_operator_options o{.trial = {.order = 2}, .points = 4};
  const index_t elements = r.elements();
  std::vector<double> D(at(at_state::factors * 64 * elements), 0.5);
  const point_fields<double> fields(3, at_state::state, o);
  const auto function = own_function<double>(at_state{}, "at a state");
  fem::global_operator<double> A(function, D.data(), r, r, o);
  for (const std::uint32_t seed : {1u, 2u}) {
    const std::vector<double> u0 = seeded<double>(r.size(), seed), x = seeded<double>(r.size(), 9);
    fields.evaluate(r, u0.data(), {.D = D.data(), .factors = at_state::factors, .first = at_state::of_state});
    A.set_data(D.data());
    std::vector<double> ex(at(27 * elements)), ey(ex), y(at(r.size())), wanted(y);
    r.to_elements(x.data(), ex.data());
    element_operator<double>(function, elements, D.data(), o).apply(ex.data(), ey.data());
    r.add_from_elements(ey.data(), wanted.data());
    A.apply(x.data(), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, std::abs(y[i] - wanted[i]));
    CHECK(worst <= 1e-12);
  }
}

TEST_CASE("fields at points: mistakes are named, and nothing is written", "[fem][fields]") {
  const element_operator_options o{.trial = {.order = 2}, .points = 4};
  const point_fields<double> fields(2, both, o);
  std::vector<double> x(9 * 3, 1.0), D(16 * 5 * 3, -1.0);
  const std::vector<double> before = D;
  check_failure(status::shape_mismatch, {"point_fields", "3 numbers", "from 3 on", "5 factors"},
                [&] { fields.evaluate(3, x.data(), {.D = D.data(), .factors = 5, .first = 3}); });
  check_failure(status::shape_mismatch, {"point_fields", "from -1 on"},
                [&] { fields.evaluate(3, x.data(), {.D = D.data(), .factors = 5, .first = -1}); });
  check_failure(status::shape_mismatch, {"point_fields", "0 factors"},
                [&] { fields.evaluate(3, x.data(), {.D = D.data()}); });
  check_failure(status::invalid_argument, {"point_fields", "-1 elements"},
                [&] { fields.evaluate(-1, x.data(), {.D = D.data(), .factors = 5}); });
  check_failure(status::null_pointer, {"point_fields", "x is a null pointer"},
                [&] { fields.evaluate(3, nullptr, {.D = D.data(), .factors = 5}); });
  check_failure(status::null_pointer, {"point_fields", "D is a null pointer"},
                [&] { fields.evaluate(3, x.data(), {.factors = 5}); });
  check_failure(status::overlap, {"point_fields", "27 and 240 numbers"},
                [&] { fields.evaluate(3, D.data() + 100, {.D = D.data(), .factors = 5}); });
  check_failure(status::overflow, {"point_fields: D"},
                [&] { fields.evaluate(index_t(1) << 50, x.data(), {.D = D.data(), .factors = 5}); });
  const restriction r = restriction::box({.dim = 2, .cells = {2, 2}, .order = 1});
  check_failure(status::shape_mismatch, {"point_fields", "1 components of 4 entries", "1 of 9"},
                [&] { fields.evaluate(r, x.data(), {.D = D.data(), .factors = 5}); });
  CHECK(D == before);
  fields.evaluate(0, nullptr, {.factors = 5});  // nothing to do

  check_failure(status::invalid_argument, {"point_fields", "neither"}, [&] { point_fields<double>(2, {}, o); });
  check_failure(status::invalid_argument, {"point_fields", "dimension 4"}, [&] { point_fields<double>(4, both, o); });
  check_failure(status::invalid_argument, {"point_fields", "0 components"},
                [&] { point_fields<double>(2, {.components = 0, .value = true}, o); });
  element_operator_options wrong = o;
  wrong.points = 41;
  check_failure(status::invalid_argument, {"41 points", "1 to 40"}, [&] { point_fields<double>(2, both, wrong); });
  wrong.points = 4;
  wrong.trial.order = 17;
  check_failure(status::invalid_argument, {"17"}, [&] { point_fields<double>(2, both, wrong); });
  wrong.tables = fem::simplex_element(3, 0, {.points = 2, .shape = fem::element_shape::simplex});
  check_failure(status::invalid_argument, {"point_fields", "3 dimensions", "in 2"},
                [&] { point_fields<double>(2, both, wrong); });
}
