// SPDX-License-Identifier: BSD-3-Clause
// Values that are given at constrained numbers, and hanging nodes, around operators between L-vectors.
#include "global_sums.hpp"
#include "testing/failure.hpp"

#include <tessera/fem/basis.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>
#include <tessera/solver/linear_constraints.hpp>

#include <cmath>
#include <utility>

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("global operators: the load of given values", "[fem][global]") {
  for (const bool signs : {false, true}) {
    unknowns u = shuffled_box(2, 4, 2, 2, true, 6);
    if (signs) {
      u.negative = negative_offset::sign;
      for (std::size_t j = 0; j < u.offsets.size(); j += 5) u.offsets[j] = -1 - u.offsets[j];
    }
    const restriction all = u.made();
    for (index_t k = 1; k < u.size; k += 7) u.constrained.push_back(k);
    element_operator_options o =
        options_of(operator_kind::diffusion, 2, target_from_name("best"), element_form::partial_assembly);
    o.components = 2;
    const std::vector<double> nodes = corners<double>(2, u.elements);
    const fem::element_nodes<double> mesh{
        .dim = 2, .order = 1, .elements = u.elements, .coordinates = nodes.data(), .coefficients = {}};
    const global_operator<double> A(mesh, u.made(), o), free(mesh, all, o);
    const std::vector<double> load = seeded<double>(u.size, 3);
    std::vector<double> given(at(u.size)), of_given(given), b = load;
    for (const index_t k : u.constrained) given[at(k)] = load[at(k)];
    free.apply(given.data(), of_given.data());
    A.eliminate(b.data());
    for (index_t k = 0; k < u.size; ++k)
      if (given[at(k)] != 0)
        CHECK(b[at(k)] == load[at(k)]);
      else
        CHECK(b[at(k)] == Approx(load[at(k)] - of_given[at(k)]).margin(1e-12));

    std::vector<int> part(at(u.elements));
    for (index_t e = 0; e < u.elements; ++e) part[at(e)] = int(e * e % 3);
    std::vector<double> in_parts = load;
    global_operator<double>(mesh, u.made(), o, {.patch_elements = 3, .part = part}).eliminate(in_parts.data());
    CHECK(in_parts == b);
    std::vector<double> unchanged = load;
    free.eliminate(unchanged.data());
    CHECK(unchanged == load);
    const global_operator<double> other(mesh, u.made(), all, o);
    check_failure(status::shape_mismatch, {"eliminate", "different restrictions"}, [&] { other.eliminate(b.data()); });
    check_failure(status::null_pointer, {"eliminate", "b is a null pointer"}, [&] { A.eliminate(nullptr); });
  }
}

TEST_CASE("a polynomial with given values on the boundary is solved for exactly", "[fem][global]") {
  const int order = 3;
  const index_t cells = 3, side = order * cells + 1;
  const restriction box = restriction::box({.dim = 2, .cells = {cells, cells, 0}, .order = order});
  const fem::basis functions(fem::basis_kind::gauss_lobatto, order);
  std::vector<double> corners_of_cells, b, exact;
  std::vector<index_t> boundary;
  std::vector<std::int64_t> numbers;
  for (index_t e = 0; e < cells * cells; ++e) {
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < 4; ++i) corners_of_cells.push_back(double(c == 0 ? e % cells + i % 2 : e / cells + i / 2));
    for (index_t i = 0; i < box.entries(); ++i) numbers.push_back(box.offset(i, e));
  }
  const auto place = [&](index_t i) { return double(i / order) + functions.nodes()[at(i % order)]; };
  for (index_t k = 0; k < side * side; ++k) {
    const double x = place(k % side), y = place(k / side);
    exact.push_back(x * x * x - 3 * x * y * y + 2 * x - y + 1);  // harmonic
    const bool is_given = k % side == 0 || k % side == side - 1 || k / side == 0 || k / side == side - 1;
    if (is_given) boundary.push_back(k);
    b.push_back(is_given ? exact.back() : 0);
  }
  const global_operator<double> A(
      {.dim = 2, .order = 1, .elements = cells * cells, .coordinates = corners_of_cells.data(), .coefficients = {}},
      restriction({.elements = cells * cells,
                   .entries = box.entries(),
                   .size = side * side,
                   .offsets64 = numbers.data(),
                   .constrained = boundary}),
      {.kind = operator_kind::diffusion, .trial = {.order = order}});
  A.eliminate(b.data());
  std::vector<double> u(b.size());
  CHECK(conjugate_gradient<double>(A, jacobi(A), {.relative = 1e-13}).solve_from_zero(b.data(), u.data()).solved());
  for (std::size_t k = 0; k < u.size(); ++k) CHECK(u[k] == Approx(exact[k]).margin(1e-9));
}

namespace {

/// A cell [0, 1] x [0, 1] beside four of half its size: nodes of theirs hang on its right side. Numbers are the cell's,
/// then the four's, row by row.
struct hanging_mesh {
  int order;
  index_t side, size;
  fem::basis functions;
  std::vector<double> corners;
  std::vector<std::int64_t> numbers;
  std::vector<std::pair<double, double>> places;

  explicit hanging_mesh(int p)
      : order(p), side(2 * p + 1), size((p + 1) * (p + 1) + side * side), functions(fem::basis_kind::gauss_lobatto, p) {
    const auto add_cell = [&](double x, double y, double h) {
      for (int i = 0; i < 4; ++i) corners.push_back(x + h * (i % 2));
      for (int i = 0; i < 4; ++i) corners.push_back(y + h * (i / 2));
    };
    const auto node = [&](index_t i) { return functions.nodes()[at(i)]; };
    const index_t n = p + 1;
    add_cell(0, 0, 1);
    for (index_t i = 0; i < n * n; ++i) {
      numbers.push_back(i);
      places.push_back({node(i % n), node(i / n)});
    }
    for (int cell = 0; cell < 4; ++cell) {
      add_cell(1 + 0.5 * (cell % 2), 0.5 * (cell / 2), 0.5);
      for (index_t i = 0; i < n * n; ++i)
        numbers.push_back(n * n + cell % 2 * p + i % n + side * (cell / 2 * p + i / n));
    }
    const auto half = [&](index_t i) { return 0.5 * (double(i / p) + (i % p == 0 ? 0 : node(i % p))); };
    for (index_t i = 0; i < side * side; ++i) places.push_back({1 + half(i % side), half(i / side)});
  }
  global_operator<double> made(operator_kind kind) const {
    return {
        {.dim = 2, .order = 1, .elements = 5, .coordinates = corners.data(), .coefficients = {}},
        restriction({.elements = 5, .entries = (order + 1) * (order + 1), .size = size, .offsets64 = numbers.data()}),
        {.kind = kind, .trial = {.order = order}}};
  }
  // The functions of the side of the large cell at y.
  std::vector<double> on_side(double y) const {
    std::vector<double> values;
    for (std::size_t j = 0; j < functions.nodes().size(); ++j) {
      double value = 1;
      for (std::size_t m = 0; m < functions.nodes().size(); ++m)
        if (m != j) value *= (y - functions.nodes()[m]) / (functions.nodes()[j] - functions.nodes()[m]);
      values.push_back(value);
    }
    return values;
  }
};

}  // namespace

TEST_CASE("hanging nodes: a polynomial is solved for exactly", "[fem][global][constraints]") {
  for (const int p : {1, 2, 3, 5}) {
    const hanging_mesh mesh(p);
    // -div grad u = f
    const auto exact = [&](double x, double y) { return std::pow(x, p) + 2 * std::pow(y, p) - x + y; };
    const auto f = [&](double x, double y) {
      return p < 2 ? 0.0 : -p * (p - 1) * (std::pow(x, p - 2) + 2 * std::pow(y, p - 2));
    };
    std::vector<double> f_at_nodes, b(at(mesh.size)), u(at(mesh.size)), d(at(mesh.size));
    std::vector<std::vector<index_t>> others;
    std::vector<std::vector<double>> weights;
    std::vector<linear_constraint> all;
    others.reserve(at(mesh.size));
    weights.reserve(at(mesh.size));
    const index_t n = p + 1;
    for (index_t k = 0; k < mesh.size; ++k) {
      const auto [x, y] = mesh.places[at(k)];
      f_at_nodes.push_back(f(x, y));
      const bool hangs = k >= n * n && (k - n * n) % mesh.side == 0;
      if (hangs) {
        others.emplace_back();
        for (index_t j = 0; j < n; ++j) others.back().push_back(p + n * j);
        weights.push_back(mesh.on_side(y));
        all.push_back({.number = k, .others = others.back(), .weights = weights.back()});
      } else if (x == 0 || x == 2 || y == 0 || y == 1) {
        all.push_back({.number = k, .value = exact(x, y)});
      }
    }
    const global_operator<double> A = mesh.made(operator_kind::diffusion), M = mesh.made(operator_kind::mass);
    M.apply(f_at_nodes.data(), b.data());
    const index_t size = mesh.size;
    // snippet constraints
    const linear_constraints C(size, all);  // A knows nothing of them
    condense(A, C, b.data());
    A.diagonal(d.data());
    C.collect_diagonal(d.data());
    conjugate_gradient<double> solver(constrained_operator<double>(A, C), jacobi<double>(size, d.data()),
                                      {.relative = 1e-14});
    const solve_result result = solver.solve_from_zero(b.data(), u.data());
    C.distribute(u.data());
    // end snippet
    INFO(p << ": " << result.describe() << "; " << C.describe());
    CHECK(result.solved());
    for (index_t k = 0; k < mesh.size; ++k)
      CHECK(u[at(k)] == Approx(exact(mesh.places[at(k)].first, mesh.places[at(k)].second)).margin(1e-9));
  }
}
