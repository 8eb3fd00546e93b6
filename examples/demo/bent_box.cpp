// SPDX-License-Identifier: BSD-3-Clause
// Coordinates and numbers of the nodes of the bent cube.
#include "bent_box.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::demo {

namespace {

using point = std::array<double, 3>;

// Of degree 2 in each direction, so that elements of geometry order 2 represent it exactly.
point bent(const point& x) {
  const double bump = 64 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
  return {x[0] + 0.1 * bump, x[1] - 0.05 * bump, x[2] + 0.075 * bump};
}

}  // namespace

template <class Body>
void bent_box::for_each_node(int order, const Body& body) const {
  const int d = order + 1;
#pragma omp parallel for
  for (index_t e = 0; e < elements(); ++e) {
    const int c[] = {int(e % cells_[0]), int(e / cells_[0] % cells_[1]), int(e / cells_[0] / cells_[1])};
    for (int i = 0; i < d * d * d; ++i) {
      const int own[] = {i % d, i / d % d, i / d / d};
      body(e, i, c, own);
    }
  }
}

bent_box::bent_box(const std::array<int, 3>& cells, int p) : cells_(cells), p_(p) {
  line_ = fem::gauss_lobatto(p + 1).points;
  const int g = std::min(p, 2), n = (g + 1) * (g + 1) * (g + 1);
  coordinates_.resize(std::size_t(3 * n * elements()));
  // For order 1 and 2 the Gauss-Lobatto points are equidistant.
  for_each_node(g, [&](index_t e, int i, const int* c, const int* own) {
    point x;
    for (std::size_t a = 0; a < 3; ++a) x[a] = (c[a] + double(own[a]) / g) / cells_[a];
    x = bent(x);
    for (std::size_t a = 0; a < 3; ++a) coordinates_[std::size_t(i + n * (index_t(a) + 3 * e))] = x[a];
  });
  const index_t d3 = index_t(p + 1) * (p + 1) * (p + 1);
  number_.resize(std::size_t(d3 * elements()));
  for_each_node(p, [&](index_t e, int i, const int* c, const int* own) {
    index_t at[3];
    for (int a = 0; a < 3; ++a) at[a] = index_t(c[a]) * p_ + own[a];
    number_[std::size_t(i + d3 * e)] = int(at[0] + side(0) * (at[1] + side(1) * at[2]));
  });
}

bool bent_box::on_surface(index_t unknown) const {
  for (int a = 0; a < 3; ++a) {
    const index_t at = unknown % side(a);
    if (at == 0 || at + 1 == side(a)) return true;
    unknown /= side(a);
  }
  return false;
}

fem::element_nodes<double> bent_box::nodes() const {
  return {.dim = 3, .order = std::min(p_, 2), .elements = elements(), .coordinates = coordinates_.data()};
}

std::vector<double> bent_box::linear_field(const std::array<double, 3>& a) const {
  std::vector<double> values(number_.size());
  const index_t d3 = index_t(p_ + 1) * (p_ + 1) * (p_ + 1);
  for_each_node(p_, [&](index_t e, int i, const int* c, const int* own) {
    point x, first;
    for (std::size_t b = 0; b < 3; ++b) {
      x[b] = (c[b] + line_[std::size_t(own[b])]) / cells_[b];
      first[b] = double(c[b]) / cells_[b];
    }
    x = bent(x);
    first = bent(first);
    double& value = values[std::size_t(i + d3 * e)];
    for (std::size_t b = 0; b < 3; ++b) value += a[b] * (x[b] - first[b]);
  });
  return values;
}

std::array<int, 3> box_of(double elements) {
  const int n = std::max(1, int(std::cbrt(elements) + 1e-9));
  return {n, n, std::max(1, int(elements / n / n))};
}

}  // namespace tessera::demo
