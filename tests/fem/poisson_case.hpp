// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on the unit square, for tests of solvers around fem::global_operator.
#pragma once

#include "global_sums.hpp"

#include <tessera/fem/basis.hpp>
#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

#include <cmath>
#include <optional>

namespace tessera::testing {

/// -div grad u = f on the unit square, u = sin(pi x) sin(pi y).
template <class T>
struct poisson {
  int order;
  index_t cells, side = order * cells + 1;
  restriction box = restriction::box({.dim = 2, .cells = {cells, cells, 0}, .order = order});
  std::vector<std::int64_t> numbers{};
  std::vector<index_t> boundary{};
  std::vector<T> corners{};

  poisson(int p, index_t n) : order(p), cells(n) {
    for (index_t e = 0; e < n * n; ++e) {
      for (index_t i = 0; i < box.entries(); ++i) numbers.push_back(box.offset(i, e));
      for (int c = 0; c < 2; ++c)
        for (int i = 0; i < 4; ++i) corners.push_back(T(double(c == 0 ? e % n + i % 2 : e / n + i / 2) / double(n)));
    }
    for (index_t k = 0; k < size(); ++k)
      if (k % side == 0 || k % side == side - 1 || k / side == 0 || k / side == side - 1) boundary.push_back(k);
  }
  index_t size() const { return side * side; }

  global_operator<T> made(operator_kind kind, bool constrained, std::span<const int> part = {},
                          std::optional<target> on = {}) const {
    const fem::element_nodes<T> nodes{
        .dim = 2, .order = 1, .elements = cells * cells, .coordinates = corners.data(), .coefficients = {}};
    const restriction_spec s{
        .elements = cells * cells,
        .entries = box.entries(),
        .size = size(),
        .offsets64 = numbers.data(),
        .constrained = constrained ? std::span<const index_t>(boundary) : std::span<const index_t>{}};
    return global_operator<T>(nodes, restriction(s), {.kind = kind, .trial = {.order = order}, .on = on},
                              {.part = part});
  }
  std::vector<double> exact() const {
    const double pi = std::acos(-1.0);
    const fem::basis functions(fem::basis_kind::gauss_lobatto, order);
    const auto place = [&](index_t i) {
      return (double(i / order) + functions.nodes()[at(i % order)]) / double(cells);
    };
    std::vector<double> u;
    for (index_t k = 0; k < size(); ++k) u.push_back(std::sin(pi * place(k % side)) * std::sin(pi * place(k / side)));
    return u;
  }
  // Of all frequencies.
  std::vector<double> rough_right_hand_side() const {
    std::vector<double> b = seeded<double>(size(), 5);
    for (const index_t k : boundary) b[at(k)] = 0;
    return b;
  }
  std::vector<double> right_hand_side() const {
    const double pi = std::acos(-1.0);
    std::vector<double> f = exact(), b(f.size());
    for (double& value : f) value *= 2 * pi * pi;
    made(operator_kind::mass, false).apply(f.data(), b.data());
    for (const index_t k : boundary) b[at(k)] = 0;
    return b;
  }
};

}  // namespace tessera::testing
