// SPDX-License-Identifier: BSD-3-Clause
// A bent box of elements, cut into a slab for each process: what a code with a mesh of its own hands over.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/fem/distributed_operator.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tessera::examples {

/// Layers of nodes are numbered upwards. A process owns those of its elements but the lowest, which it receives from
/// the process below, that sends its highest one.
struct slab {
  int order;
  std::array<index_t, 3> cells;  // of the whole box
  int process, processes;
  index_t below, elements_up;  // layers of elements below, and of this slab
  std::array<index_t, 2> side;
  index_t plane, owned, size;

  slab(int p, const std::array<index_t, 3>& all, int r, int n)
      : order(p),
        cells(all),
        process(r),
        processes(n),
        below(all[2] * r / n),
        elements_up(all[2] * (r + 1) / n - below),
        side{p * all[0] + 1, p * all[1] + 1},
        plane(side[0] * side[1]),
        owned(plane * (p * elements_up + (r == 0 ? 1 : 0))),
        size(plane * (p * elements_up + 1)) {}

  index_t elements() const { return cells[0] * cells[1] * elements_up; }
  bool has_below() const { return process > 0; }
  bool has_above() const { return process + 1 < processes; }

  /// Of a node of layer k of this slab.
  index_t number(index_t i, index_t j, index_t k) const {
    const index_t at = i + side[0] * j;
    if (!has_below()) return at + plane * k;
    return k == 0 ? owned + at : at + plane * (k - 1);
  }
  std::vector<index_t> highest() const {
    std::vector<index_t> all;
    for (index_t at = 0; has_above() && at < plane; ++at) all.push_back(owned - plane + at);
    return all;
  }
  std::vector<index_t> boundary() const {
    std::vector<index_t> all;
    const index_t top = order * elements_up;
    for (index_t k = 0; k <= top; ++k)
      for (index_t j = 0; j < side[1]; ++j)
        for (index_t i = 0; i < side[0]; ++i)
          if (i == 0 || j == 0 || i + 1 == side[0] || j + 1 == side[1] || (k == 0 && !has_below()) ||
              (k == top && !has_above()))
            all.push_back(number(i, j, k));
    return all;
  }
  restriction unknowns(bool fixed) const {
    std::vector<std::int64_t> offsets;
    for (index_t e = 0; e < elements(); ++e) {
      const index_t at[3] = {e % cells[0], e / cells[0] % cells[1], e / (cells[0] * cells[1])};
      for (index_t k = 0; k <= order; ++k)
        for (index_t j = 0; j <= order; ++j)
          for (index_t i = 0; i <= order; ++i)
            offsets.push_back(number(order * at[0] + i, order * at[1] + j, order * at[2] + k));
    }
    const std::vector<index_t> constrained = fixed ? boundary() : std::vector<index_t>();
    return restriction({.elements = elements(),
                        .entries = (order + 1) * (order + 1) * (order + 1),
                        .size = size,
                        .offsets64 = offsets.data(),
                        .constrained = constrained});
  }
  /// Corners of the elements, as fem::element_nodes takes them.
  std::vector<double> corners() const {
    std::vector<double> all;
    all.reserve(std::size_t(24 * elements()));
    const double pi = std::acos(-1.0);
    for (index_t e = 0; e < elements(); ++e) {
      const index_t at[3] = {e % cells[0], e / cells[0] % cells[1], e / (cells[0] * cells[1]) + below};
      for (int c = 0; c < 3; ++c)
        for (int corner = 0; corner < 8; ++corner) {
          double x[3], bump = 0.05;
          for (int a = 0; a < 3; ++a) {
            x[a] = double(at[a] + (corner >> a & 1)) / double(cells[std::size_t(a)]);
            bump *= std::sin(pi * x[a]);
          }
          all.push_back(x[c] + (c == 1 ? -bump : bump));
        }
    }
    return all;
  }
};

}  // namespace tessera::examples
