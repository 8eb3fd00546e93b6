// SPDX-License-Identifier: BSD-3-Clause
// Operators between L-vectors: the sums of element results in one order, bit by bit, for any threads, patches, parts.
#include "global_sums.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

#include <memory>

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;
using fem::global_operator;

TEST_CASE("global operators: sums of the elements' results, the same bits by any patches, parts, threads",
          "[fem][global]") {
  for (const target on : testing::cpu_targets())
    for (const int dim : {1, 2, 3}) {
      const index_t cells = dim == 1 ? 40 : dim == 2 ? 7 : 3;
      for (const int p : {1, 3}) {
        const unknowns u = shuffled_box(dim, cells, p, 1, false, 3);
        check_sums<double>(options_of(operator_kind::mass, p, on, element_form::partial_assembly), dim, u, u);
        check_sums<float>(options_of(operator_kind::diffusion, p, on, element_form::partial_assembly), dim, u, u);
        check_sums<double>(options_of(operator_kind::convection, p, on, element_form::matrix_free), dim, u, u);
      }
    }
}

TEST_CASE("global operators: components interleaved and one after the other", "[fem][global]") {
  for (const bool interleaved : {false, true})
    for (const int dim : {2, 3}) {
      const unknowns u = shuffled_box(dim, 3, 2, dim, interleaved, 4);
      element_operator_options o =
          options_of(operator_kind::elasticity, 2, target_from_name("best"), element_form::partial_assembly);
      o.components = dim;
      check_sums<double>(o, dim, u, u);
      o.kind = operator_kind::helmholtz;
      check_sums<float>(o, dim, u, u);
    }
}

TEST_CASE("global operators: any lists, signs, numbers that an element has twice", "[fem][global]") {
  const element_operator_options o =
      options_of(operator_kind::helmholtz, 2, target_from_name("best"), element_form::partial_assembly);
  for (const index_t size : {1, 5, 200, 5000}) {
    unknowns u = random_unknowns(50, 9, size, std::uint32_t(size));
    check_sums<double>(o, 2, u, u);
    u.negative = negative_offset::sign;
    for (std::size_t j = 0; j < u.offsets.size(); j += 3) u.offsets[j] = -1 - u.offsets[j];
    check_sums<double>(o, 2, u, u);
    check_sums<float>(o, 2, u, u);
  }
  // Elements with more entries than 16 bits count in a patch.
  const element_operator_options large =
      options_of(operator_kind::mass, 14, target_from_name("best"), element_form::partial_assembly);
  const unknowns u = shuffled_box(3, 2, 14, 1, false, 4);
  check_sums<double>(large, 3, u, u, constrained_rows::identity, true);
}

TEST_CASE("global operators: constrained numbers", "[fem][global]") {
  const element_operator_options o =
      options_of(operator_kind::diffusion, 2, target_from_name("best"), element_form::partial_assembly);
  for (const constrained_rows rows : {constrained_rows::identity, constrained_rows::zero}) {
    unknowns u = shuffled_box(2, 5, 2, 1, false, 8);
    for (index_t k = 0; k < u.size; k += 4) u.constrained.push_back(k);
    check_sums<double>(o, 2, u, u, rows);
    unknowns v = shuffled_box(2, 3, 2, 2, true, 8);
    for (index_t k = 1; k < v.size; k += 5) v.constrained.push_back(k);
    element_operator_options two = o;
    two.components = 2;
    check_sums<double>(two, 2, v, v, rows);
  }
}

TEST_CASE("global operators: y of other functions", "[fem][global]") {
  element_operator_options o =
      options_of(operator_kind::mass, 3, target_from_name("best"), element_form::partial_assembly);
  o.test = fem::function_space{.order = 1};
  unknowns x = shuffled_box(3, 3, 3, 1, false, 2), y = shuffled_box(3, 3, 1, 1, false, 2);
  check_sums<double>(o, 3, x, y);
  x.constrained = {1, 7};
  y.constrained = {0, 2};
  check_sums<double>(o, 3, x, y, constrained_rows::zero);
  const std::vector<double> nodes = corners<double>(3, x.elements);
  const global_operator<double> A(
      {.dim = 3, .order = 1, .elements = x.elements, .coordinates = nodes.data(), .coefficients = {}}, x.made(),
      y.made(), o);
  std::vector<double> in(at(x.size)), out(at(y.size));
  check_failure(status::invalid_argument, {"the same restriction"}, [&] { A.apply(in.data(), out.data()); });
  check_failure(status::shape_mismatch, {"different restrictions"}, [&] { A.diagonal(out.data()); });
  double dot = 7;
  check_failure(status::shape_mismatch, {"x.y of", std::to_string(x.size), std::to_string(y.size)},
                [&] { A.apply({.x = in.data(), .y = out.data(), .rows = constrained_rows::zero, .dot = &dot}); });
  CHECK(dot == 7);
}

TEST_CASE("global operators: x.y of two restrictions, of other functions with as many numbers, and mistakes",
          "[fem][global]") {
  const element_operator_options o =
      options_of(operator_kind::convection, 2, target_from_name("best"), element_form::partial_assembly);
  const unknowns u = shuffled_box(2, 4, 2, 1, false, 8), other = u;
  check_sums<double>(o, 2, u, other, constrained_rows::zero);
  check_sums<float>(o, 2, u, other, constrained_rows::zero);
  const std::vector<double> nodes = corners<double>(2, u.elements), x = seeded<double>(u.size, 5);
  const global_operator<double> A(
      {.dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}}, u.made(), o);
  std::vector<double> y(x.size(), 3);
  double dot = 7;
  check_failure(status::invalid_argument, {"dot, x.y, is not given", "adds to y"},
                [&] { A.apply({.x = x.data(), .y = y.data(), .add = true, .dot = &dot}); });
  auto* const odd = reinterpret_cast<double*>(reinterpret_cast<char*>(&dot) + 4);
  check_failure(status::invalid_argument, {"dot", "8 bytes"}, [&] { A.apply_with_dot(x.data(), y.data(), odd); });
  check_failure(status::null_pointer, {"apply_with_dot", "dot"},
                [&] { A.apply_with_dot(x.data(), y.data(), nullptr); });
  check_failure(status::overlap, {"dot is inside y"}, [&] { A.apply_with_dot(x.data(), y.data(), &y.back()); });
  check_failure(status::overlap, {"dot is inside x"},
                [&] { A.apply_with_dot(x.data(), y.data(), const_cast<double*>(x.data())); });
  CHECK(dot == 7);
  CHECK(y == std::vector<double>(x.size(), 3));
  // snippet energy
  double energy = 0;  // of the free numbers
  A.apply({.x = x.data(), .y = y.data(), .rows = constrained_rows::zero, .dot = &energy});
  // end snippet
  CHECK(is_dot(energy, x, y));
  // Numbers that no element has, and no elements.
  const unknowns none{.elements = 0, .entries = 9, .size = 5};
  const global_operator<double> empty({.dim = 2, .order = 1, .elements = 0, .coordinates = nullptr, .coefficients = {}},
                                      none.made(), o);
  empty.apply_with_dot(x.data(), y.data(), &dot);
  CHECK(dot == 0);
  dot = 7;
  const unknowns nothing{.elements = 0, .entries = 9, .size = 0};
  global_operator<double>({.dim = 2, .order = 1, .elements = 0, .coordinates = nullptr, .coefficients = {}},
                          nothing.made(), o)
      .apply_with_dot(nullptr, nullptr, &dot);
  CHECK(dot == 0);
}
