// SPDX-License-Identifier: BSD-3-Clause
// What kernels of symmetric element matrices read besides D: products of functions, and tables of places.
#pragma once

#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/gpu/detail/element/pair_layout.hpp>

namespace tessera::device {

/// The kernel's constants, of functions with values (q,d) at the points: those of pair_units.
template <class T>
std::vector<T> constants_of_pairs(const pair_units& units, const std::vector<double>& values) {
  const int q = units.points, d = units.functions, even = units.even_points();
  std::vector<T> all(std::size_t(units.entries()));
  for (int j = 0; j < d; ++j)
    for (int i = j; i < d; ++i) {
      if (units.mirrored && i + j > d - 1) continue;
      const double *of_i = values.data() + q * i, *of_j = values.data() + q * j;
      const auto product = [&](int k) { return of_i[k] * of_j[k]; };
      T* const to = all.data() + q * units.of(i, j);
      for (int n = 0; n < q; ++n) {
        const int k = n < even ? n : n - even, back = q - 1 - k;
        const bool whole = !units.mirrored || k == back;
        to[n] = T(whole ? product(k) : n < even ? (product(k) + product(back)) / 2 : (product(k) - product(back)) / 2);
      }
    }
  return all;
}

/// One copy of a table of places: see places.cuh for the others.
struct place_table {
  std::vector<unsigned short> at;
  int pitch = 0;

  /// Copies of what `one` has, shifted by 0 .. copies - 1.
  static place_table of(const std::vector<unsigned short>& one, int copies) {
    place_table t;
    t.pitch = (int(one.size()) + copies - 1 + copies) / copies * copies;
    t.at.resize(std::size_t(t.pitch) * std::size_t(copies));
    for (int s = 0; s < copies; ++s)
      for (std::size_t n = 0; n < one.size(); ++n) t.at[std::size_t(t.pitch + 1) * std::size_t(s) + n] = one[n];
    return t;
  }
};

/// body(i, j) for the entries of n x n matrices, from column `first` on, in their order.
template <class Body>
void each_entry(int n, int first, int last, bool packed, const Body& body) {
  for (int j = first; j < last; ++j)
    for (int i = packed ? j : 0; i < n; ++i) body(i, j);
}

/// Of the kernel in pair_matrices.cuh.
inline place_table places_of_pairs(const pair_layout& layout) {
  const int d = layout.of.functions, n = layout.functions(), columns = n / layout.slices();
  std::vector<unsigned short> all;
  for (int e = 0; e < layout.by.elements; ++e)
    for (int slice = 0; slice < layout.slices(); ++slice) {
      if (layout.by.sliced) all.resize(std::size_t(layout.places_of(slice)));
      each_entry(n, columns * slice, columns * (slice + 1), layout.of.packed, [&](int i, int j) {
        int pair[3] = {}, last = 0;
        for (int a = 0, below = 1; a < layout.of.dim; ++a, below *= d) {
          const int ia = i / below % d, ja = j / below % d;
          pair[a] = pair_of(ia, ja, d);
          last = !layout.by.sliced ? pair[a] : layout.of.packed ? ia - ja : ia;
        }
        all.push_back((unsigned short)layout.staged_place(pair[0], pair[1], last, e));
      });
    }
  return place_table::of(all, 16 / layout.of.entry_bytes);
}

}  // namespace tessera::device
