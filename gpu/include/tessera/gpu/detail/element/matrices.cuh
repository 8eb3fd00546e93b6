// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for the matrices B^T D B of a block's elements, step by step; a barrier stands between steps.
// It is an ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/matrix_storage.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/line.cuh>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/matrix_layout.hpp>

namespace tessera::device {

/// Column j of a matrix is B^T D B e_j, and B e_j is a product of functions of one coordinate each. So D is contracted
/// one direction after the other, from the last one, for all rows and columns of that direction: a line of points times
/// the trial function of a column j_a there, then summed with each test function, an ordinary 1-D contraction with the
/// tables in the launch's constants.
///
///     D (q,q,q) -> (q,q, t,d) -> (q, t t, d d) -> staged columns (t t t, d d d) -> M
///
/// What `layout` says lies in shared memory. Of D's pairs of slots those that look alike to the remaining directions
/// are summed as soon as they do: diffusion has 9, 9, 4 and 1. Stores: how 16 bytes are written to M.
template <class T, class Stored, class Function, class Form, class Shape, class Stores>
class matrix_program {
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, t = Form::t;
  static constexpr int components = Shape::components, points = power_of(q, dim), factors = Function::factors;
  static constexpr matrix_tuning by = Shape::tuning;
  using pairs = couplings<Function>;
  static constexpr int parts = pairs::parts;
  static constexpr bool slopes = Function::trial.gradient || Function::test.gradient, packed = Shape::packed;
  static constexpr table_places places{d, q, t, false, Form::own_test, Form::mirrored, slopes, slopes};

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr int counts[3] = {pairs::count(0), pairs::count(1), pairs::count(2)};
  static constexpr matrix_sizes sizes{
      dim, d, q, t, components, slopes, {counts[0], counts[1], counts[2]}, int(sizeof(T)), packed};
  static constexpr matrix_layout layout{sizes, by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  using tables = table_constants<T, places.entries>;

 private:
  static constexpr int elements = by.elements, rounds = layout.rounds();
  static constexpr int rows = layout.rows(), columns = layout.columns(), all_rows = layout.all_rows();
  static constexpr matrix_storage how = packed ? matrix_storage::lower_packed : matrix_storage::full;
  static constexpr index_t entries_of_matrix = matrix_entries(all_rows, layout.all_columns(), how);
  static_assert(!Form::nodal, "tables are given");
  static_assert(elements == 1 || layout.whole(), "elements of a block are whole");
  static_assert(by.slices == 1 || by.strips == layout.strips_of_slice(), "slices are whole");
  static_assert(!packed || t == d, "a symmetric matrix");

  /// Lines along direction a, as numbers that no thread computes.
  template <int a>
  struct along {
    static constexpr int below = power_of(q, a), lines = layout.lines(a), pitch = layout.pitch(a);
    static constexpr int rows_above = layout.rows_above(a), columns_above = layout.columns_above(a);
    static constexpr int wanted = layout.columns_along(a), splits = layout.splits(a), count = pairs::count(a);
    static constexpr int place = layout.lines_place(a), room_of_pair = layout.entries_of_pair(a);
  };
  /// What one access to memory moves at most.
  static constexpr int per_piece = layout.of_piece(), per_line = layout.of_line(), skew = layout.skew();
  struct alignas(16) piece {
    T at[per_piece];
  };
  template <int a, int out, int in>
  static constexpr int pair_number = pairs::number(a, out, in);
  template <int a, int out, int in>
  static constexpr bool present = pairs::present(a, out, in);
  template <int a, int out, int in, int old_out, int old_in>
  static constexpr bool joins = pairs::joins(a, out, in, old_out, old_in);
  template <int a, int out, int in, int old_out, int old_in>
  static constexpr int joins_as = pairs::joins_as(a, out, in, old_out, old_in);
  template <int a, int out, int in, int old_out>
  static constexpr bool has_rows = pairs::has_rows(a, out, in, old_out);
  static constexpr int tables_place = layout.tables_place(), table_pitch = layout.table_pitch();
  static constexpr int table_entries = layout.table_entries(), parts_of_element = layout.parts();

 public:
  matrix_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), thread_(thread) {
    const int part = int(block % parts_of_element);
    first_ = block / parts_of_element * elements;
    component_ = part % components;
    slice_ = part / components * by.slices;
  }

  /// All steps in their order. step(f): every thread's program goes through f(program), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    // Lines of the last direction serve all rounds of one component.
    constexpr bool once = dim == 3 && components == 1;
    step([](auto& s) { s.put_tables(); });
    if constexpr (once) step([](auto& s) { s.template sweep<2>(0, 0); });
    for (int round = 0; round < rounds; ++round)
      for (int row = 0; row < components; ++row) {
        // What the last round has staged is written while this one begins.
        const bool full = round > 0 && row == 0;
        if constexpr (dim == 3 && !once) {
          step([=](auto& s) {
            if (full) s.store(round - 1);
            s.template sweep<2>(round, row);
          });
          step([=](auto& s) { s.template sweep<1>(round, row); });
        } else if constexpr (dim > 1) {
          step([=](auto& s) {
            if (full) s.store(round - 1);
            s.template sweep<1>(round, row);
          });
        }
        step([=](auto& s) { s.template sweep<0>(round, row); });
      }
    step([](auto& s) { s.store(rounds - 1); });
  }

  // ---- Steps

  /// The trial functions at the points, to be read by a column's number.
  void put_tables() const {
    for (int n = thread_; n < q * d; n += threads) {
      const int k = n % q, j = n / q;
      T* const to = shared_ + tables_place + table_pitch * j + k;
      to[0] = table<1, d, false>{constants_.at}.entry(k, j);
      if constexpr (slopes) to[table_entries] = table<-1, d, false>{constants_.at + places.differentiate}.entry(k, j);
    }
  }

  /// Direction a, rows of component `row`: each pair of classes that there is behind it, by warps of its own.
  template <int a>
  void sweep(int round, int row) const {
    const bool coupled = row / parts == component_ / parts;
    if (coupled || a == 0) each_pair<a - 1>([&]<int out, int in>() { sweep_pair<a, out, in>(round, row, coupled); });
  }

  /// The round's columns to M, 16 bytes at a time where all of them are M's; neighbours write whole lines of 128 bytes.
  void store(int round) const {
    T* const first = chunk(round);
    const int begin = behind_line(first), end = begin + staged_count(round);
    for (int at = thread_ * per_piece; at < end; at += threads * per_piece) {
      const T* const from = shared_ + skewed(at);
      T* const to = first + (at - begin);
      if (at >= begin && at + per_piece <= end) {
        Stores::store(to, from);
      } else {
#pragma unroll
        for (int i = 0; i < per_piece; ++i)
          if (at + i >= begin && at + i < end) to[i] = from[i];
      }
    }
  }

 private:
  // ---- Lines

  /// What a line stands for: the point of the directions below its own, the row and column of those above.
  struct line_place {
    int line, point, row, column, element;
    int wide_column;  // of the whole matrix
    bool there;
  };
  template <int a>
  line_place place_of(int line, int round) const {
    using here = along<a>;
    const int above = line / here::below, beyond = above / here::rows_above;
    line_place p{line,
                 line % here::below,
                 above % here::rows_above,
                 beyond % here::columns_above,
                 beyond / here::columns_above,
                 0,
                 true};
    int strip = 0, slice = 0;
    if constexpr (a == 0 && dim > 1) strip = round * by.strips + p.column % by.strips;
    if constexpr (a < 2 && dim > 2) slice = slice_ + p.column / (a == 0 ? by.strips : 1);
    p.wide_column = a == 0 ? strip + d * slice : slice;
    p.there = strip < d && slice < d && first_ + p.element < a_.count;
    return p;
  }
  static constexpr bool above_diagonal(int row, int column) { return packed && row < column; }
  /// Whether all entries that come of a line are.
  template <int a>
  bool lies_above(const line_place& p, int row) const {
    constexpr int n = along<a>::rows_above;
    return above_diagonal(p.row + n * row, p.wide_column + n * component_);
  }

  template <int sign, int n, bool transposed>
  using table = line_table_of<Form::mirrored, T, q, n, sign, transposed>;

  template <int a, int out, int in>
  T* lines_of() const {
    return shared_ + (along<a>::place + pair_number<a, out, in> * along<a>::room_of_pair);
  }

  /// f.operator()<out, in>() for all pairs of classes while directions 0 .. a remain.
  template <int a, class F>
  static void each_pair(const F& f) {
    pointwise::each_direction<a + 2>([&](auto i) {
      constexpr int in = int(decltype(i)::value);
      pointwise::each_direction<a + 2>([&](auto o) {
        constexpr int out = int(decltype(o)::value);
        if constexpr (present<a, out, in>) f.template operator()<out, in>();
      });
    });
  }

  template <int a, int out, int in>
  void sweep_pair(int round, int row, bool coupled) const {
    using here = along<a>;
    constexpr int items = here::lines * here::splits;
    constexpr int before = pair_number<a - 1, out, in> * ((items + 31) / 32 * 32) % threads;
    const int first = a == 0 ? 0 : a == 1 ? round * by.strips : slice_;
    for (int n = thread_ - before + (thread_ < before ? threads : 0); n < items; n += threads) {
      const line_place p = place_of<a>(n % here::lines, round);
      if (!p.there || lies_above<a>(p, row)) continue;
      const source<a, out, in> from(*this, p, row);
#pragma unroll 1
      for (int j = n / here::lines; j < here::wanted && first + j < d; j += here::splits) {
        if constexpr (a == 0)
          stage(from, p, j, round, row, coupled);
        else
          contract_to_lines(from, p, j, first + j);
      }
    }
  }

  /// The lines before direction a of the pairs that become (out,in): D itself, or shared memory; few of them are held
  /// in registers.
  template <int a, int out, int in>
  class source {
    static constexpr int count = joins_as<a, out, in, 0, a + 2>;
    static constexpr bool kept = count * q <= 36;

   public:
    source(const matrix_program& s, const line_place& p, int row) : program_(s), place_(p), row_(row % parts) {
      if constexpr (kept)
        each_pair<a>([&]<int o, int i>() {
          if constexpr (joins<a, out, in, o, i>) {
#pragma unroll
            for (int k = 0; k < q; ++k) own_[joins_as<a, out, in, o, i>][k] = read<o, i>(k);
          }
        });
    }

    template <int o, int i>
    T at(int k) const {
      if constexpr (kept)
        return own_[joins_as<a, out, in, o, i>][k];
      else
        return read<o, i>(k);
    }

   private:
    template <int o, int i>
    T read(int k) const {
      if constexpr (a < dim - 1)
        return program_.template lines_of<a, o, i>()[place_.line + along<a>::pitch * k];
      else
        return program_.template coefficient<o, i>(place_, k, row_);
    }

    const matrix_program& program_;
    const line_place& place_;
    int row_;
    T own_[kept ? count : 1][kept ? q : 1];
  };

  /// What u's slot `in` gives to v's slot `out` at point k of a line along the last direction.
  template <int out, int in>
  T coefficient(const line_place& p, int k, int row) const {
    constexpr int step = power_of(q, dim - 1), factor = pairs::between(out, in).factor;
    const Stored* const from = static_cast<const Stored*>(a_.D) +
                               (a_.first + first_ + p.element) * (index_t(points) * factors) + (p.point + step * k);
    if constexpr (factor >= 0) {
      return T(from[factor * points]);
    } else {
      T own[factors];
#pragma unroll
      for (int f = 0; f < factors; ++f) own[f] = T(from[f * points]);
      at_point<T, parts, dim> u{}, v{};
#pragma unroll
      for (int c = 0; c < parts; ++c)
        (in == dim ? u.value[c] : u.gradient[c][in < dim ? in : 0]) = c == component_ % parts ? T(1) : T(0);
      Function{}(u, own, v);
      T sum = 0;  // one of them: an index known at run time would put v into memory
#pragma unroll
      for (int c = 0; c < parts; ++c)
        sum = c == row ? (out == dim ? v.value[c] : v.gradient[c][out < dim ? out : 0]) : sum;
      return sum;
    }
  }

  // ---- Contractions

  /// Of direction a, its column j: the test functions' sums.
  template <int a, int out, int in>
  void contract(const source<a, out, in>& from, int j, T (&sum)[t]) const {
    const T* const trial = shared_ + tables_place + table_pitch * j;
    line_sums<Form::mirrored, T, t> all;
    all.clear();
    pointwise::each_direction<a + 2>([&](auto o) {
      constexpr int old_out = int(decltype(o)::value);
      if constexpr (has_rows<a, out, in, old_out>) {
        T line[q];
#pragma unroll
        for (int k = 0; k < q; ++k) line[k] = T(0);
        pointwise::each_direction<a + 2>([&](auto i) {
          constexpr int old_in = int(decltype(i)::value), slope = slopes && old_in == a ? table_entries : 0;
          if constexpr (joins<a, out, in, old_out, old_in>) {
#pragma unroll
            for (int k = 0; k < q; k += per_piece) {
              const piece now = *reinterpret_cast<const piece*>(trial + slope + k);
#pragma unroll
              for (int s = 0; s < per_piece; ++s)
                if (k + s < q) line[k + s] += now.at[s] * from.template at<old_out, old_in>(k + s);
            }
          }
        });
        if constexpr (slopes && old_out == a)
          table<-1, t, true>{constants_.at + (Form::own_test ? places.test_slopes : places.differentiate)}.add(line,
                                                                                                               all);
        else
          table<1, t, true>{constants_.at + (Form::own_test ? places.test : 0)}.add(line, all);
      }
    });
    all.put(sum);
  }

  /// Number j of the round's columns along direction a, `wide` of all.
  template <int a, int out, int in>
  void contract_to_lines(const source<a, out, in>& from, const line_place& p, int j, int wide) const {
    using next = along<a - 1>;
    const int column = j + along<a>::wanted * p.column;
    const int line = p.point % next::below +
                     next::below * (t * p.row + next::rows_above * (column + next::columns_above * p.element));
    T sum[t];
    contract(from, wide, sum);
    T* const to = lines_of<a - 1, out, in>() + line + next::pitch * (p.point / next::below);
#pragma unroll
    for (int r = 0; r < t; ++r) to[next::below * r] = sum[r];
  }

  // ---- Columns

  /// Column j of a strip: t entries below each other.
  void stage(const source<0, 0, 0>& from, const line_place& p, int j, int round, int of_test, bool coupled) const {
    T sum[t] = {};
    if (coupled) contract(from, j, sum);
    const int row = t * p.row + rows * of_test, column = j + d * p.wide_column + columns * component_;
    const index_t place = matrix_place(row, column, all_rows, how) - first_entry(round) + p.element * entries_of_matrix;
    const int to = behind_line(chunk(round)) + int(place);
    if constexpr (t % per_piece == 0 && !packed)
      if (to % per_piece == 0) {
#pragma unroll
        for (int i = 0; i < t; i += per_piece) {
          piece now;
#pragma unroll
          for (int n = 0; n < per_piece; ++n) now.at[n] = sum[i + n];
          *reinterpret_cast<piece*>(shared_ + skewed(to + i)) = now;
        }
        return;
      }
#pragma unroll
    for (int i = 0; i < t; ++i)
      if (!above_diagonal(row + i, column)) shared_[skewed(to + i)] = sum[i];
  }

  /// Where a column's entries begin in its matrix.
  static constexpr index_t start(int column) { return matrix_place(packed ? column : 0, column, all_rows, how); }

  // What a round writes is in one piece.
  int first_column(int round) const { return columns * component_ + d * (round * by.strips + d * slice_); }
  index_t first_entry(int round) const { return start(first_column(round)); }
  T* chunk(int round) const { return a_.M + first_ * entries_of_matrix + first_entry(round); }
  int staged_count(int round) const {
    const index_t rest = a_.count - first_;
    if (rest <= 0) return 0;
    if constexpr (layout.whole()) return int((rest < elements ? rest : elements) * entries_of_matrix);
    // The last round and the last block have what is left of a slice and of a component.
    constexpr int strips = dim == 1 ? 1 : d, slices = dim < 3 ? 1 : d;
    const int now =
        by.slices > 1 ? strips * least(by.slices, slices - slice_) : least(by.strips, strips - round * by.strips);
    return int(start(first_column(round) + d * now) - first_entry(round));
  }
  static constexpr int least(int a, int b) { return a < b ? a : b; }

  /// Entries from the multiple of 128 bytes before it: as many are left free in front of what is staged.
  static int behind_line(const T* to) { return int(reinterpret_cast<unsigned long long>(to) % 128 / sizeof(T)); }
  static constexpr int skewed(int at) { return at + at / per_line * skew; }

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t first_ = 0;
  int thread_, component_ = 0, slice_ = 0;
};

}  // namespace tessera::device
