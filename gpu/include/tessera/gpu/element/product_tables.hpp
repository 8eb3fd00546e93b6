// SPDX-License-Identifier: BSD-3-Clause
// Tables of the kernel of symmetric element matrices by products of warps: fragments of left operands, and places.
#pragma once

#include <utility>
#include <vector>

#include <tessera/gpu/element/pair_tables.hpp>
#include <tessera/gpu/element/product_arguments.hpp>

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
inline std::vector<double> constants_of_products(const product_room& room, const std::vector<double>& values,
                                                 const std::vector<double>& slopes) {
  if (room.held()) return products_of_pairs(room.of.functions, room.of.points, values, slopes);
  std::vector<double> all = values;
  all.insert(all.end(), slopes.begin(), slopes.end());
  return all;
}

/// What the kernels read from memory, of functions with values (q,d) at the points and slopes there: products of the
/// last direction, or tables as fragments: of 16 rows and 4 points, lane l has entries (l / 4, l % 4) and (l / 4 + 8, l
/// % 4). Rows are pairs of functions, i + d j.
template <class Function>
class product_fragments {
  using pairs = couplings<Function>;

 public:
  product_fragments(const product_room& room, const std::vector<double>& values, const std::vector<double>& slopes)
      : room_(room), d_(room.of.functions), q_(room.of.points), values_(values), slopes_(slopes) {
    if (room.alone()) {
      all_ = products_of_pairs(d_, q_, values, slopes);
      return;
    }
    all_.resize(std::size_t(room.fragments()) * product_room::fragment);
    if (room.held())
      put_kinds();
    else
      put_chain();
  }
  const std::vector<double>& all() const { return all_; }

 private:
  double at(bool slope, int k, int i) const {
    const std::vector<double>& table = slope ? slopes_ : values_;
    return table.empty() ? 0 : table.data()[k + q_ * i];
  }
  /// Of pair (i,j) of direction a at point k, of classes out and in.
  double product(int a, int out, int in, int pair, int k) const {
    return at(out == a, k, pair % d_) * at(in == a, k, pair / d_);
  }
  /// entry(row, step, point) from fragment `number` on, tile after tile of rows and step after step of points.
  template <class Entry>
  void put(int number, int steps, const Entry& entry) {
    for (int tile = 0; tile < room_.row_tiles(); ++tile)
      for (int step = 0; step < steps; ++step) {
        double* const to = all_.data() + product_room::fragment * (number + tile * steps + step);
        for (int lane = 0; lane < product_room::lanes; ++lane)
          for (int s = 0; s < 2; ++s) {
            const int row = 16 * tile + lane / 4 + 8 * s;
            if (row < room_.rows()) to[2 * lane + s] = entry(row, step, lane % 4);
          }
      }
  }
  template <class Body>
  static void each_class(int a, const Body& body) {
    for (int in = 0; in <= a + 1; ++in)
      for (int out = 0; out <= a + 1; ++out)
        if (pairs::present(a, out, in)) body(out, in);
  }

  void put_kinds() {
    for (int kind = 0; kind < 4; ++kind)
      put(kind, 1, [&](int row, int, int k) {
        return k < q_ ? at(kind / 2 == 1, k, row % d_) * at(kind % 2 == 1, k, row / d_) : 0;
      });
  }

  void put_chain() {
    put(0, room_.first_steps(), [&](int row, int step, int lane) {
      double found = 0;
      each_class(1, [&](int out, int in) {
        const int to_out = pairs::merged(out, 1), to_in = pairs::merged(in, 1);
        const int start =
            room_.group_start(pairs::number(0, to_out, to_in)) + q_ * pairs::joins_as(1, to_out, to_in, out, in);
        const int k = 4 * step + lane - start;
        if (k >= 0 && k < q_) found = product(1, out, in, row, k);
      });
      return found;
    });
    const int groups = room_.of.groups;
    put(room_.last_fragment(), room_.last_steps(), [&](int row, int step, int lane) {
      const bool rest = step >= groups;
      const int k = rest ? step - groups + 4 : lane, group = rest ? (lane + 4 - (step - groups) % 4) % 4 : step;
      double found = 0;
      if (k < q_)
        each_class(0, [&](int out, int in) {
          if (pairs::number(0, out, in) == group) found = product(0, out, in, row, k);
        });
      return found;
    });
  }

  product_room room_;
  int d_, q_;
  const std::vector<double>&values_, &slopes_;
  std::vector<double> all_;
};

inline place_table places_of_products(const product_room& room) {
  const int d = room.of.functions, n = room.functions(), above = n / d;
  std::vector<unsigned short> all;
  for (int e = 0; e < room.by.elements; ++e)
    each_entry(n, 0, n, room.of.packed, [&](int i, int j) {
      if (i / above < j / above) std::swap(i, j);
      const int row = i % d + d * (j % d), column = room.of.dim == 2 ? 0 : i / d % d + d * (j / d % d);
      all.push_back((unsigned short)(row + room.row_pitch() * column +
                                     room.staged_of_pair() * (pair_of(i / above, j / above, d) + room.pairs() * e)));
    });
  return place_table::of(all, 2);
}

}  // namespace tessera::device
