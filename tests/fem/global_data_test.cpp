// SPDX-License-Identifier: BSD-3-Clause
// Operators between L-vectors: D and nodes in the caller's order, diagonals, parts, mistakes.
#include "global_sums.hpp"
#include "testing/failure.hpp"

#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <thread>

using namespace tessera;
using namespace tessera::testing;
using fem::element_form;
using fem::element_operator;
using fem::element_operator_options;
using fem::global_operator;
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

TEST_CASE("global operators: diagonals where an element has a number twice", "[fem][global]") {
  // Periodic segments: the matrix of each is one number.
  const std::vector<std::int32_t> offsets{0, 0, 1, 1, -3, 2};
  const restriction r(
      {.elements = 3, .entries = 2, .size = 3, .offsets = offsets.data(), .negative = negative_offset::sign});
  const std::vector<double> nodes{0, 1, 0, 2, 0, 3};
  const global_operator<double> A(
      {.dim = 1, .order = 1, .elements = 3, .coordinates = nodes.data(), .coefficients = {}}, r,
      options_of(operator_kind::mass, 1, target_from_name("best"), element_form::partial_assembly));
  std::vector<double> diagonal(3), x(3), y(3);
  A.diagonal(diagonal.data());
  for (std::size_t k = 0; k < 3; ++k) {
    x.assign(3, 0.0);
    x[k] = 1;
    A.apply(x.data(), y.data());
    CHECK(diagonal[k] == Approx(y[k]));
  }
  CHECK(diagonal[0] == Approx(1));
  CHECK(diagonal[2] == Approx(1));  // 3 (1/3 + 1/3 - 2/6)
}

TEST_CASE("global operators: long runs of numbers, components, constraints, nodes in another layout", "[fem][global]") {
  const index_t cells = 12;
  for (const bool interleaved : {false, true}) {
    const restriction box = restriction::box(
        {.dim = 2, .cells = {cells, cells, 0}, .order = 3, .components = 2, .interleaved = interleaved});
    unknowns u{box.elements(), box.entries(), box.size(), 2, box.component_stride()};
    for (index_t e = 0; e < u.elements; ++e)
      for (index_t i = 0; i < u.entries; ++i) u.offsets.push_back(std::int32_t(box.offset(i, e)));
    for (index_t k = 0; k < u.size; k += 11) u.constrained.push_back(k);
    element_operator_options o =
        options_of(operator_kind::diffusion, 3, target_from_name("best"), element_form::matrix_free);
    o.components = 2;
    check_sums<double>(o, 2, u, u);

    // Two elements side by side, which the caller changes afterwards.
    const std::vector<double> plain = corners<double>(2, u.elements), x = seeded<double>(u.size, 2);
    std::vector<double> paired(plain.size()), one(at(u.size)), other(at(u.size));
    const element_layout layout = element_layout::interleaved(4, 2, 2);
    for (index_t e = 0; e < u.elements; ++e)
      for (index_t c = 0; c < 2; ++c)
        for (index_t i = 0; i < 4; ++i) paired[at(layout.offset(i, c, e))] = plain[at(i + 4 * (c + 2 * e))];
    fem::element_nodes<double> mesh{
        .dim = 2, .order = 1, .elements = u.elements, .coordinates = plain.data(), .coefficients = {}};
    global_operator<double>(mesh, u.made(), o).apply(x.data(), one.data());
    mesh.coordinates = paired.data();
    mesh.layout = layout;
    auto A = std::make_unique<global_operator<double>>(mesh, u.made(), o);
    std::fill(paired.begin(), paired.end(), 0.0);
    auto run = A->begin({.x = x.data(), .y = other.data()});
    A.reset();  // the application has what it needs
    run.run(0);
    run.end();
    CHECK(one == other);
  }
}

TEST_CASE("global operators: another D, and applications at the same time", "[fem][global]") {
  const unknowns u = shuffled_box(2, 6, 2, 1, false, 12);
  const element_operator_options o =
      options_of(operator_kind::mass, 2, target_from_name("best"), element_form::partial_assembly);
  const std::vector<double> D = seeded<double>(16 * u.elements, 1), x = seeded<double>(u.size, 2), zero(D.size());
  global_operator<double> A(2, zero.data(), u.made(), o);
  A.set_data(D.data());
  std::vector<double> wanted(at(u.size));
  global_operator<double>(2, D.data(), u.made(), o).apply(x.data(), wanted.data());
  std::vector<std::vector<double>> y(4, std::vector<double>(at(u.size)));
  std::vector<std::thread> threads;
  for (std::vector<double>& to : y)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) A.apply(x.data(), to.data());
    });
  for (std::thread& t : threads) t.join();
  for (const std::vector<double>& got : y) CHECK(got == wanted);
}

TEST_CASE("global operators: errors name elements as the caller counts them", "[fem][global]") {
  const unknowns u = shuffled_box(2, 6, 2, 1, false, 12);
  const restriction r = u.made();
  const element_operator_options o =
      options_of(operator_kind::mass, 2, target_from_name("best"), element_form::partial_assembly);
  std::vector<double> nodes = corners<double>(2, u.elements);
  fem::element_nodes<double> mesh{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  const auto refused = [&](status code, const char* word) {
    check_failure(code, {word}, [&] { global_operator<double>(mesh, r, o); });
  };
  for (int i = 0; i < 8; ++i) nodes[at(8 * 29 + i)] *= i < 4 ? -1 : 1;
  refused(status::invalid_argument, "element 29 is inverted");
  nodes = corners<double>(2, u.elements);
  mesh.coordinates = nodes.data();
  mesh.layout.entry = -1000000000;
  refused(status::invalid_argument, "negative");
  mesh.layout = {.lanes = 0};
  refused(status::shape_mismatch, "lanes");
  mesh.layout = {};
  mesh.order = 2000000000;
  refused(status::invalid_argument, "order");
  mesh.order = 1;
  mesh.coefficients_at_points = nodes.data();
  mesh.coefficients_given = -1;
  refused(status::shape_mismatch, "coefficients");
  mesh.coefficients_given = 1 << 30;
  refused(status::shape_mismatch, "coefficients");
}

TEST_CASE("global operators: thousands of elements that share one number are ordered at once", "[fem][global]") {
  const index_t elements = 60000;
  std::vector<std::int32_t> offsets;
  for (index_t e = 0; e < elements; ++e)
    for (const index_t k : {index_t(0), e + 1}) offsets.push_back(std::int32_t(k));
  const restriction r({.elements = elements, .entries = 2, .size = elements + 1, .offsets = offsets.data()});
  const std::vector<double> D(at(3 * elements), 1.0);
  const auto start = std::chrono::steady_clock::now();
  const global_operator<double> A(
      1, D.data(), r, options_of(operator_kind::mass, 1, target_from_name("best"), element_form::partial_assembly),
      {.patch_elements = std::numeric_limits<index_t>::max()});
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 10);
  CHECK(A.kernel().describe().find("in 1 patches") != std::string::npos);
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
  parts.back() = 2;
  check_failure(status::invalid_argument, {"in part 2, not in 0..1"},
                [&] { global_operator<double>(mesh, r, o, {.part = parts, .parts = 2}); });
  check_failure(status::invalid_argument, {"-1 parts"}, [&] { global_operator<double>(mesh, r, o, {.parts = -1}); });
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
  const global_operator<double> empty(nothing, restriction({.elements = 0, .entries = 4, .size = 0}), o, {.parts = 2});
  auto all_parts = empty.begin({});
  all_parts.run(0);
  all_parts.run(1);
  all_parts.end();

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
