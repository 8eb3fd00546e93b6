// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by even and odd parts: functions, and places.
#pragma once

#include <utility>
#include <vector>

#include <tessera/gpu/detail/element/pair_tables.hpp>
#include <tessera/gpu/detail/element/parity_layout.hpp>

namespace tessera::device {

/// The launch's constants, of functions with values (q,d) at the points and slopes there: those of parity_functions.
inline std::vector<double> constants_of_parities(const parity_layout& layout, const std::vector<double>& values,
                                                 const std::vector<double>& slopes) {
  const parity_functions f = layout.tables();
  const int d = f.functions, q = f.points;
  std::vector<double> all(std::size_t(f.entries()));
  for (const bool odd : {false, true})
    for (int i = 0; i < f.count(odd); ++i) {
      const auto part = [&](const std::vector<double>& table, int k) {
        const double own = table.data()[k + q * i], mirrored = table.data()[k + q * (d - 1 - i)];
        return odd ? (own - mirrored) / 2 : (own + mirrored) / 2;
      };
      for (int k = 0; k < f.points_of(odd); ++k) all[std::size_t(f.value(odd, i, k))] = part(values, k);
      for (int k = 0; k < f.points_of(!odd); ++k) all[std::size_t(f.slope(odd, i, k))] = part(slopes, k);
    }
  return all;
}

/// Products of pairs (i,j) of functions, two at a time: B_i B_j and G_i G_j, then B_i G_j and G_i B_j: [product of
/// two][pair] [which two][point].
inline std::vector<double> products_of_parities(int d, int q, const std::vector<double>& values,
                                                const std::vector<double>& slopes) {
  std::vector<double> all;
  for (int k = 0; k < q; ++k)
    for (const bool alike : {true, false})
      for (int j = 0; j < d; ++j)
        for (int i = j; i < d; ++i) {
          const int of_i = k + q * i, of_j = k + q * j;
          all.push_back(values.data()[of_i] * (alike ? values : slopes).data()[of_j]);
          all.push_back(slopes.data()[of_i] * (alike ? slopes : values).data()[of_j]);
        }
  return all;
}

inline place_table places_of_parities(const parity_layout& layout) {
  const int d = layout.of.functions, n = layout.functions();
  std::vector<unsigned short> all;
  for (int e = 0; e < layout.by.elements; ++e)
    each_entry(n, 0, n, layout.of.packed, [&](int i, int j) {
      if (i / d < j / d) std::swap(i, j);
      const int slot = layout.slot(i % d, j % d) + layout.pitch() * (pair_of(i / d, j / d, d) + layout.pairs() * e);
      all.push_back((unsigned short)(slot + (layout.is_difference(i % d, j % d) ? layout.staged_sums() : 0)));
    });
  return place_table::of(all, 1);
}

}  // namespace tessera::device
