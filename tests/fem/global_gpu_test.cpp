// SPDX-License-Identifier: BSD-3-Clause
// Operators between L-vectors on a GPU: the sums of the elements' results, the same bits for any patches and parts.
#include "global_sums.hpp"
#include "placed.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace tessera;
using namespace tessera::testing;

template <class T>
bool is_near(const std::vector<T>& a, const std::vector<T>& b) {
  T largest(0), worst(0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, std::abs(b[k]));
    if (!(std::abs(a[k] - b[k]) <= worst)) worst = std::abs(a[k] - b[k]);
  }
  return worst <= 1000 * std::numeric_limits<T>::epsilon() * largest;
}

template <class T>
std::vector<T> applied(const global_operator<T>& A, const std::vector<T>& x, const std::vector<T>& before, bool add,
                       constrained_rows rows, bool backwards) {
  const placed<T> from(x, true), to(before, true);
  const global_application<T> a{.x = from.data(), .y = to.data(), .add = add, .rows = rows};
  auto running = A.begin(a);
  for (int k = 0; k < A.kernel().parts(); ++k) running.run(backwards ? A.kernel().parts() - 1 - k : k);
  running.end();
  return to.read();
}

// y as well.
template <class T>
double dot_of(const global_operator<T>& A, const std::vector<T>& x, constrained_rows rows, std::vector<T>& y) {
  const placed<T> from(x, true), to(std::vector<T>(at(A.size())), true);
  const placed<double> dot(std::vector<double>{std::nan("")}, true);
  A.apply({.x = from.data(), .y = to.data(), .rows = rows, .dot = dot.data()});
  y = to.read();
  return dot.read()[0];
}

// Against the definition on a CPU.
template <class T>
void check_gpu_sums(const element_operator_options& o, int dim, const unknowns& in, const unknowns& out,
                    constrained_rows rows = constrained_rows::identity) {
  const std::vector<T> nodes = corners<T>(dim, in.elements);
  const fem::element_nodes<T> mesh{
      .dim = dim, .order = 1, .elements = in.elements, .coordinates = nodes.data(), .coefficients = {}};
  element_operator_options here = o, there = o;
  here.on = target_from_name("best");
  there.on = target::cuda;
  const element_operator<T> reference(mesh, here);
  const restriction to_x = in.made(), to_y = &in == &out ? to_x : out.made();
  const std::vector<T> x = seeded<T>(in.size, 5), before = seeded<T>(out.size, 6);
  std::vector<int> split(at(in.elements));
  for (index_t e = 0; e < in.elements; ++e) split[at(e)] = int(e * e % 3);
  std::vector<index_t> order(at(in.elements));
  std::iota(order.begin(), order.end(), index_t(0));
  std::optional<double> first_dot;
  std::vector<T> first_with_dot;
  for (const bool add : {false, true}) {
    const std::vector<T> wanted = expected(reference, in, out, order, x, before, add, rows);
    std::vector<T> first;
    for (const index_t most : {0, 1, 5, 40})
      for (const bool parts : {false, true}) {
        const global_operator<T> A(
            mesh, to_x, to_y, there,
            {.patch_elements = most, .part = parts ? std::span<const int>(split) : std::span<const int>()});
        INFO(A.describe());
        const std::vector<T> y = applied(A, x, before, add, rows, parts);
        if (first.empty()) {
          first = y;
          CHECK(is_near(y, wanted));
        }
        CHECK(y == first);
        CHECK(applied(A, x, before, add, rows, false) == first);
        if (add || in.size != out.size) continue;
        std::vector<T> y_with_dot;
        const double dot = dot_of(A, x, rows, y_with_dot);
        if (!first_dot) first_dot = dot, first_with_dot = y_with_dot;
        // A kernel of its own: products and sums may be fused elsewhere.
        CHECK(is_near(y_with_dot, wanted));
        CHECK(y_with_dot == first_with_dot);
        CHECK(is_dot(dot, x, y_with_dot));
        CHECK(dot == *first_dot);
      }
    const global_operator<T> atomic(mesh, to_x, to_y, there, {.sums = sum_order::atomic});
    CHECK(is_near(applied(atomic, x, before, add, rows, false), wanted));
  }
}

}  // namespace

TEST_CASE("gpu global operators: every kind, stored and computed D", "[fem][global][gpu][sanitize]") {
  if (absent()) return;
  for (const int dim : {2, 3}) {
    const unknowns u = shuffled_box(dim, dim == 2 ? 5 : 3, 2, 1, false, 3);
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion, operator_kind::helmholtz})
      for (const element_form form : {element_form::partial_assembly, element_form::matrix_free})
        check_gpu_sums<double>(options_of(kind, 2, target::cuda, form), dim, u, u);
    check_gpu_sums<float>(options_of(operator_kind::convection, 2, target::cuda, element_form::partial_assembly), dim,
                          u, u);
    element_operator_options o = options_of(operator_kind::mass, 2, target::cuda, element_form::partial_assembly);
    o.storage = point_storage::in_float;
    const std::vector<double> nodes = corners<double>(dim, u.elements);
    const fem::element_nodes<double> mesh{
        .dim = dim, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
    const global_operator<double> A(mesh, u.made(), o);
    const std::vector<double> x = seeded<double>(u.size, 5);
    const std::vector<double> y = applied(A, x, x, false, constrained_rows::identity, false);
    o.on = target_from_name("best");
    std::vector<double> wanted(x.size());
    global_operator<double>(mesh, u.made(), o).apply(x.data(), wanted.data());
    CHECK(is_near(y, wanted));
  }
}

TEST_CASE("gpu global operators: orders", "[fem][global][gpu]") {
  if (absent()) return;
  for (const int p : {1, 3, 4, 5, 6, 7, 8}) {
    const unknowns u = shuffled_box(3, p < 5 ? 3 : 2, p, 1, false, 3);
    for (const operator_kind kind : {operator_kind::mass, operator_kind::diffusion})
      check_gpu_sums<double>(options_of(kind, p, target::cuda, element_form::partial_assembly), 3, u, u);
  }
}

TEST_CASE("gpu global operators: x.y summed by elements", "[fem][global][gpu][sanitize]") {
  if (absent()) return;
  unknowns u = shuffled_box(3, 2, 3, 1, false, 3), three = shuffled_box(3, 2, 3, 3, true, 3),
           three_at_once = shuffled_box(3, 2, 2, 3, true, 3);
  for (unknowns* const some : {&u, &three, &three_at_once}) {
    for (index_t k = 1; k < some->size; k += 5) some->constrained.push_back(k);
    some->negative = negative_offset::sign;
    for (std::size_t j = 0; j < some->offsets.size(); j += 3) some->offsets[j] = -1 - some->offsets[j];
  }
  for (const element_form form : {element_form::partial_assembly, element_form::matrix_free}) {
    element_operator_options o = options_of(operator_kind::helmholtz, 3, target::cuda, form);
    check_gpu_sums<double>(o, 3, u, u);
    o.kind = operator_kind::mass;
    check_gpu_sums<float>(o, 3, u, u, constrained_rows::zero);
    o.components = 3;
    o.kind = operator_kind::elasticity;
    check_gpu_sums<double>(o, 3, three, three);
    element_operator_options at_once = options_of(operator_kind::mass, 2, target::cuda, form);
    at_once.components = 3;
    check_gpu_sums<double>(at_once, 3, three_at_once, three_at_once);
  }
}

TEST_CASE("gpu global operators: x.y of no elements and of no numbers", "[fem][global][gpu][sanitize]") {
  if (absent()) return;
  for (const index_t size : {0, 5}) {
    const unknowns none{.elements = 0, .entries = 64, .size = size};
    const global_operator<double> A({.dim = 3, .order = 1, .elements = 0, .coordinates = nullptr, .coefficients = {}},
                                    none.made(),
                                    options_of(operator_kind::mass, 3, target::cuda, element_form::partial_assembly));
    std::vector<double> y;
    CHECK(dot_of(A, seeded<double>(size, 3), constrained_rows::identity, y) == 0);
    CHECK(y == std::vector<double>(at(size)));
  }
}

TEST_CASE("gpu global operators: components, lists, signs, constrained numbers", "[fem][global][gpu][sanitize]") {
  if (absent()) return;
  for (const bool interleaved : {false, true}) {
    unknowns u = shuffled_box(3, 2, 2, 3, interleaved, 4);
    element_operator_options o = options_of(operator_kind::elasticity, 2, target::cuda, element_form::partial_assembly);
    o.components = 3;
    check_gpu_sums<double>(o, 3, u, u);
    o.kind = operator_kind::mass;
    for (index_t k = 1; k < u.size; k += 5) u.constrained.push_back(k);
    check_gpu_sums<double>(o, 3, u, u);
    check_gpu_sums<float>(o, 3, u, u, constrained_rows::zero);
  }
  const element_operator_options o =
      options_of(operator_kind::helmholtz, 2, target::cuda, element_form::partial_assembly);
  for (const index_t size : {1, 5, 200, 5000}) {
    unknowns u = random_unknowns(50, 9, size, std::uint32_t(size));
    u.negative = negative_offset::sign;
    for (std::size_t j = 0; j < u.offsets.size(); j += 3) u.offsets[j] = -1 - u.offsets[j];
    check_gpu_sums<double>(o, 2, u, u);
  }
}

TEST_CASE("gpu global operators: the load of given values", "[fem][global][gpu]") {
  if (absent()) return;
  unknowns u = shuffled_box(3, 3, 2, 2, true, 4);
  for (index_t k = 1; k < u.size; k += 7) u.constrained.push_back(k);
  element_operator_options o = options_of(operator_kind::diffusion, 2, target::cuda, element_form::partial_assembly);
  o.components = 2;
  const std::vector<double> nodes = corners<double>(3, u.elements), load = seeded<double>(u.size, 3);
  const fem::element_nodes<double> mesh{
      .dim = 3, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  const placed<double> there(load, true);
  global_operator<double>(mesh, u.made(), o).eliminate(there.data());
  std::vector<double> on_host = load, wanted = load;
  global_operator<double>(mesh, u.made(), o).eliminate(on_host.data());
  o.on = target_from_name("best");
  global_operator<double>(mesh, u.made(), o).eliminate(wanted.data());
  CHECK(is_near(there.read(), wanted));
  CHECK(on_host == there.read());
}

TEST_CASE("gpu global operators: y of other functions, simplices", "[fem][global][gpu]") {
  if (absent()) return;
  element_operator_options o = options_of(operator_kind::mass, 3, target::cuda, element_form::partial_assembly);
  o.test = fem::function_space{.order = 1};
  const unknowns x = shuffled_box(3, 3, 3, 1, false, 2), y = shuffled_box(3, 3, 1, 1, false, 2);
  check_gpu_sums<double>(o, 3, x, y, constrained_rows::zero);
}

TEST_CASE("gpu restrictions: gather, transposed gather and multiplicity are those of the host",
          "[fem][global][gpu][sanitize]") {
  if (absent()) return;
  unknowns any = random_unknowns(1000, 27, 3000, 7);
  any.components = 3;
  any.size *= 3;
  any.stride = 3000;
  any.negative = negative_offset::sign;
  for (std::size_t j = 0; j < any.offsets.size(); j += 3) any.offsets[j] = -1 - any.offsets[j];
  any.constrained = {5, 17};  // like the others here
  for (const unknowns& u : {any, shuffled_box(3, 4, 3, 2, true, 3), shuffled_box(2, 5, 2, 1, false, 4)}) {
    const restriction G = u.made();
    const std::vector<double> x = seeded<double>(u.size, 1);
    std::vector<double> E(at(u.elements * u.entries * u.components)), y = seeded<double>(u.size, 2), counts(x.size());
    const placed<double> there_x(x, true), there_E(std::vector<double>(E.size()), true), there_y(y, true),
        there_counts(x, true);
    G.to_elements(x.data(), E.data());
    G.add_from_elements(E.data(), y.data());
    G.multiplicity(counts.data());
    for (int twice = 0; twice < 2; ++twice) G.to_elements(there_x.data(), there_E.data());
    G.add_from_elements(there_E.data(), there_y.data());
    G.multiplicity(there_counts.data());
    CHECK(there_E.read() == E);
    CHECK(there_y.read() == y);
    CHECK(there_counts.read() == counts);
    check_failure(status::wrong_space, {"to_elements", "x is in device memory, E is not"},
                  [&] { G.to_elements(there_x.data(), E.data()); });
  }
}

TEST_CASE("gpu global operators: mistakes", "[fem][global][gpu]") {
  if (absent()) return;
  const unknowns u = shuffled_box(2, 3, 2, 1, false, 3);
  const std::vector<double> nodes = corners<double>(2, u.elements);
  const fem::element_nodes<double> mesh{
      .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
  const global_operator<double> A(mesh, u.made(),
                                  options_of(operator_kind::mass, 2, target::cuda, element_form::partial_assembly));
  std::vector<double> x(at(u.size), 1.0), y(at(u.size), 7.0);
  check_failure(status::wrong_space, {"x is not in device memory"}, [&] { A.apply(x.data(), y.data()); });
  CHECK(y[0] == 7.0);
}
