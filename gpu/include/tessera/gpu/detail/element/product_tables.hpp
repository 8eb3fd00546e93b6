// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by products of warps: fragments of left operands, and places.
#pragma once

#include <utility>
#include <vector>

#include <tessera/gpu/detail/element/pair_tables.hpp>
#include <tessera/gpu/detail/element/product_layout.hpp>

namespace tessera::device {

/// Products of pairs of functions with values (q,d) at the points, or of their slopes: [slopes of which][point][pair].
inline std::vector<double> products_of_pairs(int d, int q, const std::vector<double>& values,
                                             const std::vector<double>& slopes) {
  const int pairs = pairs_of(d);
  std::vector<double> all(4 * std::size_t(q) * std::size_t(pairs));
  const auto at = [&](bool slope, int k, int i) {
    const std::vector<double>& table = slope ? slopes : values;
    return table.empty() ? 0 : table.data()[k + q * i];
  };
  for (int kind = 0; kind < 4; ++kind)
    for (int k = 0; k < q; ++k) {
      double* const to = all.data() + (kind * q + k) * pairs;
      for (int j = 0; j < d; ++j)
        for (int i = j; i < d; ++i) to[pair_of(i, j, d)] = at(kind / 2 == 1, k, i) * at(kind % 2 == 1, k, j);
    }
  return all;
}

/// The constants of the launch: values and slopes, or products.
inline std::vector<double> constants_of_products(const product_layout& layout, const std::vector<double>& values,
                                                 const std::vector<double>& slopes) {
  if (!layout.alone()) return products_of_pairs(layout.of.functions, layout.of.points, values, slopes);
  std::vector<double> all = values;
  all.insert(all.end(), slopes.begin(), slopes.end());
  return all;
}

/// What the kernels read from memory, of functions with values (q,d) at the points and slopes there: products of the
/// last direction, or tables as fragments: of 16 rows and 4 points, lane l has entries (l / 4, l % 4) and (l / 4 + 8, l
/// % 4). Rows are pairs of functions, i + d j.
class product_fragments {
 public:
  product_fragments(const product_layout& layout, const std::vector<double>& values, const std::vector<double>& slopes)
      : room_(layout), d_(layout.of.functions), q_(layout.of.points), values_(values), slopes_(slopes) {
    if (layout.alone()) {
      all_ = products_of_pairs(d_, q_, values, slopes);
      return;
    }
    all_.resize(product_layout::fragments * product_layout::fragment);
    put_kinds();
  }
  const std::vector<double>& all() const { return all_; }

 private:
  double at(bool slope, int k, int i) const {
    const std::vector<double>& table = slope ? slopes_ : values_;
    return table.empty() ? 0 : table.data()[k + q_ * i];
  }
  /// entry(row, point) of fragment `number`.
  template <class Entry>
  void put(int number, const Entry& entry) {
    double* const to = all_.data() + product_layout::fragment * number;
    for (int lane = 0; lane < product_layout::lanes; ++lane)
      for (int s = 0; s < 2; ++s) {
        const int row = lane / 4 + 8 * s;
        if (row < room_.rows()) to[2 * lane + s] = entry(row, lane % 4);
      }
  }
  void put_kinds() {
    for (int kind = 0; kind < 4; ++kind)
      put(kind,
          [&](int row, int k) { return k < q_ ? at(kind / 2 == 1, k, row % d_) * at(kind % 2 == 1, k, row / d_) : 0; });
  }

  product_layout room_;
  int d_, q_;
  const std::vector<double>&values_, &slopes_;
  std::vector<double> all_;
};

inline place_table places_of_products(const product_layout& layout) {
  const int d = layout.of.functions, n = layout.functions(), above = n / d;
  std::vector<unsigned short> all;
  for (int e = 0; e < layout.by.elements; ++e)
    each_entry(n, 0, n, layout.of.packed, [&](int i, int j) {
      if (i / above < j / above) std::swap(i, j);
      const int row = i % d + d * (j % d), column = layout.of.dim == 2 ? 0 : i / d % d + d * (j / d % d);
      all.push_back(
          (unsigned short)(row + layout.row_pitch() * column +
                           layout.staged_of_pair() * (pair_of(i / above, j / above, d) + layout.pairs() * e)));
    });
  return place_table::of(all, 2);
}

}  // namespace tessera::device
