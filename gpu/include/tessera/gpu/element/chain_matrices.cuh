// SPDX-License-Identifier: BSD-3-Clause
// The share of one thread in symmetric matrices B^T D B where warps take pairs from shared memory through a chain of
// two products. It is an ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/gpu/element/product_share.cuh>

namespace tessera::device {

/// D comes to shared memory, lines of threads contract the last direction, with functions as constants, and warps do
/// the rest for each pair. What `room` says lies in shared memory.
template <class Products, class Stored, class Function, class Form, class Shape, class Stores>
class chain_share : public product_share<Products, Stored, Function, Form, Shape, Stores> {
  using base = product_share<Products, Stored, Function, Form, Shape, Stores>;
  using base::first_;
  using base::lane;
  using base::least;
  using base::shared_;
  using base::thread_;
  using base::warp;
  static constexpr int below = base::below, d = base::d, dim = base::dim, elements = base::elements,
                       factors = base::factors, groups = base::groups, level = base::level, pairs = base::pairs,
                       points = base::points, q = base::q, row_tiles = base::row_tiles, rows = base::rows,
                       staged_of_pair = base::staged_of_pair;
  using typename base::fragment;
  using typename base::slots;
  using typename base::tile;
  static constexpr int pitch = base::room.column_pitch(), pitch_of_pair = q * pitch,
                       columns_place = base::room.columns_place();
  static constexpr int pairs_of_tile = base::room.pairs_of_tile(), first_steps = base::room.first_steps();
  static constexpr int last_steps = base::room.last_steps(), last_fragment = base::room.last_fragment();

 public:
  using T = double;
  static constexpr int threads = base::threads, blocks = base::blocks;
  static constexpr product_room room = base::room;
  using arguments = typename base::arguments;
  /// Values (q,d), and slopes behind them.
  using tables = table_constants<T, (base::slopes ? 2 : 1) * q * d>;

  chain_share(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : base(a, shared, block, thread), constants_(constants) {}

  /// All steps in their order. step(f): every thread's share goes through f(share), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.put_data(); });
    step([](auto& s) { s.put_columns(); });
    step([](auto& s) { s.multiply(); });
    step([](auto& s) { s.store(); });
  }

  // ---- Steps

  /// D to shared memory, and zeros where columns are padded.
  void put_data() const {
    put_data_of_block<Stored, elements, factors * points, room.data_pitch(), threads>(this->a_, first_, shared_,
                                                                                      thread_);
    pointwise::each_direction<groups>([&](auto g) { this->template put_zeros<int(decltype(g)::value)>(); });
  }
  /// Of a group's columns.
  template <int group>
  void put_zeros() const {
    constexpr int begin = room.group_start(group) + room.of.joins[group] * q;
    constexpr int wide = room.group_start(group) + room.group_depth(group) - begin;
    if constexpr (wide > 0)
      for (int n = thread_; n < elements * pairs * q * wide; n += threads)
        shared_[columns_place + n / wide * pitch + begin + n % wide] = T(0);
  }

  /// The last direction: columns of the products.
  void put_columns() const {
    each_pair<level>([&]<int out, int in>() {
      if constexpr (!base::is_twin(out, in)) put_class<out, in>();
    });
  }

  /// Pairs by two products each.
  void multiply() const {
    constexpr int all = elements * pairs;
    fragment last[row_tiles == 1 ? last_steps : 1];
    if constexpr (row_tiles == 1) {
#pragma unroll
      for (int s = 0; s < last_steps; ++s) last[s] = this->table_at(last_fragment + s);
    }
    const int column = lane() / 4;
    int point[groups];  // of the first direction, that this lane brings of a group
#pragma unroll
    for (int g = 0; g < groups; ++g) point[g] = least(room.point_of(column, g), q - 1) * pitch;
    for (int first = warp() * pairs_of_tile; first < all; first += base::warps * pairs_of_tile) {
      const T* const from =
          shared_ + (columns_place + pitch_of_pair * least(first + column % pairs_of_tile, all - 1) + lane() % 4);
#pragma unroll 1
      for (int of_first = 0; of_first < row_tiles; ++of_first) {
        tile between[groups];
        // Groups by turns: their sums do not wait for each other.
        pointwise::each_direction<longest_group() * groups>(
            [&](auto n) { this->template add_step<int(decltype(n)::value)>(between, from, point, of_first); });
        multiply_again(between, last, first, of_first);
      }
    }
  }

 private:
  template <int a, class F>
  static void each_pair(const F& f) {
    base::template each_pair<a>(f);
  }

  // ---- Columns

  /// Classes that are computed, before this one.
  static constexpr int computed_before(int out, int in) {
    int before = 0;
    for (int i = 0; i <= level + 1; ++i)
      for (int o = 0; o <= level + 1; ++o)
        if ((i < in || (i == in && o < out)) && slots::present(level, o, i) && !base::is_twin(o, i)) ++before;
    return before;
  }
  /// Where a class's points begin in a column.
  template <int out, int in>
  static constexpr int start_of_class() {
    constexpr int to_out = slots::merged(out, level), to_in = slots::merged(in, level);
    return room.group_start(slots::number(level - 1, to_out, to_in)) +
           q * slots::joins_as(level, to_out, to_in, out, in);
  }

  /// Lines of points, a thread's each.
  template <int out, int in>
  void put_class() const {
    constexpr int lines = elements * below, before = computed_before(out, in) * ((lines + 31) / 32 * 32) % threads;
    constexpr int joined = slots::joins_as(level + 1, out, in, level + 1, level + 3);
    for (int n = thread_ - before + (thread_ < before ? threads : 0); n < lines; n += threads) {
      const int element = n / below, point = n % below;
      const T* const data = shared_ + (element * (factors * points) + point);
      T line[joined][q];
      each_pair<level + 1>([&]<int o, int i>() {
        if constexpr (slots::joins(level + 1, out, in, o, i)) {
          constexpr int factor = slots::between(o, i).factor;
#pragma unroll
          for (int k = 0; k < q; ++k)
            line[slots::joins_as(level + 1, out, in, o, i)][k] = data[factor * points + below * k];
        }
      });
      // Points of the first direction have columns of their own.
      T* const to = shared_ + (columns_place + element * pairs * pitch_of_pair + point % q * pitch + point / q +
                               start_of_class<out, in>());
#pragma unroll
      for (int j = 0; j < d; ++j) put_sums<out, in>(line, j, to);
    }
  }
  /// Sums of pairs (i,j), i >= j.
  template <int out, int in, int joined>
  void put_sums(const T (&line)[joined][q], int j, T* to) const {
    T with_trial[joined][q];
    each_pair<level + 1>([&]<int o, int i>() {
      if constexpr (slots::joins(level + 1, out, in, o, i)) {
        constexpr int at = slots::joins_as(level + 1, out, in, o, i);
        const T* const trial = constants_.at + (i == dim - 1 ? q * d : 0) + q * j;
#pragma unroll
        for (int k = 0; k < q; ++k) with_trial[at][k] = trial[k] * line[at][k];
      }
    });
#pragma unroll
    for (int row = 0; row < d; ++row) {
      if (row < j) continue;
      T sum = 0;
      each_pair<level + 1>([&]<int o, int i>() {
        if constexpr (slots::joins(level + 1, out, in, o, i)) {
          const T* const test = constants_.at + (o == dim - 1 ? q * d : 0) + q * row;
#pragma unroll
          for (int k = 0; k < q; ++k) sum += test[k] * with_trial[slots::joins_as(level + 1, out, in, o, i)][k];
        }
      });
      const int place = pair_of(row, j, d) * pitch_of_pair;
      to[place] = sum;
      if constexpr (base::has_twin(out, in)) to[place + start_of_class<in, out>() - start_of_class<out, in>()] = sum;
    }
  }

  // ---- Products

  /// Step n / groups of group n % groups, if it has one.
  template <int n>
  void add_step(tile (&between)[groups], const T* from, const int (&point)[groups], int of_first) const {
    constexpr int group = n % groups, step = n / groups, at = room.group_start(group) / 4 + step;
    if constexpr (4 * step < room.group_depth(group))
      between[group].add(this->table_at(of_first * first_steps + at), from[point[group] + 4 * at]);
  }
  static constexpr int longest_group() {
    int longest = 0;
    for (int g = 0; g < groups; ++g) longest = room.group_depth(g) > longest ? room.group_depth(g) : longest;
    return longest / 4;
  }

  /// The tiles of the groups are right operands as they lie: step s of a group takes columns 2 l + s, which are points
  /// of one pair, or of two pairs by turns. Rows above 8 and below are two tiles of columns.
  template <int kept>
  void multiply_again(const tile (&between)[groups], const fragment (&last)[kept], int pair, int of_first) const {
#pragma unroll
    for (int of_last = 0; of_last < row_tiles; ++of_last) {
      tile sum[pairs_of_tile][2];
#pragma unroll
      for (int step = 0; step < last_steps; ++step) {
        const fragment left = row_tiles == 1 ? last[row_tiles == 1 ? step : 0]
                                             : this->table_at(last_fragment + of_last * last_steps + step);
#pragma unroll
        for (int p = 0; p < pairs_of_tile; ++p) {
          sum[p][0].add(left, step < groups ? between[step].upper[p] : rest<false>(between, step - groups));
          if (rows > 8)
            sum[p][1].add(left, step < groups ? between[step].lower[p] : rest<true>(between, step - groups));
        }
      }
#pragma unroll
      for (int p = 0; p < pairs_of_tile; ++p)
        if (pair + p < elements * pairs) {
          T* const to = shared_ + staged_of_pair * (pair + p);
          const int row = 16 * of_last + lane() / 4, column = 16 * of_first + lane() % 4 * 2;
          base::stage(sum[p][0], to, row, column);
          base::stage(sum[p][1], to, row, column + 8);
        }
    }
  }
  /// Point 4 + e of the first direction: lane l has it of group l - e (modulo 4).
  template <bool lower>
  T rest(const tile (&between)[groups], int e) const {
    T found = 0;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const T of_group = lower ? between[g].lower[1] : between[g].upper[1];
      found = (g + e) % 4 == lane() % 4 ? of_group : found;
    }
    return found;
  }

  const tables& constants_;
};

}  // namespace tessera::device
