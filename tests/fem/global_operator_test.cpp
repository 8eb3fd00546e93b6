// SPDX-License-Identifier: BSD-3-Clause
// Operators between L-vectors: the sums of element results in one order, bit by bit, for any threads, patches, parts.
#include "seeded.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/targets.hpp"

#include <omp.h>

#include <tessera/element/operator_names.hpp>
#include <tessera/fem/global_operator.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;
using fem::global_operator;

namespace {

struct thread_count {
  int before = omp_get_max_threads();
  explicit thread_count(int n) { omp_set_num_threads(n); }
  ~thread_count() { omp_set_num_threads(before); }
};

// Sheared boxes of different sizes, apart from each other: D does not depend on what elements share.
template <class T>
std::vector<T> corners(int dim, index_t elements) {
  const int n = 1 << dim;
  std::vector<T> all;
  for (index_t e = 0; e < elements; ++e)
    for (int c = 0; c < dim; ++c)
      for (int i = 0; i < n; ++i) {
        double x = 0;
        for (int a = 0; a < dim; ++a)
          x += double(i >> a & 1) * (a == c ? 1 + 0.125 * double(e % 5) : 0.0625 * double(e % 3));
        all.push_back(T(x));
      }
  return all;
}

struct unknowns {
  index_t elements, entries, size;
  int components = 1;
  index_t stride = 0;
  std::vector<std::int32_t> offsets;
  negative_offset negative = negative_offset::refused;
  std::vector<index_t> constrained{};

  restriction made() const {
    return restriction({.elements = elements,
                        .entries = entries,
                        .components = components,
                        .size = size,
                        .offsets = offsets.data(),
                        .component_stride = stride,
                        .negative = negative,
                        .constrained = constrained});
  }
};

// Of a box, shuffled as meshes of codes are; some numbers belong to no element.
unknowns shuffled_box(int dim, index_t cells, int order, int components, bool interleaved, std::uint32_t seed) {
  const restriction box = restriction::box({.dim = dim, .cells = {cells, cells + 1, cells}, .order = order});
  const index_t nodes = box.size() + 3;
  std::vector<std::int32_t> name(at(nodes));
  std::iota(name.begin(), name.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(name.begin(), name.end(), random);
  std::vector<index_t> elements(at(box.elements()));
  std::iota(elements.begin(), elements.end(), index_t(0));
  std::shuffle(elements.begin(), elements.end(), random);
  unknowns u{box.elements(), box.entries(), nodes * components, components};
  u.stride = components == 1 ? 0 : interleaved ? 1 : nodes;
  for (const index_t e : elements)
    for (index_t i = 0; i < u.entries; ++i)
      u.offsets.push_back(name[at(box.offset(i, e))] * (interleaved ? components : 1));
  return u;
}

// Numbers at random: several elements, or entries of one, have the same.
unknowns random_unknowns(index_t elements, index_t entries, index_t size, std::uint32_t seed) {
  unknowns u{elements, entries, size};
  std::mt19937 random(seed);
  for (index_t j = 0; j < elements * entries; ++j) u.offsets.push_back(std::int32_t(random() % std::uint32_t(size)));
  return u;
}

// y (+)= G^T A G x by its definition, terms in that order of elements.
template <class T>
std::vector<T> expected(const element_operator<T>& A, const unknowns& in, const unknowns& out,
                        std::span<const index_t> order, const std::vector<T>& x, const std::vector<T>& y_before,
                        bool add, constrained_rows rows) {
  const auto fixed = [](const unknowns& u, index_t k) {
    return std::find(u.constrained.begin(), u.constrained.end(), k) != u.constrained.end();
  };
  const auto number = [](const unknowns& u, index_t i, index_t c, index_t e) {
    const index_t k = u.offsets[at(i + u.entries * e)];
    return (k < 0 ? -1 - k : k) + c * u.stride;
  };
  const auto sign = [](const unknowns& u, index_t i, index_t e) {
    return u.negative == negative_offset::sign && u.offsets[at(i + u.entries * e)] < 0 ? T(-1) : T(1);
  };
  std::vector<T> of_x, of_y(at(out.elements * out.entries * out.components));
  for (index_t e = 0; e < in.elements; ++e)
    for (int c = 0; c < in.components; ++c)
      for (index_t i = 0; i < in.entries; ++i) {
        const index_t k = number(in, i, c, e);
        of_x.push_back(fixed(in, k) ? T(0) : sign(in, i, e) * x[at(k)]);
      }
  A.apply(of_x.data(), of_y.data());
  std::vector<T> sums(at(out.size)), y = y_before;
  for (const index_t e : order)
    for (int c = 0; c < out.components; ++c)
      for (index_t i = 0; i < out.entries; ++i)
        sums[at(number(out, i, c, e))] += sign(out, i, e) * of_y[at(i + out.entries * (c + out.components * e))];
  for (index_t k = 0; k < out.size; ++k) {
    const T here = !fixed(out, k) ? sums[at(k)] : rows == constrained_rows::identity ? x[at(k)] : T(0);
    y[at(k)] = add ? y[at(k)] + here : here;
  }
  return y;
}

template <class T>
void check_sums(const element_operator_options& o, int dim, const unknowns& in, const unknowns& out,
                constrained_rows rows = constrained_rows::identity) {
  const std::vector<T> nodes = corners<T>(dim, in.elements);
  const fem::element_nodes<T> mesh{
      .dim = dim, .order = 1, .elements = in.elements, .coordinates = nodes.data(), .coefficients = {}};
  const element_operator<T> A(mesh, o);
  const restriction to_x = in.made(), to_y = &in == &out ? to_x : out.made();
  const std::vector<T> x = seeded<T>(in.size, 5), before = seeded<T>(out.size, 6);
  std::vector<int> split(at(in.elements));
  std::mt19937 random(9);
  for (int& part : split) part = int(random() % 3);
  for (const element_order order : {element_order::close, element_order::as_given}) {
    std::vector<index_t> of_sums;
    for (const index_t most : {0, 1, 24}) {
      for (const bool parts : {false, true}) {
        const patch_options patches{.order = order,
                                    .patch_elements = most,
                                    .part = parts ? std::span<const int>(split) : std::span<const int>()};
        const global_operator<T> global(mesh, to_x, to_y, o, patches);
        // Sums go by the order without parts.
        if (most == 0 && !parts) of_sums.assign(global.kernel().order().begin(), global.kernel().order().end());
        for (const bool add : {false, true}) {
          const std::vector<T> wanted = expected(A, in, out, of_sums, x, before, add, rows);
          for (const int threads : {1, 2, 5}) {
            const thread_count running(threads);
            std::vector<T> y = before;
            global.apply({.x = x.data(), .y = y.data(), .add = add, .rows = rows});
            INFO(global.describe() << ", " << threads << " threads, " << (parts ? "in parts" : "whole"));
            CHECK(y == wanted);
          }
        }
      }
    }
  }
}

element_operator_options options_of(operator_kind kind, int order, target on, element_form form) {
  return {.kind = kind, .trial = {.order = order}, .points = order + 2, .form = form, .on = on};
}

}  // namespace

TEST_CASE("global operators: sums of the elements' results, the same bits by any patches, parts, threads",
          "[fem][global]") {
  for (const target on : testing::cpu_targets())
    for (const int dim : {1, 2, 3}) {
      const index_t cells = dim == 1 ? 40 : dim == 2 ? 7 : 3;
      for (const int p : {1, 2, 3}) {
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
  check_sums<double>(large, 3, u, u);
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
  check_failure(status::invalid_argument, {"one restriction"}, [&] { A.apply(in.data(), out.data()); });
  check_failure(status::shape_mismatch, {"different restrictions"}, [&] { A.diagonal(out.data()); });
}

TEST_CASE("global operators: D and coefficients in the caller's order", "[fem][global]") {
  const unknowns u = shuffled_box(2, 6, 2, 1, false, 12);
  const element_operator_options o =
      options_of(operator_kind::mass, 2, target_from_name("best"), element_form::partial_assembly);
  const index_t points = 16;
  const std::vector<double> D = seeded<double>(points * u.elements, 1), x = seeded<double>(u.size, 2);
  const element_operator<double> A(2, u.elements, D.data(), o);
  const global_operator<double> global(2, D.data(), u.made(), o);
  std::vector<double> y(at(u.size));
  global.apply(x.data(), y.data());
  CHECK(y == expected(A, u, u, global.kernel().order(), x, y, false, constrained_rows::identity));

  const std::vector<double> nodes = corners<double>(2, u.elements);
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
    fem::element_nodes<double> mesh{.dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data()};
    mesh.coefficients_at_points = D.data();
    mesh.coefficients_given = 1;
    element_operator_options by = o;
    by.form = form;
    const element_operator<double> B(mesh, by);
    const global_operator<double> of_nodes(mesh, u.made(), by);
    of_nodes.apply(x.data(), y.data());
    CHECK(y == expected(B, u, u, of_nodes.kernel().order(), x, y, false, constrained_rows::identity));
  }
}

TEST_CASE("global operators: the diagonal is what unit vectors give", "[fem][global]") {
  unknowns u = shuffled_box(2, 3, 2, 2, true, 6);
  u.negative = negative_offset::sign;
  for (std::size_t j = 0; j < u.offsets.size(); j += 5) u.offsets[j] = -1 - u.offsets[j];
  u.constrained = {3, 4};
  element_operator_options o =
      options_of(operator_kind::diffusion, 2, target_from_name("best"), element_form::partial_assembly);
  o.components = 2;
  const std::vector<double> nodes = corners<double>(2, u.elements);
  const global_operator<double> A(
      {.dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}}, u.made(), o);
  std::vector<double> diagonal(at(u.size)), x(at(u.size)), y(at(u.size));
  A.diagonal(diagonal.data());
  for (index_t k = 0; k < u.size; ++k) {
    x[at(k)] = 1;
    A.apply(x.data(), y.data());
    CHECK(diagonal[at(k)] == Approx(y[at(k)]).margin(1e-13));
    x[at(k)] = 0;
  }
}

TEST_CASE("global operators: mistakes are named", "[fem][global]") {
  const unknowns u = shuffled_box(2, 3, 2, 1, false, 6);
  const element_operator_options o =
      options_of(operator_kind::mass, 2, target_from_name("best"), element_form::partial_assembly);
  const std::vector<double> nodes = corners<double>(2, u.elements);
  const fem::element_nodes<double> mesh{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  const restriction r = u.made();
  const global_operator<double> A(mesh, r, o);
  std::vector<double> x(at(u.size)), y(at(u.size));
  check_failure(status::null_pointer, {"x is a null pointer"}, [&] { A.apply(nullptr, y.data()); });
  check_failure(status::overlap, {"x and y overlap"}, [&] { A.apply(y.data(), y.data()); });
  check_failure(status::overlap, {"x and y overlap"}, [&] { A.apply(y.data() + u.size - 1, y.data()); });
  check_failure(status::invalid_argument, {"constrained rows 7"},
                [&] { A.apply({.x = x.data(), .y = y.data(), .rows = constrained_rows(7)}); });
  auto run = A.begin({.x = x.data(), .y = y.data()});
  check_failure(status::invalid_argument, {"part 1 of 1"}, [&] { run.run(1); });
  check_failure(status::invalid_argument, {"part 0 has not run"}, [&] { run.end(); });
  run.run(0);
  check_failure(status::invalid_argument, {"part 0 has run"}, [&] { run.run(0); });
  run.end();
  check_failure(status::invalid_argument, {"has ended"}, [&] { run.end(); });

  element_operator_options other = o;
  other.trial.order = 3;
  check_failure(status::shape_mismatch, {"9 entries", "16"}, [&] { global_operator<double>(mesh, r, other); });
  fem::element_nodes<double> fewer = mesh;
  fewer.elements = u.elements - 1;
  check_failure(status::shape_mismatch, {std::to_string(u.elements)}, [&] { global_operator<double>(fewer, r, o); });
  std::vector<int> parts(at(u.elements));
  parts.back() = -1;
  check_failure(status::invalid_argument, {"in part -1"},
                [&] { global_operator<double>(mesh, r, o, {.part = parts}); });
  parts.pop_back();
  check_failure(status::shape_mismatch, {"parts of"}, [&] { global_operator<double>(mesh, r, o, {.part = parts}); });
  check_failure(status::invalid_argument, {"-4 elements of a patch"},
                [&] { global_operator<double>(mesh, r, o, {.patch_elements = -4}); });
  check_failure(status::invalid_argument, {"order 5"},
                [&] { global_operator<double>(mesh, r, o, {.order = element_order(5)}); });
}

TEST_CASE("global operators: no elements, and an empty part", "[fem][global]") {
  const element_operator_options o =
      options_of(operator_kind::mass, 1, target_from_name("best"), element_form::partial_assembly);
  const restriction none({.elements = 0, .entries = 4, .size = 3});
  const fem::element_nodes<double> nothing{.dim = 2, .order = 1, .elements = 0, .coefficients = {}};
  const std::vector<double> x(3, 1.0);
  std::vector<double> y(3, 7.0);
  global_operator<double>(nothing, none, o).apply(x.data(), y.data());
  CHECK(y == std::vector<double>(3, 0.0));

  const unknowns u = shuffled_box(2, 2, 1, 1, false, 6);
  const std::vector<double> nodes = corners<double>(2, u.elements);
  const fem::element_nodes<double> mesh{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  std::vector<int> parts(at(u.elements), 2);
  const global_operator<double> A(mesh, u.made(), o, {.part = parts}), whole(mesh, u.made(), o);
  CHECK(A.kernel().parts() == 3);
  const std::vector<double> in = seeded<double>(u.size, 3);
  std::vector<double> one(at(u.size)), two(at(u.size));
  auto run = A.begin({.x = in.data(), .y = one.data()});
  for (const int part : {2, 0, 1}) run.run(part);
  run.end();
  whole.apply(in.data(), two.data());
  CHECK(one == two);
}

TEST_CASE("global operators: interior elements first, those that need others' values later", "[fem][global]") {
  const unknowns u = shuffled_box(2, 4, 2, 1, false, 6);
  const std::vector<double> corner = corners<double>(2, u.elements), in = seeded<double>(u.size, 3);
  const fem::element_nodes<double> nodes{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = corner.data(), .coefficients = {}};
  const element_operator_options options =
      options_of(operator_kind::diffusion, 2, target_from_name("best"), element_form::partial_assembly);
  const restriction numbers = u.made();
  std::vector<int> part_of_element(at(u.elements));  // 1: has a number that is received late
  const index_t received = u.size / 2;
  for (index_t e = 0; e < u.elements; ++e)
    for (index_t i = 0; i < u.entries; ++i)
      if (numbers.offset(i, e) >= received) part_of_element[at(e)] = 1;
  std::vector<double> x(at(u.size), std::numeric_limits<double>::quiet_NaN()), y(at(u.size)), wanted(at(u.size));
  std::copy(in.begin(), in.begin() + received, x.begin());
  const auto receive = [&] { x = in; };
  global_operator<double>(nodes, numbers, options).apply(in.data(), wanted.data());

  // snippet parts
  const global_operator<double> A(nodes, numbers, options, {.part = part_of_element});
  auto running = A.begin({.x = x.data(), .y = y.data()});
  running.run(0);  // elements of part 0, which need no numbers of other processes
  receive();       // into x, where it is
  running.run(1);
  running.end();  // y is complete
  // end snippet
  CHECK(y == wanted);
}
