// SPDX-License-Identifier: BSD-3-Clause
// Element operators of dense tables: their definition, and what tensor elements give; how vectors lie; refusals.
#include "dense_checks.hpp"
#include "e_vector_checks.hpp"
#include "testing/failure.hpp"
#include "testing/take_worst.hpp"
#include "testing/targets.hpp"
#include "vectors.hpp"

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::dense_element;
using fem::element_operator;
using fem::element_operator_options;

// The functions of a tensor element by their dense tables.
dense_basis tensor_tables(const fem::basis& functions, const fem::quadrature_rule& rule, int dim) {
  const fem::basis_tables line = fem::tabulate(functions, rule);
  const index_t d = line.d, q = line.q, D = power(d, dim), Q = power(q, dim);
  const auto product = [&](index_t k, index_t i, int slope) {
    double result = 1;
    for (int a = 0; a < dim; ++a, k /= q, i /= d) result *= (a == slope ? line.G : line.B)[at(k % q + q * (i % d))];
    return result;
  };
  dense_basis tables{int(D), {}, {}};
  for (int slope = -1; slope < dim; ++slope)
    for (index_t i = 0; i < D; ++i)
      for (index_t k = 0; k < Q; ++k) (slope < 0 ? tables.values : tables.gradients).push_back(product(k, i, slope));
  return tables;
}

dense_element cube(int dim, int order, int points, int geometry) {
  const fem::quadrature_rule rule = fem::gauss(points);
  const auto tables = [&](int p) { return tensor_tables({fem::basis_kind::gauss_lobatto, p}, rule, dim); };
  dense_element element{
      .dim = dim, .points = int(power(points, dim)), .trial = tables(order), .geometry = tables(geometry)};
  for (index_t k = 0; k < element.points; ++k) {
    double weight = 1;
    index_t rest = k;
    for (int a = 0; a < dim; ++a, rest /= points) weight *= rule.weights[at(rest % points)];
    element.weights.push_back(weight);
  }
  return element;
}

void check_alike(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    take_worst(worst, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  CHECK(worst <= tolerance * largest);
  CHECK(largest > 0);
}

constexpr index_t elements = 11;  // no multiple of any number of lanes
constexpr table_sizes small{7, 9, 5};

// Two components of 7 functions, to two of 5.
struct small_operator {
  static element_operator_options options() {
    return {.kind = operator_kind::helmholtz, .components = 2, .tables = random_tables(2, small, 3)};
  }
  std::vector<double> D = seeded<double>(elements * 9 * 4, 1);
  element_operator<double> A{2, elements, D.data(), options()};
  std::vector<double> x = seeded<double>(14 * elements, 2), y = applied(A, x);
  e_vectors vectors() const { return {A, x, y}; }
};

}  // namespace

TEST_CASE("dense tables: every operator is its definition on every target", "[fem][element][dense]") {
  for (const target on : cpu_targets())
    for (const table_sizes& s : {table_sizes{1, 1}, table_sizes{3, 1}, table_sizes{4, 5}, table_sizes{5, 13, 7},
                                 table_sizes{10, 11, 4}, table_sizes{13, 25, 1}})
      each_operator_in_all_dimensions({.on = on}, [&]<class Function>(const element_operator_options& o) {
        check_dense<double, Function>(s, o, 5);
        check_dense<float, Function>(s, o, 17);
      });
}

TEST_CASE("dense tables: sizes beyond a line's, one element, components, D in float", "[fem][element][dense]") {
  for (const table_sizes& s : {table_sizes{45, 64}, table_sizes{64, 45, 37}, table_sizes{120, 101}}) {
    check_dense<double, pointwise::mass<2>>(s, {.kind = operator_kind::mass}, 1);
    check_dense<double, pointwise::diffusion<3>>(s, {.kind = operator_kind::diffusion}, 3);
    check_dense<float, pointwise::elasticity<2>>(s, {.kind = operator_kind::elasticity}, 2);
  }
  for (const point_storage storage : {point_storage::same, point_storage::in_float})
    each_operator_in_all_dimensions({.storage = storage}, [&]<class Function>(element_operator_options o) {
      o.components = 3 * Function::trial.components;
      check_dense<double, Function>({6, 7}, o, 9);
      check_dense<double, Function>({6, 7, 3}, o, 1);
    });
}

TEST_CASE("dense tables: element matrices and diagonals, full and packed", "[fem][element][dense]") {
  for (const target on : cpu_targets())
    for (const int repeats : {1, 2})
      each_operator_in_all_dimensions({.on = on}, [&]<class Function>(element_operator_options o) {
        o.components = repeats * Function::trial.components;
        const auto check = [&](const table_sizes& s, matrix_storage how) {
          check_dense_matrices<double, Function>(s, o, 6, 1, how);
          check_dense_matrices<float, Function>(s, o, 9, 2, how);
        };
        check({6, 7}, matrix_storage::full);
        check({1, 1}, matrix_storage::full);
        check({5, 4, 3}, matrix_storage::full);
        if (!is_symmetric(o.kind)) return;
        check({6, 7}, matrix_storage::lower_packed);
        check({1, 2}, matrix_storage::lower_packed);
      });
  check_dense_matrices<double, pointwise::diffusion<3>>({35, 31}, {.kind = operator_kind::diffusion}, 3, 0,
                                                        matrix_storage::lower_packed);
}

TEST_CASE("dense tables: those of a tensor element give its results", "[fem][element][dense]") {
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {2, 3}) {
      const int order = 2, points = 4;
      const fem::mesh domain(std::vector<int>(at(dim), 2), 2, bubble(dim, 0.15));
      element_operator_options o{.kind = kind, .trial = {.order = order}, .points = points};
      o.components = coupled_components(kind, dim);
      const element_operator<double> tensor(fem::nodes_of(domain), o);
      o.tables = cube(dim, order, points, domain.order());
      o.trial.order = 99;  // says nothing
      const std::vector<double> x = seeded<double>(tensor.trial_size() * tensor.components() * domain.elements(), 5);
      std::vector<double> wanted(x.size()), y(x.size());
      tensor.apply(x.data(), wanted.data());
      for (const fem::element_form form : {fem::element_form::partial_assembly, fem::element_form::matrix_free}) {
        o.form = form;
        const element_operator<double> dense(fem::nodes_of(domain), o);
        INFO(dense.describe());
        dense.apply(x.data(), y.data());
        check_alike(y, wanted, 1e-12);
      }
    }
}

TEST_CASE("dense tables: any layout, any elements, y += A x, several right hand sides", "[fem][element][dense]") {
  const small_operator s;
  check_layouts(s.vectors());
  check_subsets(s.vectors());
  check_sides(s.vectors());
  std::vector<double> added(s.y);
  s.A.add(s.x.data(), added.data());
  for (std::size_t i = 0; i < added.size(); ++i) CHECK(added[i] == 2 * s.y[i]);
}

TEST_CASE("dense tables: many elements and each by itself, to the last bit", "[fem][element][dense]") {
  const std::vector<double> D = seeded<double>(500 * 35 * 6, 4), x = seeded<double>(500 * 20, 5);
  const element_operator_options o{.kind = operator_kind::diffusion, .tables = random_tables(3, {20, 35}, 3)};
  check_one_by_one(element_operator<double>(3, 500, D.data(), o), x);
}

TEST_CASE("dense tables: a user's function that is called for blocks of points", "[fem][element][dense]") {
  // v = s D u^2 grad u . (1,1), not linear.
  compiled_function<double> function{.name = "steep",
                                     .dim = 2,
                                     .slopes = true,
                                     .factors = 1,
                                     .trial = {.value = true, .gradient = true},
                                     .test = {.value = true}};
  function.state = std::make_shared<const double>(3.0);
  function.at_points = [](const points_block<double>& b, const void* state) {
    for (index_t n = 0; n < b.count; ++n)
      b.value_out[n] = *static_cast<const double*>(state) * b.D[n] * b.value[n] * b.value[n] *
                       (b.gradient[n] + b.gradient[n + b.count]);
  };
  const dense_element tables = random_tables(2, {6, 8, 5}, 3);
  const std::vector<double> D = seeded<double>(elements * 8, 4), x = seeded<double>(elements * 6 * 2, 5);
  const element_operator<double> A(function, elements, D.data(), {.components = 2, .tables = tables});
  CHECK(A.describe().starts_with("steep 2-D, d = 6, q = 8, t = 5, 2 components, f64: "));
  std::vector<double> y(at(elements * 5 * 2)), wanted(y.size());
  A.apply(x.data(), y.data());
  for (index_t ec = 0; ec < 2 * elements; ++ec)
    for (index_t k = 0; k < 8; ++k) {
      double u = 0, slope = 0;
      for (index_t i = 0; i < 6; ++i) {
        u += tables.trial.values[at(k + 8 * i)] * x[at(i + 6 * ec)];
        for (index_t a = 0; a < 2; ++a) slope += tables.trial.gradients[at(k + 8 * (i + 6 * a))] * x[at(i + 6 * ec)];
      }
      const double v = 3.0 * D[at(k + 8 * (ec / 2))] * u * u * slope;
      for (index_t i = 0; i < 5; ++i) wanted[at(i + 5 * ec)] += tables.test->values[at(k + 8 * i)] * v;
    }
  check_alike(y, wanted, 1e-13);
}

TEST_CASE("dense tables: what does not fit together is refused", "[fem][element][dense]") {
  const std::vector<double> D(1000, 1.0);
  const auto made = [&](const element_operator_options& o, int dim = 2) {
    return element_operator<double>(dim, 1, D.data(), o);
  };
  const auto changed = [](auto change) {
    element_operator_options o{.kind = operator_kind::diffusion, .tables = random_tables(2, {3, 4, 5}, 1)};
    change(*o.tables);
    return o;
  };
  const auto same = [](dense_element&) {};
  check_failure(status::shape_mismatch,
                {"diffusion 2-D of dense tables, d = 3, q = 4, t = 5", "trial.gradients has 23 entries, not 4 x 3 x 2"},
                [&] { made(changed([](dense_element& e) { e.trial.gradients.pop_back(); })); });
  check_failure(status::shape_mismatch, {"test.gradients has 0 entries, not 4 x 5 x 2"},
                [&] { made(changed([](dense_element& e) { e.test->gradients.clear(); })); });
  check_failure(status::shape_mismatch, {"trial.values has 1 entries, not 4 x 3"},
                [&] { made(changed([](dense_element& e) { e.trial.values.resize(1); })); });
  made(changed([](dense_element& e) { e.trial.values.clear(); }));  // diffusion takes none
  check_failure(status::invalid_argument, {"a size is 0"},
                [&] { made(changed([](dense_element& e) { e.points = 0; })); });
  check_failure(status::invalid_argument, {"tables in 2 dimensions, elements in 3"}, [&] { made(changed(same), 3); });
  check_failure(status::no_target, {"text 2-D of dense tables", "a GPU needs the function's source"}, [&] {
    compiled_function<double> text{.name = "text", .dim = 2, .factors = 1, .isa = target::cuda};
    text.trial.value = text.test.value = true;
    element_operator<double>(text, 1, D.data(), changed(same));
  });
  check_failure(status::no_target, {"no at_points"}, [&] {
    compiled_function<double> nothing{.dim = 2, .factors = 1, .trial = {.value = true}, .test = {.value = true}};
    element_operator<double>(nothing, 1, D.data(), changed(same));
  });
  check_failure(status::shape_mismatch, {"3 components, where the operator couples 2"}, [&] {
    element_operator_options o = changed(same);
    o.kind = operator_kind::elasticity;
    o.components = 3;
    made(o);
  });
  check_failure(status::invalid_argument, {"diffusion 2-D", "5 x 3", "not known to be symmetric"}, [&] {
    std::vector<double> M(15);
    made(changed(same)).assemble(0, 1, M.data(), matrix_storage::lower_packed);
  });

  fem::element_nodes<double> nodes{.dim = 2, .elements = 1, .coordinates = D.data()};
  check_failure(status::shape_mismatch, {"0 weights, where there are 4 points"},
                [&] { element_operator<double>(nodes, changed(same)); });
  check_failure(status::shape_mismatch, {"the geometry's gradients have 0 entries, not 4 x 0 x 2"},
                [&] { element_operator<double>(nodes, changed([](dense_element& e) { e.weights.assign(4, 1.0); })); });
}
