// SPDX-License-Identifier: BSD-3-Clause
// Mistakes that are made with element operators: each is an error that names it, or the right result.
#include "seeded.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_nodes;
using fem::element_operator;
using fem::element_operator_options;

namespace {

constexpr index_t many[] = {index_t{1} << 40, index_t{1} << 58, index_t{1} << 61, index_t{1} << 62,
                            std::numeric_limits<index_t>::max()};
constexpr element_form forms[] = {element_form::partial_assembly, element_form::matrix_free};

/// Mass of order 1 at 2^3 points, on 8 cubes of the unit cube.
struct cubes {
  fem::mesh domain{{2, 2, 2}, 1};
  element_operator_options options{.points = 2};
  element_nodes<double> nodes = fem::nodes_of(domain);
  element_operator<double> mass{nodes, options};
  std::vector<double> x = std::vector<double>(64, 1.0), y = std::vector<double>(64, -1.0);

  application<double> conventional() { return {.x = x.data(), .y = y.data()}; }
  element_set all() const { return element_set::range(0, 8); }
  void check_refused(const application<double>& a, status code, std::initializer_list<std::string_view> words) {
    check_refused(all(), a, code, words);
  }
  void check_refused(const element_set& which, const application<double>& a, status code,
                     std::initializer_list<std::string_view> words) {
    check_failure(code, words, [&] { mass.apply(which, a); });
    CHECK(y == std::vector<double>(64, -1.0));
  }
};

}  // namespace

TEST_CASE("element mistakes: a layout that is left as it is is conventional", "[fem][element]") {
  cubes c;
  std::vector<double> wanted(64);
  c.mass.apply(c.x.data(), wanted.data());
  c.mass.apply(c.all(), c.conventional());
  CHECK(c.y == wanted);

  // And of the nodes.
  geometry_spec<double> spec;
  spec.elements = 8;
  spec.coordinates = c.nodes.coordinates;
  const fem::quadrature_rule rule = fem::gauss(2);
  const fem::basis_tables tables = fem::tabulate(fem::basis(fem::basis_kind::gauss_lobatto, 1), rule);
  spec.interpolate = tables.B;
  spec.weights = rule.weights;
  evaluation_spec of_mass;
  of_mass.trial = of_mass.points = 2;
  of_mass.interpolate = tables.B;
  of_mass.differentiate = fem::differentiation_matrix(rule.points);
  const evaluation<double> by(of_mass);
  std::vector<double> y(64);
  by.apply(c.all(), {.x = c.x.data(), .y = y.data()}, point_data<double>::stored(by, spec));
  CHECK(y == wanted);
}

TEST_CASE("element mistakes: x and y that overlap, and y in the place of x", "[fem][element]") {
  cubes c;
  std::vector<double> wanted(64), both(200, 1.0);
  c.mass.apply(c.x.data(), wanted.data());
  for (const index_t shift : {index_t{1}, index_t{40}, index_t{63}, index_t{-5}}) {
    const std::vector<double> before = both;
    check_failure(status::overlap, {"evaluation::apply", "x and y overlap"},
                  [&] { c.mass.apply(c.all(), {.x = both.data() + 64, .y = both.data() + 64 + shift}); });
    CHECK(both == before);
  }
  c.mass.apply(c.all(), {.x = both.data(), .y = both.data() + 64});
  CHECK(std::equal(wanted.begin(), wanted.end(), both.begin() + 64));
  // Two layouts in one place.
  check_failure(status::overlap, {"x and y overlap"}, [&] {
    c.mass.apply(c.all(), {.x = c.x.data(), .y = c.x.data(), .y_layout = element_layout::interleaved(8, 1, 2)});
  });
  // In place, with one and several threads' worth of elements, right hand sides, and a list.
  c.mass.apply(c.all(), {.x = c.x.data(), .y = c.x.data()});
  CHECK(c.x == wanted);
  std::vector<double> sides(128, 1.0);
  c.mass.apply(c.all(), {.x = sides.data(), .y = sides.data(), .sides = 2, .x_side = 64, .y_side = 64});
  CHECK(std::equal(wanted.begin(), wanted.end(), sides.begin() + 64));
  const std::vector<index_t> list{6, 1}, twice{6, 1, 6};
  std::vector<double> some(64, 1.0);
  c.mass.apply(element_set::of(list), {.x = some.data(), .y = some.data()});
  for (index_t i = 0; i < 64; ++i) CHECK(some[at(i)] == (i / 8 == 6 || i / 8 == 1 ? wanted[at(i)] : 1.0));
  check_failure(status::invalid_argument, {"element 6 is twice in the list, at 0 and 2", "in the place of x"},
                [&] { c.mass.apply(element_set::of(twice), {.x = some.data(), .y = some.data()}); });
  // Components of a node side by side share no entry, though their memory is one piece.
  std::vector<double> pair(128, 1.0);
  const element_layout two{.entry = 2, .component = 1, .block = 16};
  c.mass.apply(c.all(), {.x = pair.data(), .x_layout = two, .y = pair.data() + 1, .y_layout = two});
  for (index_t i = 0; i < 64; ++i) CHECK((pair[at(2 * i)] == 1.0 && pair[at(2 * i + 1)] == wanted[at(i)]));
  // So do blocks that take turns.
  std::vector<double> blocks(128, 1.0);
  const element_layout every_other{.entry = 1, .component = 8, .block = 16};
  c.mass.apply(c.all(), {.x = blocks.data(), .x_layout = every_other, .y = blocks.data() + 8, .y_layout = every_other});
  for (index_t i = 0; i < 64; ++i) CHECK(blocks[at(i / 8 * 16 + 8 + i % 8)] == wanted[at(i)]);
}

TEST_CASE("element mistakes: layouts of y, strides, sides", "[fem][element]") {
  cubes c;
  application<double> a = c.conventional();
  a.y_layout = {.entry = 1, .component = 8, .block = 7};
  c.check_refused(a, status::overlap, {"two entries of y have one address", "block 7"});
  a.y_layout = {.entry = 0, .component = 8, .block = 8};
  c.check_refused(a, status::overlap, {"two entries of y have one address", "entry 0"});
  a.y_layout = {.entry = 1, .component = 8, .element = 3, .lanes = 4, .block = 32};
  c.check_refused(a, status::overlap, {"two entries of y have one address", "lanes 4"});
  a.y_layout = {.entry = -1, .component = 8, .block = 8};
  c.check_refused(a, status::invalid_argument, {"evaluation::apply: y", "negative entry -1"});
  a.y_layout = {.entry = 1, .component = 8, .block = -8};
  c.check_refused(a, status::invalid_argument, {"evaluation::apply: y", "negative block -8"});
  a.y_layout = {.entry = 1, .component = 8, .lanes = 0, .block = 8};
  c.check_refused(a, status::invalid_argument, {"0 lanes"});
  a.y_layout = element_layout::conventional(8).from(3);
  c.check_refused(a, status::invalid_argument, {"begins with element 3", "element 0"});
  a = c.conventional();
  a.x_layout = {.entry = 1, .component = 8, .block = index_t{1} << 61};
  c.check_refused(a, status::overflow, {"evaluation::apply: x", "2305843009213693952", "more than a process"});

  // More lanes than elements: those that are not there reach nowhere.
  a = c.conventional();
  a.y_layout = {.entry = 1, .component = 8, .element = 8, .lanes = index_t{1} << 61};
  c.mass.apply(c.all(), a);
  CHECK(c.y != std::vector<double>(64, -1.0));
  c.y.assign(64, -1.0);

  a = c.conventional();
  a.sides = 0;
  c.check_refused(a, status::invalid_argument, {"0 right hand sides"});
  a.sides = -1;
  c.check_refused(a, status::invalid_argument, {"-1 right hand sides"});
  a.sides = 2;
  c.check_refused(a, status::overlap, {"two entries of y have one address", "side 0"});
  a.x_side = a.y_side = std::numeric_limits<index_t>::max();
  c.check_refused(a, status::overflow, {"right hand sides"});

  a = c.conventional();
  a.add = true;
  const std::vector<index_t> twice{4, 2, 7, 2}, far{7, 7};
  c.check_refused(element_set::of(twice), a, status::invalid_argument,
                  {"element 2 is twice in the list, at 1 and 3", "added"});
  c.check_refused(element_set::of(far), a, status::invalid_argument, {"element 7 is twice in the list"});
  const std::vector<index_t> outside{0, 8};
  c.check_refused(element_set::of(outside), a, status::invalid_argument, {"element 8 of 8"});
}

TEST_CASE("element mistakes: more elements than there can be", "[fem][element]") {
  cubes c;
  for (const index_t elements : many) {
    element_nodes<double> nodes = c.nodes;
    nodes.elements = elements;
    for (const element_form form : forms) {
      element_operator_options o = c.options;
      o.form = form;
      const failure f = failure_of([&] { element_operator<double>(nodes, o); });
      INFO(f.text);
      CHECK((f.code == status::overflow || f.code == status::out_of_memory));
      CHECK(f.names(std::to_string(elements)));
    }
    for (const point_storage how : {point_storage::same, point_storage::in_float}) {
      const failure f = failure_of([&] { point_data<double>::stored(c.mass.kernel(), elements, how); });
      CHECK((f.code == status::overflow || f.code == status::out_of_memory));
    }
  }
  check_failure(status::invalid_argument, {"-1 elements"}, [&] {
    element_nodes<double> nodes = c.nodes;
    nodes.elements = -1;
    element_operator<double>(nodes, c.options);
  });
}

TEST_CASE("element mistakes: orders, points and components that overflow", "[fem][element]") {
  cubes c;
  const auto check_refused = [&](const element_operator_options& o, std::string_view word) {
    check_failure(status::invalid_argument, {word}, [&] { element_operator<double>(c.nodes, o); });
  };
  constexpr int most = std::numeric_limits<int>::max();
  for (const int order : {most, most - 1, -most}) {
    check_refused({.trial = {.order = order}}, std::to_string(order));
    check_refused({.trial = {.order = order}, .shape = fem::element_shape::simplex}, std::to_string(order));
  }
  check_refused({.points = most}, std::to_string(most));
  check_refused({.points = -3}, "-3");
  check_failure(status::overflow, {std::to_string(most), "components"},
                [&] { element_operator<double>(c.nodes, {.components = most, .points = 2}); });
  element_nodes<double> nodes = c.nodes;
  nodes.order = most;
  check_failure(status::invalid_argument, {std::to_string(most)},
                [&] { element_operator<double>(nodes, {.points = 2}); });
  nodes = c.nodes;
  nodes.dim = 7;
  check_failure(status::invalid_argument, {"dimension"}, [&] { element_operator<double>(nodes, {.points = 2}); });
}

TEST_CASE("element mistakes: enumerators that are none", "[fem][element]") {
  cubes c;
  const auto check_refused = [&](std::string_view words, auto change) {
    element_operator_options o = c.options;
    change(o);
    check_failure(status::invalid_argument, {words, "99 is none of"}, [&] { element_operator<double>(c.nodes, o); });
  };
  check_refused("operator kind", [](auto& o) { o.kind = operator_kind(99); });
  check_refused("shape", [](auto& o) { o.shape = fem::element_shape(99); });
  check_refused("rule", [](auto& o) { o.rule = fem::points_kind(99); });
  check_refused("form", [](auto& o) { o.form = element_form(99); });
  check_refused("storage", [](auto& o) { o.storage = point_storage(99); });
  check_refused("basis", [](auto& o) { o.trial.kind = fem::basis_kind(99); });
  check_refused("basis of y", [](auto& o) { o.test = fem::function_space{fem::basis_kind(99), 1}; });
  check_failure(status::invalid_argument, {"D in float", "matrix_free"}, [&] {
    element_operator<double>(c.nodes,
                             {.points = 2, .form = element_form::matrix_free, .storage = point_storage::in_float});
  });
}

TEST_CASE("element mistakes: coordinates and coefficients that are no numbers", "[fem][element]") {
  cubes c;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  std::vector<double> corners(c.domain.coordinates().begin(), c.domain.coordinates().end());
  std::vector<double> rho(64, 1.0);
  for (const element_form form : forms) {
    element_operator_options o = c.options;
    o.form = form;
    element_nodes<double> nodes = c.nodes;
    nodes.coordinates = corners.data();
    corners[5 * 24 + 8 + 3] = nan;
    check_failure(status::invalid_argument, {"element 5: coordinate 1 of node 3 is nan"},
                  [&] { element_operator<double>(nodes, o); });
    corners.assign(c.domain.coordinates().begin(), c.domain.coordinates().end());
    for (const double bad : {nan, infinite, -infinite}) {
      nodes.coefficients_at_points = nullptr;
      nodes.coefficients = {bad};
      check_failure(status::invalid_argument, {"coefficient 0 is"}, [&] { element_operator<double>(nodes, o); });
      nodes.coefficients.clear();
      nodes.coefficients_at_points = rho.data();
      nodes.coefficients_given = 1;
      rho[6 * 8 + 2] = bad;
      check_failure(status::invalid_argument, {"element 6: coefficient 0 at point 2 of 8 is"},
                    [&] { element_operator<double>(nodes, o); });
      rho[6 * 8 + 2] = 1;
    }
    nodes.coefficients = {1.0};
    check_failure(status::invalid_argument, {"coefficients are given twice"},
                  [&] { element_operator<double>(nodes, o); });
    nodes.coefficients.clear();
    std::swap(corners[3 * 24], corners[3 * 24 + 1]);
    std::swap(corners[3 * 24 + 2], corners[3 * 24 + 3]);
    std::swap(corners[3 * 24 + 4], corners[3 * 24 + 5]);
    std::swap(corners[3 * 24 + 6], corners[3 * 24 + 7]);
    check_failure(status::invalid_argument, {"element 3 is inverted: its determinant at point 0 of 8"},
                  [&] { element_operator<double>(nodes, o); });
    corners.assign(c.domain.coordinates().begin(), c.domain.coordinates().end());
  }
}

TEST_CASE("element mistakes: D that is no number in the type that it is kept in", "[fem][element]") {
  cubes c;
  const auto with_edges = [&](double edge, point_storage how) {
    std::vector<double> corners(c.domain.coordinates().begin(), c.domain.coordinates().end());
    for (double& x : corners) x *= edge;
    element_nodes<double> nodes = c.nodes;
    nodes.coordinates = corners.data();
    element_operator_options o = c.options;
    o.storage = how;
    const element_operator<double> op(nodes, o);
  };
  with_edges(1e20, point_storage::same);
  with_edges(1e-20, point_storage::same);
  check_failure(status::invalid_argument, {"element 0: D at point 0 of 8 is", "too large for f32"},
                [&] { with_edges(1e20, point_storage::in_float); });
  check_failure(status::invalid_argument, {"smallest normal number", "f32", "keep it in f64"},
                [&] { with_edges(1e-20, point_storage::in_float); });
  check_failure(status::invalid_argument, {"element 0", "f64"}, [&] { with_edges(1e110, point_storage::same); });
}

TEST_CASE("element mistakes: D at the ends of a type, stored or computed", "[fem][element]") {
  const auto diffusion_of = [](float edge, element_form form) {
    const fem::mesh domain({2, 2, 2}, 1);
    std::vector<float> corners;
    for (const double x : domain.coordinates()) corners.push_back(float(x) * edge);
    const element_nodes<float> nodes{.dim = 3, .order = 1, .elements = 8, .coordinates = corners.data()};
    const element_operator<float> op(nodes, {.kind = operator_kind::diffusion, .points = 2, .form = form});
    std::vector<float> x = seeded<float>(64, 1), y(64);
    op.apply(x.data(), y.data());
    CHECK(std::all_of(y.begin(), y.end(), [](float v) { return std::isfinite(v); }));
  };
  for (const element_form form : forms) {
    diffusion_of(1e12F, form);
    check_failure(status::invalid_argument, {"element 0 is too large: its determinant at point 0 of 8 is inf", "f32"},
                  [&] { diffusion_of(1e14F, form); });
    check_failure(status::invalid_argument, {"element 0"}, [&] { diffusion_of(1e-16F, form); });
  }
}

TEST_CASE("element mistakes: D that is given", "[fem][element]") {
  cubes c;
  std::vector<double> D(64, 1.0);
  element_operator_options o = c.options;
  o.form = element_form::matrix_free;
  check_failure(status::invalid_argument, {"matrix_free", "D is given"},
                [&] { element_operator<double>(3, 8, D.data(), o); });
  o = c.options;
  o.storage = point_storage::in_float;
  D[5 * 8 + 2] = -1e300;
  check_failure(status::invalid_argument, {"element 5: D at point 2 of 8 is -1e+300", "too large for f32"},
                [&] { element_operator<double>(3, 8, D.data(), o); });
}

TEST_CASE("element mistakes: coefficients without their number, numbers without coefficients", "[fem][element]") {
  cubes c;
  for (const element_form form : forms) {
    element_operator_options o = c.options;
    o.form = form;
    element_nodes<double> nodes = c.nodes;
    nodes.coefficients_given = 1;
    check_failure(status::null_pointer, {"1 coefficients at each point", "null"},
                  [&] { element_operator<double>(nodes, o); });
    const double rho[64] = {};
    nodes.coefficients_at_points = rho;
    nodes.coefficients_given = 0;
    check_failure(status::shape_mismatch, {"mass takes 1 coefficients at a point, not 0"},
                  [&] { element_operator<double>(nodes, o); });
  }
}

TEST_CASE("element mistakes: tables that are no numbers, functions that take nothing", "[fem][element]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  evaluation_spec spec{.dim = 1, .trial = 2, .points = 2, .interpolate = {1, 0, nan, 1}};
  check_failure(status::invalid_argument, {"mass 1-D", "interpolate has an entry nan"},
                [&] { evaluation<double> e(spec); });
  dense_evaluation_spec dense{.dim = 2, .points = 1, .trial = {.functions = 1, .values = {nan}}};
  check_failure(status::invalid_argument, {"dense tables", "trial.values has an entry nan"},
                [&] { evaluation<double> e(dense); });
  dense.trial.values = {1};
  compiled_function<double> own{.name = "mine", .dim = 2, .trial_components = 0, .factors = 1};
  check_failure(status::invalid_argument, {"function mine: 0 components, 1 test components and 1 factors"},
                [&] { evaluation<double>(dense, own); });
  own.trial_components = 1;
  own.at_points = [](const points_block<double>&, const void*) {};
  own.trial = {.components = 2, .value = true};
  check_failure(status::invalid_argument, {"function mine", "2 and 1 components, it itself 1 and 1"},
                [&] { evaluation<double>(dense, own); });
}

TEST_CASE("element mistakes: meshes and matrices that cannot be", "[fem][element]") {
  for (const int cells : {4, 16})
    check_failure(status::overflow, {"mesh", "1073741824 x 1073741824 x " + std::to_string(cells)}, [&] {
      fem::mesh({1 << 30, 1 << 30, cells}, 1);
    });
  cubes c;
  double M[64];
  check_failure(status::invalid_argument, {"matrix storage 99 is none of"},
                [&] { c.mass.assemble(0, 1, M, matrix_storage(99)); });
}

TEST_CASE("points between which no polynomial can be differentiated are refused", "[fem][element]") {
  const auto of = [](std::vector<double> points) { return [points] { fem::differentiation_matrix(points); }; };
  const double infinite = std::numeric_limits<double>::infinity();
  check_failure(status::invalid_argument, {"point 2 is inf"}, of({0, 1, infinite}));
  check_failure(status::invalid_argument, {"do not ascend"}, of({0, 1, 1}));
  check_failure(status::invalid_argument, {"so near", "point 0"}, of({0, 5e-324, 1}));
  check_failure(status::invalid_argument, {"100000 points"}, of(std::vector<double>(100000)));
}
