// SPDX-License-Identifier: BSD-3-Clause
// What one thread does where a warp holds whole elements in registers: two directions by products of the warp, the
// third by lines of its threads. No entry passes through shared memory, and there is no barrier between the sweeps.
#pragma once

#include <tessera/gpu/detail/element/stored.cuh>

namespace tessera::device {

/// For functions of one component in 3-D, in double, with at most 8 nodes and points a direction. A warp has a square
/// of 8 x 8 entries for each plane of an element; where 4 x 4 are enough, of four elements: two down and two across.
///
/// Its one operation is C = W M^T with a table W and a plane M, held by rows. It contracts M's second direction, along
/// the rows, and leaves the result transposed: the same operation again contracts the other direction. Lane l holds
/// M(l / 4, 2 (l % 4) + s), s = 0 and 1, which is what the tensor cores want of it as the right operand of step s:
/// nothing moves between lanes. W of four elements has the table twice on its diagonal. Products: the warp's,
/// `tensor_core` on a GPU. Data: a stored_data.
template <class Products, class Data>
class warp_program : public Data {
  using base = Data;
  using T = typename base::value_type;
  using Stored = typename base::source_type;
  using Form = typename base::form;
  using Shape = typename base::shape;
  using base::a_;
  using base::d;
  using base::factors;
  using base::first_;
  using base::function_;
  using base::interpolate;
  using base::points;
  using base::q;
  using base::round_;
  using base::shared_;
  using base::slopes;
  using base::slopes_in;
  using base::slopes_of_test;
  using base::slopes_of_trial;
  using base::slopes_out;
  using base::t;
  using base::test;
  using base::thread_;
  using base::values_in;
  using base::values_out;

  static constexpr int square = Products::square, table_size = square * square;
  static constexpr int across = Form::side <= square / 2 ? 2 : 1, side = square / across;
  static constexpr int planes = d > t ? d : t;
  static_assert(Form::dim == 3 && base::trials == 1 && base::tests == 1 && !Form::nodal && Form::side <= square);
  static_assert(Shape::elements * 32 == Shape::threads * across * across, "a warp's elements");
  static_assert(Shape::direct == slopes, "tables of derivatives are those of the functions");

 public:
  static constexpr int phases = 2, data_phase = 1;
  static constexpr int shared_entries = 4 * table_size;
  using base::base;

  /// Phase `number` of a round. In the first one x and prefetched D are loaded, and tables are put into shared memory.
  template <int number>
  void run(int round) {
    round_ = round;
    if constexpr (number == 0)
      start();
    else
      evaluate();
  }

 private:
  enum table_number { trial_values, trial_slopes, test_values, test_slopes };
  static constexpr int test_table = Form::own_test ? test_values : trial_values;
  static constexpr int test_slopes_table = Form::own_test ? test_slopes : trial_slopes;

  /// Two entries of a row: those of one plane in this lane, or of a table.
  struct pair {
    T at[2] = {};
  };

  // A plane's rows are along x: the lanes read four rows of y at once, which are whole lines of x. Unsigned: a division
  // of signed numbers takes more instructions.
  int row() const { return int(unsigned(thread_) % 32 / 4); }
  int first_column() const { return int(unsigned(thread_) % 4 * 2); }
  int in_row() const { return int(unsigned(row()) % side); }
  int in_column(int s) const { return int(unsigned(first_column() + s) % side); }
  int element() const {
    return int(unsigned(thread_) / 32 * (across * across) + unsigned(row()) / side +
               across * (unsigned(first_column()) / side));
  }
  bool active() const { return first_ + element() < a_.count; }
  bool holds(int s, int n) const { return (int(active()) & int(in_row() < n) & int(in_column(s) < n)) != 0; }
  /// Of this lane, in the block; the first one where it has none: what is read there is not used.
  int present_element() const { return active() ? element() : 0; }
  /// Of this lane, of all elements; the last one where it has none, also in blocks beyond the last element.
  index_t present_number() const {
    const index_t own = first_ + element(), at = own < a_.count ? own : a_.count - 1;
    return a_.list != nullptr ? a_.list[at] : a_.first + at;
  }
  /// Column s in a plane of n x n entries.
  int in_plane(int s, int n) const { return in_column(s) * n + in_row(); }

  // ---- Tables

  template <class Table>
  void put_table(int number, const Table& table, int rows, int columns) const {
    constexpr int trips = (table_size + Shape::threads - 1) / Shape::threads;
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
      const int e = thread_ + trip * Shape::threads;
      if (table_size % Shape::threads != 0 && e >= table_size) break;
      const int m = int(unsigned(e) / square), k = int(unsigned(e) % square);
      const bool there = m / side == k / side && m % side < rows && k % side < columns;
      shared_[number * table_size + e] = there ? table.entry(m % side, k % side) : T(0);
    }
  }
  void put_tables() const {
    put_table(trial_values, interpolate(), q, d);
    if constexpr (slopes) put_table(trial_slopes, slopes_of_trial(), q, d);
    if constexpr (Form::own_test) put_table(test_values, test(), q, t);
    if constexpr (Form::own_test && slopes) put_table(test_slopes, slopes_of_test(), q, t);
  }
  /// This lane's entries of a table as the left operand.
  pair table(int number) const {
    const T* const of = shared_ + number * table_size + row() * square + first_column();
    return {{of[0], of[1]}};
  }
  pair transposed(int number) const {
    const T* const of = shared_ + number * table_size + first_column() * square + row();
    return {{of[0], of[square]}};
  }

  // ---- Products

  /// c += W M^T.
  static void add_product(pair& c, const pair& W, const pair& M) {
#pragma unroll
    for (int s = 0; s < 2; ++s) Products::multiply(c.at, W.at[s], M.at[s]);
  }
  /// c += V M^T, e += W M^T.
  static void add_products(pair& c, pair& e, const pair& V, const pair& W, const pair& M) {
#pragma unroll
    for (int s = 0; s < 2; ++s) Products::multiply_both(c.at, e.at, V.at[s], W.at[s], M.at[s]);
  }

  // ---- Phases

  // An address for each of two columns, and known distances from plane to plane: addresses of single entries took more
  // instructions than the products (decision 16).
  void start() {
    number_ = present_number();
    const auto x = this->x_of_number(number_, 0, 0);
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      const bool there = holds(s, d);
      const auto from = x.starting_at(there ? in_plane(s, d) : 0);
#pragma unroll
      for (int i = 0; i < d; ++i) values_[i].at[s] = there ? from[i * d * d] : T(0);
    }
    prefetch_points();
    if (round_ == 0) put_tables();
  }

  void evaluate() {
    to_lines();
#pragma unroll
    for (int s = 0; s < 2; ++s) evaluate_line(s);
    from_lines();
  }

  /// x to values, and derivatives along x and y, at the points of each plane of nodes.
  void to_lines() {
    const pair B = table(trial_values), G = slopes_in ? table(trial_slopes) : pair{};
#pragma unroll
    for (int i = 0; i < d; ++i) {
      pair of_value, of_slope, value, along_x, along_y;
      if constexpr (slopes_in) {
        add_products(of_value, of_slope, B, G, values_[i]);
        add_products(value, along_x, B, G, of_value);
        add_product(along_y, B, of_slope);
        along_x_[i] = along_x;
        along_y_[i] = along_y;
      } else {
        add_product(of_value, B, values_[i]);
        add_product(value, B, of_value);
      }
      values_[i] = value;
    }
  }

  /// The line along z of column s: to the points, through the function, and back.
  void evaluate_line(int s) {
    T value[q], slope[3][q];
    {
      T in[d];
      line_of(values_, s, in);
      if constexpr (values_in) interpolate().apply(in, value);
      if constexpr (slopes_in) {
        slopes_of_trial().apply(in, slope[2]);
        line_of(along_x_, s, in);
        interpolate().apply(in, slope[0]);
        line_of(along_y_, s, in);
        interpolate().apply(in, slope[1]);
      }
    }
    const bool there = holds(s, q);
    const Stored* const from = own_data(s);
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T own[factors];
#pragma unroll
      for (int f = 0; f < factors; ++f)
        own[f] = k < ahead ? T(ahead_[s][k < ahead ? k : 0][f]) : there ? T(from[k * (q * q) + f * points]) : T(0);
      at_point<T, 1, 3> u, v;
      if constexpr (values_in) u.value[0] = value[k];
      if constexpr (slopes_in) {
#pragma unroll
        for (int r = 0; r < 3; ++r) u.gradient[0][r] = slope[r][k];
      }
      function_(u, own, v);
      // Lanes outside of the element add zeros, whatever the function gives for zeros.
      if constexpr (values_out) value[k] = there ? v.value[0] : T(0);
      if constexpr (slopes_out) {
#pragma unroll
        for (int r = 0; r < 3; ++r) slope[r][k] = there ? v.gradient[0][r] : T(0);
      }
    }
    T out[t];
    if constexpr (values_out) test().apply(value, out);
    if constexpr (slopes_out) {
      T more[t];
      slopes_of_test().apply(slope[2], more);
#pragma unroll
      for (int i = 0; i < t; ++i) out[i] = values_out ? out[i] + more[i] : more[i];
      test().apply(slope[0], more);
      put_line(more, s, along_x_);
      test().apply(slope[1], more);
      put_line(more, s, along_y_);
    }
    put_line(out, s, values_);
  }

  void from_lines() {
    const pair B = transposed(test_table), G = slopes_out ? transposed(test_slopes_table) : pair{};
#pragma unroll
    for (int i = 0; i < t; ++i) {
      pair of_value, of_slope, out;
      add_product(of_value, B, values_[i]);
      if constexpr (slopes_out) {
        add_product(of_value, G, along_y_[i]);
        add_product(of_slope, B, along_x_[i]);
      }
      add_product(out, B, of_value);
      if constexpr (slopes_out) add_product(out, G, of_slope);
      values_[i] = out;
    }
    store_values();
  }

  void store_values() {
    constexpr int plane = t * t;
    const auto y = this->y_of_number(number_, 0, 0);
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      const bool there = holds(s, t);
      const auto to = y.starting_at(there ? in_plane(s, t) : 0);
      const auto value = [&](int i) -> T& { return values_[i].at[s]; };
      to.template store_if<t>(there, value, plane);
    }
  }

  // ---- Lines along z

  template <int n>
  static void line_of(const pair (&from)[planes], int s, T (&line)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i) line[i] = from[i].at[s];
  }
  template <int n>
  static void put_line(const T (&line)[n], int s, pair (&to)[planes]) {
#pragma unroll
    for (int i = 0; i < n; ++i) to[i].at[s] = line[i];
  }

  // ---- D

  static constexpr int ahead = base::ahead;

  const Stored* own_data(int s) const {
    const Stored* const of_element = base::staged ? this->data_at(present_element()) : this->data_of_number(number_);
    return of_element + (holds(s, q) ? in_plane(s, q) : 0);
  }
  void prefetch_points() {
    if constexpr (ahead > 0) {
#pragma unroll
      for (int s = 0; s < 2; ++s) {
        const bool there = holds(s, q);
        const Stored* const from = own_data(s);
#pragma unroll
        for (int k = 0; k < ahead; ++k)
#pragma unroll
          for (int f = 0; f < factors; ++f) ahead_[s][k][f] = there ? from[k * (q * q) + f * points] : Stored(0);
      }
    }
  }

  index_t number_ = 0;  // of this lane's element
  pair values_[planes], along_x_[slopes ? planes : 1], along_y_[slopes ? planes : 1];
  Stored ahead_[2][ahead > 0 ? ahead : 1][factors];
};

}  // namespace tessera::device
