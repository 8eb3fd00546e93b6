// SPDX-License-Identifier: BSD-3-Clause
// The share of one thread in symmetric matrices B^T D B of a block's elements, by products of warps; a barrier stands
// between steps. It is an ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/element/product_room.hpp>
#include <tessera/gpu/element/form.hpp>
#include <tessera/gpu/element/places.cuh>
#include <tessera/gpu/element/product_arguments.hpp>

namespace tessera::device {

/// Of a symmetric matrix only pairs i >= j of functions of the last direction are computed. D is contracted with those
/// for each pair of classes that remains (see couplings). Like what is left these are products of tables, whose rows
/// are pairs (i,j) of functions of a direction, and columns of sums:
///
///     D (q,q,q) -> columns (classes q | q, pairs) -> (d d | q, pairs) -> staged (d d, d d, pairs) -> M, by places
///
/// A warp's result of the first product lies in its lanes just as the second one wants its right operand, so it stays
/// in registers: a *chain*. `fused`: one product with a table of pairs of all directions below the last one.
///
/// What `room` says lies in shared memory. Products: of a warp. Stores: how 16 bytes are written to M.
template <class Products, class Stored, class Function, class Form, class Shape, class Stores>
class product_share {
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors;
  static constexpr product_tuning by = Shape::tuning;
  static constexpr bool packed = Shape::packed;
  using pairs_of_slots = couplings<Function>;
  static constexpr int level = dim - 2;  // directions 0 .. level remain once the last one is contracted
  static constexpr bool slopes = Function::trial.gradient;
  static_assert(dim > 1 && Form::t == d && !Form::own_test && pairs_of_slots::parts == 1);

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr product_room room{product_sizes_of<Function>(d, q, packed), by};
  using value_type = T;
  using arguments = product_arguments<T>;
  /// Values (q,d), and slopes behind them, or products of the last direction [slopes of which][point][pair]; the tables
  /// of warps' products are fragments in memory.
  using tables = table_constants<T, by.held ? 4 * q * room.pairs() : (slopes ? 2 : 1) * q * d>;

 private:
  static constexpr int elements = by.elements, rounds = room.rounds(), round_pairs = room.round_pairs();
  static constexpr int staged_pairs = room.staged_pairs(), staged_of_pair = room.staged_of_pair();
  static constexpr int points = room.points(), below = room.points_below(), rows = room.rows();
  static constexpr int row_tiles = room.row_tiles(),
                       staged_pitch = room.fused() ? room.staged_of_pair() : room.row_pitch(),
                       pitch = room.column_pitch();
  static constexpr int depth = room.depth(), groups = room.of.groups, pairs_of_tile = room.pairs_of_tile();
  static constexpr int columns_place = room.columns_place(), data_place = room.data_place();
  static constexpr int first_steps = room.first_steps(), last_steps = room.last_steps();
  static constexpr int last_place = room.last_place(), pair_tiles = by.rounds ? 1 : room.pair_tiles();
  static constexpr bool fused = room.fused();
  static constexpr int warps = threads / 32, tiles = by.tiles;
  static_assert(elements == 1 || !by.rounds);
  static_assert(fused || q <= product_room::square, "points of a line are columns of a product");

  struct alignas(16) fragment {
    T at[2];
  };

 public:
  product_share(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), first_(block * elements), thread_(thread) {}

  /// All steps in their order. step(f): every thread's share goes through f(share), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    if constexpr (by.held) {
      step([](auto& s) { s.multiply_held(); });
      step([](auto& s) { s.store(0); });
      return;
    }
    step([](auto& s) { s.put_data(); });
    step([](auto& s) { s.put_columns(0); });
    for (int round = 0; round < rounds; ++round) {
      step([=](auto& s) { s.multiply(round); });
      step([=](auto& s) {
        s.store(round);
        if (round + 1 < rounds) s.put_columns(round + 1);
      });
    }
  }

  // ---- Steps

  /// D to shared memory, and zeros where columns are padded.
  void put_data() const {
    put_data_of_block<Stored, elements, factors * points, room.data_pitch(), threads>(a_, first_, shared_ + data_place,
                                                                                      thread_);
    constexpr int columns = elements * round_pairs * room.columns_of_pair();
    each_list([&](auto g) {
      constexpr int list = int(decltype(g)::value), begin = fused ? room.of.classes * below : list_end(list);
      constexpr int end = fused ? depth : room.group_start(list) + room.group_depth(list), wide = end - begin;
      if constexpr (wide > 0)
        for (int n = thread_; n < columns * wide; n += threads)
          shared_[columns_place + n / wide * pitch + begin + n % wide] = T(0);
    });
  }

  /// The last direction, pairs of a round: columns of the products.
  void put_columns(int round) const {
    each_class([&]<int out, int in>() {
      // Where M is symmetric in the directions that remain, (in,out) is (out,in).
      if constexpr (!is_twin(out, in)) {
        if constexpr (by.lines)
          put_lines<out, in>(round);
        else
          put_class<out, in>(round);
      }
    });
  }

  /// All of it from D in registers: lane l has lines along the last direction, at point l % 4 of the second one and
  /// l / 8 of the first, of the element of its pair that l / 4 % 2 says.
  void multiply_held() const {
    constexpr int couples = (elements + 1) / 2;
    for (int n = warp(); n < couples * tiles; n += warps) {
      const int element = n / tiles * 2;
      const index_t rest = a_.count - first_ - element;
      if (rest <= 0) continue;
      const index_t own = first_ + element + (rest > 1 && element + 1 < elements ? lane() / 4 % 2 : 0);
      const Stored* const from = static_cast<const Stored*>(a_.D) + (a_.first + own) * (points * factors) +
                                 (least(lane() / 8, q - 1) + q * least(lane() % 4, q - 1));
      T data[factors][q];
#pragma unroll
      for (int f = 0; f < factors; ++f)
#pragma unroll
        for (int k = 0; k < q; ++k) data[f][k] = T(from[f * points + below * k]);
      fragment kinds[4];
#pragma unroll
      for (int kind = 0; kind < (slopes ? 4 : 1); ++kind) kinds[kind] = table_at(kind);
      // Which pairs a warp has is known to its compiler.
      pointwise::each_direction<tiles>([&](auto part) {
        constexpr int first = int(decltype(part)::value);
        if (n % tiles == first) {
#pragma unroll
          for (int pair = first; pair < room.pairs(); pair += tiles) multiply_pair(data, kinds, pair, element);
        }
      });
    }
  }

  /// A round's pairs by products.
  void multiply(int round) const {
    const int pairs = by.rounds ? d - round : elements * room.pairs();
    // Where the first pair of the round is staged.
    const int staged = by.rounds && !packed ? pair_of(round, round, d) : 0;
    if constexpr (fused)
      multiply_at_once(pairs);
    else
      multiply_in_chains(pairs, staged);
  }

  /// The columns that the round has completed, to M.
  void store(int round) const {
    store_matrices<T, Stores, threads>(a_, room.slices(), first_, round, shared_, thread_);
  }

 private:
  // ---- Columns

  static constexpr int list_end(int g) { return room.group_start(g) + room.of.joins[g] * q; }
  template <class F>
  static void each_list(const F& f) {
    pointwise::each_direction<fused ? 1 : groups>(f);
  }
  static constexpr int longest_group() {
    int longest = 0;
    for (int g = 0; g < groups; ++g) longest = room.group_depth(g) > longest ? room.group_depth(g) : longest;
    return longest / 4;
  }
  template <int a, class F>
  static void each_pair(const F& f) {
    [&]<int... n>(sequence<n...>) {
      (
          [&] {
            constexpr int out = n % (a + 2), in = n / (a + 2);
            if constexpr (pairs_of_slots::present(a, out, in)) f.template operator()<out, in>();
          }(),
          ...);
    }
    (iota<(a + 2) * (a + 2)>{});
  }
  template <class F>
  static void each_class(const F& f) {
    each_pair<level>(f);
  }
  static constexpr bool is_twin(int out, int in) { return out > in && out <= level; }
  static constexpr bool has_twin(int out, int in) { return out < in && in <= level; }
  /// Classes that are computed, before this one.
  static constexpr int computed_before(int out, int in) {
    int before = 0;
    for (int i = 0; i <= level + 1; ++i)
      for (int o = 0; o <= level + 1; ++o)
        if ((i < in || (i == in && o < out)) && pairs_of_slots::present(level, o, i) && !is_twin(o, i)) ++before;
    return before;
  }
  /// Where a class's points begin in a column.
  template <int out, int in>
  static constexpr int start_of_class() {
    if constexpr (fused) return below * pairs_of_slots::number(level, out, in);
    constexpr int to_out = pairs_of_slots::merged(out, level), to_in = pairs_of_slots::merged(in, level);
    return room.group_start(pairs_of_slots::number(level - 1, to_out, to_in)) +
           q * pairs_of_slots::joins_as(level, to_out, to_in, out, in);
  }

  static constexpr int pitch_of_pair = room.columns_of_pair() * pitch;

  /// Points below the last direction are the columns of a product, pairs its rows.
  template <int out, int in>
  void put_class(int round) const {
    constexpr int columns = elements * below, items = (columns + 7) / 8;
    constexpr int before = computed_before(out, in) * items % warps, steps = room.pair_steps();
    constexpr int joined = pairs_of_slots::joins_as(level + 1, out, in, level + 1, level + 3);
    const int wanted = by.rounds ? d - round : room.pairs();
    for (int item = warp() - before + (warp() < before ? warps : 0); item < items; item += warps) {
      T right[joined][steps];
      const int column = least(8 * item + lane() / 4, columns - 1), in_element = column % below;
      const T* const of_element = shared_ + (data_place + column / below * (factors * points) + in_element);
      each_pair<level + 1>([&]<int o, int i>() {
        if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
          constexpr int factor = pairs_of_slots::between(o, i).factor;
#pragma unroll
          for (int k = 0; k < steps; ++k)
            right[pairs_of_slots::joins_as(level + 1, out, in, o, i)][k] =
                of_element[factor * points + below * least(4 * k + lane() % 4, q - 1)];
        }
      });
#pragma unroll 1
      for (int n = 0; n < pair_tiles; ++n) {
        tile sum;
        each_pair<level + 1>([&]<int o, int i>() {
          if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
            const int first = room.pair_table(by.rounds ? round : n, o == dim - 1, i == dim - 1);
#pragma unroll
            for (int k = 0; k < steps; ++k)
              sum.add(table_at(first + k), right[pairs_of_slots::joins_as(level + 1, out, in, o, i)][k]);
          }
        });
#pragma unroll
        for (int s = 0; s < 2; ++s)
          if (const int at = 8 * item + lane() % 4 * 2 + s; at < columns) {
            T* const to = column_of<out, in>(at / below, at % below);
            const int row = 16 * n + lane() / 4;
            put_sum<out, in>(to, row, wanted, sum.upper[s]);
            put_sum<out, in>(to, row + 8, wanted, sum.lower[s]);
          }
      }
    }
  }
  /// The same by lines of points, a thread's each, with the functions as constants.
  template <int out, int in>
  void put_lines(int round) const {
    constexpr int lines = elements * below, before = computed_before(out, in) * ((lines + 31) / 32 * 32) % threads;
    constexpr int joined = pairs_of_slots::joins_as(level + 1, out, in, level + 1, level + 3);
    for (int n = thread_ - before + (thread_ < before ? threads : 0); n < lines; n += threads) {
      T line[joined][q];
      each_pair<level + 1>([&]<int o, int i>() {
        if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
          constexpr int factor = pairs_of_slots::between(o, i).factor;
          const T* const from = shared_ + (data_place + (n / below * factors + factor) * points + n % below);
#pragma unroll
          for (int k = 0; k < q; ++k) line[pairs_of_slots::joins_as(level + 1, out, in, o, i)][k] = from[below * k];
        }
      });
      T* const to = column_of<out, in>(n / below, n % below);
      if constexpr (by.rounds) {
        put_sums<out, in>(line, round, 0, to);
      } else {
#pragma unroll
        for (int j = 0; j < d; ++j) put_sums<out, in>(line, j, pair_of(j, j, d), to);
      }
    }
  }
  /// Sums of pairs (i,j), i >= j, from pair `first` on.
  template <int out, int in, int joined>
  void put_sums(const T (&line)[joined][q], int j, int first, T* to) const {
    T with_trial[joined][q];
    each_pair<level + 1>([&]<int o, int i>() {
      if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
        constexpr int at = pairs_of_slots::joins_as(level + 1, out, in, o, i);
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
        if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
          const T* const test = constants_.at + (o == dim - 1 ? q * d : 0) + q * row;
#pragma unroll
          for (int k = 0; k < q; ++k)
            sum += test[k] * with_trial[pairs_of_slots::joins_as(level + 1, out, in, o, i)][k];
        }
      });
      put_sum<out, in>(to, first + row - j, first + row - j + 1, sum);
    }
  }
  template <int out, int in>
  void put_sum(T* to, int pair, int wanted, T sum) const {
    if (pair >= wanted) return;
    to[pair * pitch_of_pair] = sum;
    if constexpr (has_twin(out, in))
      to[pair * pitch_of_pair + start_of_class<in, out>() - start_of_class<out, in>()] = sum;
  }
  /// Of the first pair. In a chain points of the first direction have columns of their own.
  template <int out, int in>
  T* column_of(int element, int point) const {
    const int in_column = fused ? point : point / q, column = fused ? 0 : point % q;
    return shared_ + (columns_place + element * round_pairs * pitch_of_pair + column * pitch + in_column +
                      start_of_class<out, in>());
  }

  // ---- Products

  int lane() const { return thread_ % 32; }
  int warp() const { return thread_ / 32; }
  fragment table_at(int number) const { return reinterpret_cast<const fragment*>(a_.fragments)[number * 32 + lane()]; }
  /// A tile of 16 rows and 8 columns: entries (row, column) = (l / 4, 2 (l % 4)) and the one behind, and 8 rows below.
  struct tile {
    T upper[2] = {0, 0}, lower[2] = {0, 0};
    void add(const fragment& left, T right) { Products::multiply_both(upper, lower, left.at[0], left.at[1], right); }
  };
  /// The tile's columns from `column` on, of `wanted`: to what is staged of a pair.
  static void stage(const tile& from, T* to, int row, int column, int wanted) {
#pragma unroll
    for (int s = 0; s < 2; ++s)
      if (column + s < wanted) {
        if (row < rows) to[row + staged_pitch * (column + s)] = from.upper[s];
        if (row + 8 < rows) to[row + 8 + staged_pitch * (column + s)] = from.lower[s];
      }
  }
  static constexpr int least(int a, int b) { return a < b ? a : b; }

  void multiply_pair(const T (&data)[factors][q], const fragment (&kinds)[4], int pair, int element) const {
    constexpr int classes = room.of.classes;
    T sums[classes];
    each_class([&]<int out, int in>() {
      if constexpr (!is_twin(out, in)) {
        T sum = 0;
        each_pair<level + 1>([&]<int o, int i>() {
          if constexpr (pairs_of_slots::joins(level + 1, out, in, o, i)) {
            constexpr int kind = 2 * (o == dim - 1) + (i == dim - 1), f = pairs_of_slots::between(o, i).factor;
#pragma unroll
            for (int k = 0; k < q; ++k) sum += constants_.at[(kind * q + k) * room.pairs() + pair] * data[f][k];
          }
        });
        sums[pairs_of_slots::number(level, out, in)] = sum;
      }
    });
    tile between[groups];
    each_class([&]<int out, int in>() {
      constexpr int group = pairs_of_slots::number(0, pairs_of_slots::merged(out, 1), pairs_of_slots::merged(in, 1));
      constexpr int number =
          is_twin(out, in) ? pairs_of_slots::number(level, in, out) : pairs_of_slots::number(level, out, in);
      between[group].add(kinds[2 * (out == 1) + (in == 1)], sums[number]);
    });
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      tile sum[2];
      each_pair<0>([&]<int out, int in>() {
        constexpr int group = pairs_of_slots::number(0, out, in);
        const fragment& left = kinds[2 * (out == 0) + (in == 0)];
        sum[0].add(left, between[group].upper[p]);
        if (rows > 8) sum[1].add(left, between[group].lower[p]);
      });
      if (element + p >= elements) continue;
      T* const to = shared_ + staged_of_pair * (pair + staged_pairs * (element + p));
      stage(sum[0], to, lane() / 4, lane() % 4 * 2, rows);
      stage(sum[1], to, lane() / 4, lane() % 4 * 2 + 8, rows);
    }
  }

  void multiply_at_once(int pairs) const {
    constexpr int columns_of_item = 8 * tiles;
    const int items = (pairs + columns_of_item - 1) / columns_of_item;
    // Where there are fewer items than warps, these share tiles of rows.
    constexpr int all_items = (elements * room.pairs() + columns_of_item - 1) / columns_of_item;
    constexpr int shared = all_items >= warps ? 1 : least(warps / all_items, row_tiles);
    for (int item = warp(); item < items * shared; item += warps) {
      const int first = item / shared * columns_of_item;
      T right[tiles][last_steps];
#pragma unroll
      for (int n = 0; n < tiles; ++n) {
        const T* const from =
            shared_ + (columns_place + pitch * least(first + 8 * n + lane() / 4, pairs - 1) + lane() % 4);
#pragma unroll
        for (int step = 0; step < last_steps; ++step) right[n][step] = from[4 * step];
      }
#pragma unroll 1
      for (int row_tile = item % shared; row_tile < row_tiles; row_tile += shared) {
        tile sum[tiles];
#pragma unroll
        for (int step = 0; step < last_steps; ++step) {
          const fragment left = table_at(row_tile * last_steps + step);
#pragma unroll
          for (int n = 0; n < tiles; ++n) sum[n].add(left, right[n][step]);
        }
#pragma unroll
        for (int n = 0; n < tiles; ++n)
          stage(sum[n], shared_ + staged_of_pair * (first + 8 * n), 16 * row_tile + lane() / 4, lane() % 4 * 2,
                pairs - first - 8 * n);
      }
    }
  }

  void multiply_in_chains(int pairs, int staged) const {
    constexpr int pairs_of_item = pairs_of_tile * tiles;
    fragment last[row_tiles == 1 ? last_steps : 1];
    if constexpr (row_tiles == 1) {
#pragma unroll
      for (int s = 0; s < last_steps; ++s) last[s] = table_at(last_place / product_room::fragment + s);
    }
    const int column = lane() / 4;
    int point[groups];  // of the first direction, that this lane brings of a group
#pragma unroll
    for (int g = 0; g < groups; ++g) point[g] = least(room.point_of(column, g), q - 1) * pitch;
    for (int item = warp(); item * pairs_of_item < pairs; item += warps) {
      const T* from[tiles];
#pragma unroll
      for (int n = 0; n < tiles; ++n) {
        const int pair = least((item * tiles + n) * pairs_of_tile + column % pairs_of_tile, pairs - 1);
        from[n] = shared_ + (columns_place + pitch * pair * q + lane() % 4);
      }
#pragma unroll 1
      for (int of_first = 0; of_first < row_tiles; ++of_first) {
        tile between[tiles][groups];
        // Groups by turns: their sums do not wait for each other.
        pointwise::each_direction<longest_group()>([&](auto s) {
          each_list([&](auto g) {
            constexpr int group = int(decltype(g)::value), step = int(decltype(s)::value);
            if constexpr (4 * step < room.group_depth(group)) {
              constexpr int at = room.group_start(group) / 4 + step;
              const fragment left = table_at(of_first * first_steps + at);
#pragma unroll
              for (int n = 0; n < tiles; ++n) between[n][group].add(left, from[n][point[group] + 4 * at]);
            }
          });
        });
#pragma unroll
        for (int n = 0; n < tiles; ++n)
          multiply_again(between[n], last, (item * tiles + n) * pairs_of_tile, pairs, staged, of_first);
      }
    }
  }

  /// The tiles of the groups are right operands as they lie: step s of a group takes columns 2 l + s, which are points
  /// of one pair, or of two pairs by turns. Rows above 8 and below are two tiles of columns.
  template <int kept>
  void multiply_again(const tile (&between)[groups], const fragment (&last)[kept], int pair, int pairs, int staged,
                      int of_first) const {
#pragma unroll
    for (int of_last = 0; of_last < row_tiles; ++of_last) {
      tile sum[pairs_of_tile][2];
#pragma unroll
      for (int step = 0; step < last_steps; ++step) {
        const fragment left = row_tiles == 1
                                  ? last[row_tiles == 1 ? step : 0]
                                  : table_at(last_place / product_room::fragment + of_last * last_steps + step);
#pragma unroll
        for (int p = 0; p < pairs_of_tile; ++p) {
          sum[p][0].add(left, step < groups ? between[step].upper[p] : rest<false>(between, step - groups));
          if (rows > 8)
            sum[p][1].add(left, step < groups ? between[step].lower[p] : rest<true>(between, step - groups));
        }
      }
#pragma unroll
      for (int p = 0; p < pairs_of_tile; ++p)
        if (pair + p < pairs) {
          T* const to = shared_ + staged_of_pair * (staged + pair + p);
          const int row = 16 * of_last + lane() / 4, column = 16 * of_first + lane() % 4 * 2;
          stage(sum[p][0], to, row, column, rows);
          stage(sum[p][1], to, row, column + 8, rows);
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

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t first_ = 0;
  int thread_;
};

}  // namespace tessera::device
