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
  std::vector<double> all(std::size_t(4 * q * pairs_of(d)));
  const auto at = [&](bool slope, int k, int i) {
    const std::vector<double>& table = slope ? slopes : values;
    return table.empty() ? 0 : table[std::size_t(k + q * i)];
  };
  for (int kind = 0; kind < 4; ++kind)
    for (int k = 0; k < q; ++k)
      for (int j = 0; j < d; ++j)
        for (int i = j; i < d; ++i)
          all[std::size_t((kind * q + k) * pairs_of(d) + pair_of(i, j, d))] =
              at(kind / 2 == 1, k, i) * at(kind % 2 == 1, k, j);
  return all;
}

/// The constants of the launch: values and slopes, or products.
inline std::vector<double> constants_of_products(const product_room& room, const std::vector<double>& values,
                                                 const std::vector<double>& slopes) {
  if (room.by.held) return products_of_pairs(room.of.functions, room.of.points, values, slopes);
  std::vector<double> all = values;
  all.insert(all.end(), slopes.begin(), slopes.end());
  return all;
}

/// Values (q,d) of a direction's functions at its points, and their slopes, as fragments: of 16 rows and 4 points, lane
/// l has entries (l / 4, l % 4) and (l / 4 + 8, l % 4). Rows are pairs of functions, i_1 + d j_1 + d^2 (i_2 + d j_2).
template <class Function>
class product_fragments {
  using pairs = couplings<Function>;
  static constexpr int dim = Function::dim, level = dim - 2;

 public:
  product_fragments(const product_room& room, const std::vector<double>& values, const std::vector<double>& slopes)
      : room_(room), d_(room.of.functions), q_(room.of.points), values_(values), slopes_(slopes) {
    all_.resize(std::size_t(room.table_entries()));
    if (room.by.alone) {
      all_ = products_of_pairs(d_, q_, values, slopes);
      return;
    }
    if (room.by.held) {
      put_kinds();
      return;
    }
    if (room.fused())
      put_fused();
    else
      put_chain();
    put_pairs();
  }
  const std::vector<double>& all() const { return all_; }

 private:
  double at(bool slope, int k, int i) const {
    const std::vector<double>& table = slope ? slopes_ : values_;
    return table.empty() ? 0 : table[std::size_t(k + q_ * i)];
  }
  /// Of pair (i,j) of direction a at point k, of classes out and in.
  double product(int a, int out, int in, int pair, int k) const {
    return at(out == a, k, pair % d_) * at(in == a, k, pair / d_);
  }
  /// entry(row, point) from fragment `number` on, tile after tile of rows and step after step of points.
  template <class Entry>
  void put(int number, int steps, const Entry& entry) {
    for (int tile = 0; tile < room_.row_tiles(); ++tile)
      for (int step = 0; step < steps; ++step)
        for (int lane = 0; lane < 32; ++lane)
          for (int s = 0; s < 2; ++s) {
            const int row = 16 * tile + lane / 4 + 8 * s;
            if (row < room_.rows())
              all_[std::size_t(64 * (number + tile * steps + step) + 2 * lane + s)] = entry(row, step, lane % 4);
          }
  }
  template <class Body>
  static void each_class(int a, const Body& body) {
    for (int in = 0; in <= a + 1; ++in)
      for (int out = 0; out <= a + 1; ++out)
        if (pairs::present(a, out, in)) body(out, in);
  }

  /// For each kind of product, points of a direction as the only step.
  void put_kinds() {
    for (int kind = 0; kind < 4; ++kind)
      for (int lane = 0; lane < 32; ++lane)
        for (int s = 0; s < 2; ++s) {
          const int row = lane / 4 + 8 * s, k = lane % 4;
          if (row < d_ * d_ && k < q_)
            all_[std::size_t(64 * kind + 2 * lane + s)] =
                at(kind / 2 == 1, k, row % d_) * at(kind % 2 == 1, k, row / d_);
        }
  }

  void put_fused() {
    const int below = room_.points_below(), all = room_.of.classes * below, of_direction = d_ * d_;
    put(0, room_.last_steps(), [&](int row, int step, int lane) {
      const int n = 4 * step + lane;
      double found = 0;
      if (n < all)
        each_class(level, [&](int out, int in) {
          if (pairs::number(level, out, in) != n / below) return;
          found = product(0, out, in, row % of_direction, n % below % q_);
          if (dim == 3) found *= product(1, out, in, row / of_direction, n % below / q_);
        });
      return found;
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
    put(room_.last_place() / 64, room_.last_steps(), [&](int row, int step, int lane) {
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

  void put_pairs() {
    for (int tile = 0; tile < room_.pair_tiles(); ++tile)
      for (const bool out : {false, true})
        for (const bool in : {false, true})
          for (int step = 0; step < room_.pair_steps(); ++step)
            for (int lane = 0; lane < 32; ++lane)
              for (int s = 0; s < 2; ++s) {
                const int k = 4 * step + lane % 4, place = room_.pair_table(tile, out, in) + step;
                const int row = lane / 4 + 8 * s, first = room_.by.rounds ? pair_of(tile, tile, d_) : 16 * tile;
                double& to = all_[std::size_t(64 * place + 2 * lane + s)];
                for (int j = room_.by.rounds ? tile : 0; j < (room_.by.rounds ? tile + 1 : d_); ++j)
                  for (int i = j; i < d_ && k < q_; ++i)
                    if (pair_of(i, j, d_) == first + row) to = at(out, k, i) * at(in, k, j);
              }
  }

  product_room room_;
  int d_, q_;
  const std::vector<double>&values_, &slopes_;
  std::vector<double> all_;
};

inline place_table places_of_products(const product_room& room) {
  const pair_room slices = room.slices();
  const int d = room.of.functions, n = room.functions(), columns = n / slices.slices(), above = n / d;
  std::vector<unsigned short> all;
  for (int e = 0; e < room.by.elements; ++e)
    for (int slice = 0; slice < slices.slices(); ++slice) {
      if (room.by.rounds) all.resize(std::size_t(slices.places_of(slice)));
      each_entry(n, columns * slice, columns * (slice + 1), room.of.packed, [&](int i, int j) {
        if (i / above < j / above) std::swap(i, j);
        const int last = room.by.rounds && room.of.packed ? i / above - j / above : pair_of(i / above, j / above, d);
        const int first = i % d + d * (j % d), second = room.of.dim == 2 ? 0 : i / d % d + d * (j / d % d);
        const int row = room.fused() ? first + d * d * second : first, column = room.fused() ? 0 : second;
        all.push_back((unsigned short)(row + room.row_pitch() * column +
                                       room.staged_of_pair() * (last + room.staged_pairs() * e)));
      });
    }
  return place_table::of(all, 2);
}

}  // namespace tessera::device
