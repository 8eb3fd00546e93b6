// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by lines in halves: products of functions, and places.
#pragma once

#include <utility>
#include <vector>

#include <tessera/gpu/detail/element/halved_layout.hpp>
#include <tessera/gpu/detail/element/pair_tables.hpp>

namespace tessera::device {

/// The launch's constants, of functions with values (q,d) at the points and slopes there: those of halved_units.
inline std::vector<double> constants_of_halves(const halved_units& units, const std::vector<double>& values,
                                               const std::vector<double>& slopes) {
  const int q = units.points;
  std::vector<double> all(std::size_t(units.entries()));
  for (int unit = 0; unit < units.count(); ++unit) {
    const int i = q * units.row_of(unit), j = q * units.column_of(unit);
    const double *B = values.data(), *G = slopes.data();
    for (int kind = 0; kind < halved_units::kinds; ++kind) {
      const auto product = [&](int k) {
        if (kind == halved_units::value) return B[i + k] * B[j + k];
        if (kind == halved_units::slope) return G[i + k] * G[j + k];
        const double first = B[i + k] * G[j + k], second = G[i + k] * B[j + k];
        return (kind == halved_units::both ? first + second : first - second) / 2;
      };
      for (const bool odd : {false, true}) {
        if (!units.has(kind, odd, unit)) continue;
        double* const to = all.data() + units.place(kind, odd, unit);
        for (int k = 0; k < units.points_of(odd); ++k) {
          const int back = q - 1 - k;
          to[k] = k == back ? product(k) : (product(k) + (odd ? -product(back) : product(back))) / 2;
        }
      }
    }
  }
  return all;
}

/// Of tiles: the places of a tile's entries in their order, of those of the tile across the diagonal, and the functions
/// of the last direction of each part's pairs.
inline place_table places_of_tiles(const halved_layout& layout) {
  const int d = layout.of.functions, square = d * d;
  std::vector<unsigned short> all;
  for (const bool across : {false, true})
    each_entry(square, 0, square, false, [&](int i, int j) {
      if (across) std::swap(i, j);
      all.push_back(
          (unsigned short)(layout.place_in_line(i % d, j % d) + layout.pitch() * layout.line_of(i / d, j / d)));
    });
  for (int part = 0; part < layout.parts(); ++part)
    for (int n = 0; n < layout.pairs(); ++n) {
      const halved_layout::pair_of_tile at = layout.pair_of(part, n);
      const int i = layout.units().row_of(at.unit), j = layout.units().column_of(at.unit);
      all.push_back((unsigned short)(at.image ? d - 1 - j : i));
      all.push_back((unsigned short)(at.image ? d - 1 - i : j));
    }
  return place_table::of(all, 1);
}

inline place_table places_of_halves(const halved_layout& layout) {
  if (layout.by.tiled > 0) return places_of_tiles(layout);
  const int d = layout.of.functions, n = layout.functions(), above = n / d, columns = n / layout.parts();
  const pair_layout written = layout.written();
  std::vector<unsigned short> all;
  for (int slice = 0; slice < layout.parts(); ++slice) {
    if (layout.by.sliced) all.resize(std::size_t(written.places_of(slice)));
    each_entry(n, columns * slice, columns * (slice + 1), layout.of.packed, [&](int i, int j) {
      if (!layout.by.sliced && i / above < j / above) std::swap(i, j);
      const int first = layout.by.sliced && layout.of.packed ? slice : 0;  // of a slice's pairs
      const int pair = layout.by.sliced ? i / above - first : pair_of(i / above, j / above, d);
      all.push_back((unsigned short)(layout.place_in_line(i % d, j % d) +
                                     layout.pitch() * layout.line_of(i / d % d, j / d % d) + layout.slot() * pair));
    });
  }
  return place_table::of(all, 2);
}

}  // namespace tessera::device
