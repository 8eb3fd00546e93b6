// SPDX-License-Identifier: BSD-3-Clause
// Element operators against their definition: every operator, dimension, order and number of points, on every target.
#include "element_checks.hpp"
#include "testing/at.hpp"
#include "testing/catch.hpp"
#include "testing/targets.hpp"

#include <tessera/fem/element_operator.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace tessera;
using namespace tessera::testing;
using fem::basis_kind;
using fem::element_operator;
using fem::element_operator_options;
using fem::points_kind;

}  // namespace

TEST_CASE("element operators are their definition on every target", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const int p : {1, 2, 3})
      for (const int more : {1, 2, 4}) {
        const element_operator_options o{.trial = {.order = p}, .points = p + more, .on = on};
        check_all_dimensions<double>(o, 5);
        check_all_dimensions<float>(o, 9);
      }
}

TEST_CASE("mass and diffusion of the sizes that rows are compiled for, on every target", "[fem][element]") {
  for (const target on : cpu_targets())
    for (int p = 1; p <= 8; ++p)
      for (const int more : {0, 1, 2}) {  // 0: nodes that are the points
        if (on == target::reference && p > 4) continue;
        const element_operator_options mass{.trial = {.order = p},
                                            .points = p + std::max(more, 1),
                                            .rule = more == 0 ? points_kind::gauss_lobatto : points_kind::gauss,
                                            .on = on};
        element_operator_options diffusion = mass, of_three = mass, stiff_three = mass;
        diffusion.kind = stiff_three.kind = operator_kind::diffusion;
        of_three.components = stiff_three.components = 3;
        check_definition<double, pointwise::mass<2>>(mass, 3);
        check_definition<double, pointwise::diffusion<2>>(diffusion, 3);
        check_definition<double, pointwise::mass<3>>(mass, 1);
        check_definition<float, pointwise::mass<3>>(mass, 1);
        check_definition<double, pointwise::diffusion<3>>(diffusion, 1);
        check_definition<float, pointwise::diffusion<3>>(diffusion, 1);
        if (p > 4) continue;
        check_definition<double, pointwise::mass<3>>(of_three, 2);
        check_definition<double, pointwise::diffusion<3>>(stiff_three, 2);
      }
}

TEST_CASE("high orders are the definition, too", "[fem][element]") {
  for (const int p : {4, 5, 6, 7, 8})
    for (const int more : {1, 2}) {
      const element_operator_options o{.trial = {.order = p}, .points = p + more};
      check_all_operators<double, 2>(o, 3);
      check_all_operators<float, 2>(o, 1);
      if (p % 2 == more % 2) check_all_operators<double, 3>(o, 1);
    }
  for (int p = 9; p <= 16; ++p) {
    const element_operator_options o{.trial = {.order = p}, .points = p + 1 + p % 2};
    check_all_operators<double, 1>(o, 3);
    check_all_operators<double, 2>(o, 2);
    check_all_operators<float, 2>(o, 1);
    if (p == 10) check_all_operators<double, 3>(o, 1);
  }
  for (const int p : {12, 16})
    check_definition<double, pointwise::diffusion<3>>(
        {.kind = operator_kind::diffusion, .trial = {.order = p}, .points = p + 1}, 1);
}

TEST_CASE("many points, and far fewer than functions", "[fem][element]") {
  check_all_dimensions<double>({.trial = {.order = 2}, .points = 12}, 2);
  check_all_dimensions<double>({.trial = {.order = 1}, .points = 40}, 1);
  check_all_operators<double, 2>({.trial = {.order = 16}, .points = 40}, 1);
  for (const int p : {8, 12, 16})
    for (const int q : {1, p / 2, p}) {
      check_all_operators<double, 1>({.trial = {.order = p}, .points = q}, 3);
      check_all_operators<double, 2>({.trial = {.order = p}, .points = q}, 1);
      if (p == 8) check_all_operators<double, 3>({.trial = {.order = p}, .points = q}, 1);
    }
}

TEST_CASE("nodes that are the points are not interpolated", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const int p : {1, 2, 3, 4}) {
      const element_operator_options o{
          .trial = {.order = p}, .points = p + 1, .rule = points_kind::gauss_lobatto, .on = on};
      check_all_operators<double, 2>(o, 5);
      if (p <= 3) check_all_operators<double, 3>(o, 3);
    }
  const std::vector<double> D(64, 1.0);
  const element_operator<double> A(3, 1, D.data(),
                                   {.trial = {.order = 3}, .points = 4, .rule = points_kind::gauss_lobatto});
  if (A.kernel().lanes() > 2)  // rows of fixed sizes are there
    CHECK(A.describe().find("nodes are the points") != std::string::npos);
}

TEST_CASE("the row that runs is the one made for the case", "[fem][element]") {
  const std::vector<double> D(64 * 7, 1.0);
  const auto row = [&](const element_operator_options& o) {
    return element_operator<double>(3, 1, D.data(), o).describe();
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  for (const target on : cpu_targets()) {
    // The reference target takes the kernels of the narrowest set: those of SSE2, where the build has it, are for any
    // sizes.
    const bool fixed = on != target::sse2 && !(on == target::reference && is_available(target::sse2));
    for (const basis_kind kind : {basis_kind::gauss_lobatto, basis_kind::gauss, basis_kind::bernstein}) {
      const std::string compiled = row({.trial = {kind, 2}, .points = 4, .on = on});
      CHECK(has(compiled, fixed ? "compiled for these sizes" : "kernel for any sizes"));
      CHECK(!has(compiled, "without mirror symmetry"));
      if (on != target::reference) CHECK(has(compiled, name_of(on)));
    }
    const std::string any = row({.kind = operator_kind::helmholtz, .trial = {.order = 2}, .points = 4, .on = on});
    CHECK(has(any, "kernel for any sizes"));
    CHECK(!has(any, "without mirror symmetry"));
    const std::string nodal = row({.trial = {.order = 3}, .points = 4, .rule = points_kind::gauss_lobatto, .on = on});
    CHECK(has(nodal, "nodes are the points") == fixed);
  }
}

TEST_CASE("a brief description is one line without D", "[fem][element]") {
  const std::vector<double> D(64, 1.0);
  const element_operator<double> A(3, 1, D.data(), {.trial = {.order = 2}, .points = 4});
  const std::string brief = A.describe(detail_level::brief), full = A.describe();
  INFO(brief);
  CHECK(brief.starts_with(full.substr(0, full.find(','))));
  CHECK(brief.find("; tuning") != std::string::npos);
  CHECK(brief.find("stored") == std::string::npos);
  CHECK(full.find("; D stored, f64") != std::string::npos);
}

TEST_CASE("tables that do not mirror themselves have a row, too", "[fem][element]") {
  // Radau points on the left, as a code with its own rule would give them.
  const fem::quadrature_rule rule{{0, 0.35505102572168219, 0.84494897427831781},
                                  {1.0 / 9, 0.5124858261884217, 0.3764030627004673}};
  const fem::basis functions(basis_kind::gauss_lobatto, 2);
  const fem::basis_tables tables = fem::tabulate(functions, rule);
  const reference_element<pointwise::diffusion<3>> reference(functions, functions, rule);
  const std::vector<double> x = seeded<double>(27 * 5, 1), D = seeded<double>(27 * 6 * 5, 2);
  for (const target on : cpu_targets()) {
    const evaluation<double> A({.kind = operator_kind::diffusion,
                                .dim = 3,
                                .trial = 3,
                                .points = 3,
                                .interpolate = tables.B,
                                .differentiate = fem::differentiation_matrix(rule.points),
                                .on = on});
    CHECK(A.describe().find("without mirror symmetry") != std::string::npos);
    point_data<double> data = point_data<double>::stored(A, 5);
    data.set(0, 5, D.data());
    std::vector<double> y(27 * 5);
    const element_layout layout = element_layout::conventional(27);
    A.apply(element_set::range(0, 5), {.x = x.data(), .x_layout = layout, .y = y.data(), .y_layout = layout}, data);
    for (index_t e = 0; e < 5; ++e) {
      const auto wanted = reference.apply(x.data() + 27 * e, D.data() + 27 * 6 * e);
      const auto sizes = reference.magnitudes(x.data() + 27 * e, D.data() + 27 * 6 * e);
      for (index_t i = 0; i < 27; ++i)
        CHECK(std::abs(y[at(i + 27 * e)] - wanted[at(i)]) <= gamma<double>(reference.roundings()) * sizes[at(i)]);
    }
  }
}

TEST_CASE("x and y may be of different functions", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const basis_kind kind : {basis_kind::gauss, basis_kind::bernstein}) {
      const element_operator_options o{
          .trial = {.order = 3}, .test = fem::function_space{kind, 2}, .points = 5, .on = on};
      check_all_dimensions<double>(o, 3);
      const element_operator_options back{
          .trial = {kind, 2}, .test = fem::function_space{basis_kind::gauss_lobatto, 3}, .points = 4, .on = on};
      check_all_dimensions<double>(back, 3);
    }
}

TEST_CASE("points may be fewer than functions", "[fem][element]") {
  for (const target on : cpu_targets())
    for (const int p : {1, 2, 3, 5}) {
      const element_operator_options o{.trial = {.order = p}, .points = p, .on = on};
      check_all_operators<double, 1>(o, 5);
      check_all_operators<double, 2>(o, 5);
      if (p > 3) continue;
      check_all_operators<double, 3>(o, 3);
      check_all_dimensions<float>(o, 9);
    }
  const std::vector<double> D(27 * 6, 1.0);
  const element_operator<double> A(3, 1, D.data(),
                                   {.kind = operator_kind::diffusion, .trial = {.order = 3}, .points = 3});
  CHECK(A.describe().find("all points of an element at once") != std::string::npos);
}

TEST_CASE("points may be fewer than functions of x, of y, or of both", "[fem][element]") {
  for (const auto& [p, of_test, points] : {std::array{3, 2, 3}, std::array{2, 3, 3}, std::array{4, 3, 2}}) {
    const element_operator_options o{
        .trial = {.order = p}, .test = fem::function_space{basis_kind::bernstein, of_test}, .points = points};
    check_all_dimensions<double>(o, 3);
  }
  // More components than the function couples, and Lobatto points.
  check_definition<double, pointwise::diffusion<2>>({.kind = operator_kind::diffusion,
                                                     .trial = {.order = 3},
                                                     .components = 3,
                                                     .points = 3,
                                                     .rule = points_kind::gauss_lobatto},
                                                    5);
}

TEST_CASE("derivatives that are given are taken as they are", "[fem][element]") {
  // Twice the derivatives on either side: four times the result.
  const fem::basis functions(basis_kind::gauss_lobatto, 2);
  const fem::quadrature_rule rule = fem::gauss(4);
  const fem::basis_tables tables = fem::tabulate(functions, rule);
  std::vector<double> twice = tables.G;
  for (double& slope : twice) slope *= 2;
  const reference_element<pointwise::diffusion<2>> reference(functions, functions, rule);
  const std::vector<double> x = seeded<double>(9, 1), D = seeded<double>(16 * 3, 2);
  const auto wanted = reference.apply(x.data(), D.data()), sizes = reference.magnitudes(x.data(), D.data());
  const auto check = [&](const evaluation<double>& A, double times) {
    point_data<double> data = point_data<double>::stored(A, 1);
    data.set(0, 1, D.data());
    std::vector<double> y(9);
    const element_layout layout = element_layout::conventional(9);
    A.apply(element_set::range(0, 1), {.x = x.data(), .x_layout = layout, .y = y.data(), .y_layout = layout}, data);
    for (index_t i = 0; i < 9; ++i)
      CHECK(std::abs(y[at(i)] - times * wanted[at(i)]) <= times * gamma<double>(reference.roundings()) * sizes[at(i)]);
  };
  evaluation_spec spec{
      .kind = operator_kind::diffusion, .dim = 2, .trial = 3, .points = 4, .interpolate = tables.B, .gradients = twice};
  const evaluation<double> both(spec);
  check(both, 4);
  CHECK(both.symmetric());
  // On one side only: of the test functions C times B.
  spec.test = 3;
  spec.test_functions = tables.B;
  spec.differentiate = fem::differentiation_matrix(rule.points);
  const evaluation<double> one(spec);
  check(one, 2);
  CHECK(!one.symmetric());
}

TEST_CASE("components that are not coupled are treated alike", "[fem][element]") {
  for (const int components : {2, 3, 5}) {
    const element_operator_options o{.trial = {.order = 2}, .components = components, .points = 4};
    check_definition<double, pointwise::mass<3>>(o, 3);
    element_operator_options k = o;
    k.kind = operator_kind::diffusion;
    check_definition<double, pointwise::diffusion<2>>(k, 6);
  }
}

TEST_CASE("element operators: matrices of symmetric operators are, the others' are not", "[fem][element]") {
  for (const operator_kind kind : all_operator_kinds)
    for (const int dim : {1, 2, 3}) {
      const index_t points = dim == 3 ? 64 : dim == 2 ? 16 : 4;
      const std::vector<double> D = seeded<double>(points * factors_of(kind, dim), 3);
      const element_operator<double> A(
          dim, 1, D.data(),
          {.kind = kind, .trial = {.order = 2}, .components = coupled_components(kind, dim), .points = 4});
      const index_t rows = A.trial_size() * A.components();
      std::vector<double> M(at(rows * rows));
      A.assemble(0, 1, M.data());
      double off = 0, largest = 0;
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < rows; ++j) {
          off = std::max(off, std::abs(M[at(i + rows * j)] - M[at(j + rows * i)]));
          largest = std::max(largest, std::abs(M[at(i + rows * j)]));
        }
      INFO(A.describe());
      CHECK((off <= 1e-13 * largest) == is_symmetric(kind));
    }
}
