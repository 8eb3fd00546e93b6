// SPDX-License-Identifier: BSD-3-Clause
// D of a line's points from the coordinates of the nodes, computed at each application.
#pragma once

#include <tessera/detail/element/geometry_factors.hpp>
#include <tessera/gpu/detail/element/lines.cuh>
#include <tessera/gpu/detail/element/node_layout.hpp>

namespace tessera::device {

/// Source: a from_nodes; the rest as for element_lines. The thread that has a line of points computes D of a point
/// where it needs it, from the map to the element along its line: for each coordinate its values at the line's nodes,
/// and its derivatives across. `node_layout` says how these are computed and where they are: in front of the cubes.
///
///     X (n,n,n) -> (q,n,n): values, derivatives -> (q,q,n): values, two derivatives -> registers: J of a point -> D
template <class T, class Source, class Function, class Form, class Shape, bool Several, class Loader, class Storer>
class computed_data : public element_lines<T, Source, Function, Form, Shape, Several, Loader, Storer> {
  using base = element_lines<T, Source, Function, Form, Shape, Several, Loader, Storer>;

 protected:
  using base::a_;
  using base::axis;
  using base::constants_;
  using base::dim;
  using base::elements;
  using base::factors;
  using base::first_;
  using base::in_box;
  using base::last;
  using base::lower;
  using base::number_of;
  using base::points;
  using base::q;
  using base::thread_;
  using base::threads;
  using base::upper;
  using typename base::line_place;

 private:
  static constexpr int n = Source::nodes, given = Source::given;
  static constexpr node_layout layout{dim, n, q, factors, elements, Shape::staged};
  static constexpr node_places constants_of_nodes{n, q, given, Source::at_points};
  static constexpr int line_axis = axis(last), node_count = layout.node_count();
  // In registers; more numbers of a line than this stay in shared memory.
  static constexpr bool held = !layout.by_sweeps() || dim * dim * n <= 45;
  using formula = geometry::factors<Source::kind, dim>;
  static_assert(formula::outputs == factors, "D of the operator that it is for");

 public:
  static constexpr bool staged = false;
  static constexpr int packed = 0;
  static_assert(Shape::packed == 0 && Shape::batches == 1 && Shape::together == 1, "for stored D");
  /// Steps before the points, a barrier after each. D that is kept is computed in a step of its own: together with the
  /// phase at the points it took up to 80 registers more.
  static constexpr int sweeps = layout.by_sweeps() ? 2 : 1, steps = sweeps + Shape::staged;
  static constexpr int node_entries = layout.entries();

  constexpr computed_data(const typename base::arguments& a, const typename base::tables& constants, const Function& f,
                          T* shared, const Source*, index_t block, int thread)
      : base(a, constants, f, shared + node_entries, block, thread), nodes_(shared) {}

  /// Loads what the first step reads from global memory; the block's other work hides the latency.
  constexpr void load_nodes() {
#pragma unroll
    for (int j = 0; j < tasks_a_thread; ++j) {
      const int task = thread_ + j * threads, element = task / tasks_of_element, rest = task % tasks_of_element;
      if (!there(element)) continue;
      const int c = rest / (node_count / entries_of_task), line = rest % (node_count / entries_of_task);
      const auto from = entries_at<false>(a_.nodes.coordinates, a_.nodes.layout, number_of(element), c);
      const int start = layout.by_sweeps() ? start_of_line(line) : line;
#pragma unroll
      for (int i = 0; i < entries_of_task; ++i) loaded_[j][i] = from[start + i * power_of(n, axis(0))];
    }
  }
  template <int step>
  constexpr void prepare_lines() const {
    if constexpr (step == sweeps) {
      const line_place p = base::point_place(line_axis);
      if (p.active) keep(line_at(p), kept());
    } else if constexpr (step == 1) {
      second_sweep();
    } else if constexpr (layout.by_sweeps()) {
      first_sweep();
    } else {
      put_nodes();
    }
  }

 protected:
  static constexpr int ahead = 0;
  constexpr void prefetch() {}

  /// What D of a line's points is computed from.
  struct node_line {
    T at[dim][dim][held ? n : 1];  // (coordinate, direction, n): along the line values, else derivatives
    const T* slots;
    T weight;
    const T* coefficients;
  };

  /// D, or what it is computed from.
  constexpr auto own_data(const line_place& p) const {
    if constexpr (Shape::staged)
      return static_cast<const T*>(kept());
    else
      return line_at(p);
  }
  constexpr void read_own(const T* from, int k, T (&own)[factors]) const {
#pragma unroll
    for (int f = 0; f < factors; ++f) own[f] = from[layout.lines() * (f + factors * k)];
  }
  constexpr void read_own(const node_line& line, int k, T (&own)[factors]) const {
    T J[dim][dim];
#pragma unroll
    for (int c = 0; c < dim; ++c)
#pragma unroll
      for (int b = 0; b < dim; ++b) {
        J[c][b] = T(0);
#pragma unroll
        for (int i = 0; i < n; ++i)
          J[c][b] += (b == line_axis ? node_slope(k, i) : node_value(k, i)) * entry(line, c, b, i);
      }
    const T weight = weight_of(k) * line.weight;
    if constexpr (Source::at_points) {
      T coefficients[given];
#pragma unroll
      for (int i = 0; i < given; ++i) coefficients[i] = line.coefficients[i + given * k * power_of(q, line_axis)];
      formula::compute(J, weight, coefficients, given, own);
    } else {
      formula::compute(J, weight, line.coefficients, given, own);
    }
  }

 private:
  // ---- Constants

  constexpr const T* own_constants() const { return constants_.at + base::places.entries; }
  constexpr T node_value(int k, int i) const { return own_constants()[k + q * i]; }
  constexpr T node_slope(int k, int i) const { return own_constants()[constants_of_nodes.slopes + k + q * i]; }
  constexpr T weight_of(int k) const { return own_constants()[constants_of_nodes.weights + k]; }
  constexpr whole_table<T, q, n, false> node_values() const { return {own_constants()}; }
  constexpr whole_table<T, q, n, false> node_slopes() const { return {own_constants() + constants_of_nodes.slopes}; }

  // ---- The nodes' coordinates

  // A task loads a line along the first sweep's direction, or one coordinate of a node.
  static constexpr int entries_of_task = layout.by_sweeps() ? n : 1;
  static constexpr int tasks_of_element = dim * node_count / entries_of_task;
  static constexpr int tasks_a_thread = (elements * tasks_of_element + threads - 1) / threads;

  constexpr bool there(int element) const { return element < elements && first_ + element < a_.count; }
  constexpr T* of_element(int element) const { return nodes_ + element * layout.of_element(); }
  static constexpr int start_of_line(int line) {
    return line % n * power_of(n, lower(axis(0))) + line / n * power_of(n, upper(axis(0)));
  }

  constexpr void put_nodes() const {
#pragma unroll
    for (int j = 0; j < tasks_a_thread; ++j) {
      const int task = thread_ + j * threads, element = task / tasks_of_element;
      if (there(element)) of_element(element)[task % tasks_of_element] = loaded_[j][0];
    }
  }

  // ---- Sweeps, in 3-D

  // Slots of a coordinate: for the line's direction values, for another one derivatives in it.
  static constexpr int slot_of(int c, int b) { return (c + dim * b) * layout.slot(); }
  static constexpr int stride(int direction) {
    return direction == line_axis ? layout.pitch() * layout.side() : direction == lower(line_axis) ? 1 : layout.pitch();
  }

  constexpr void first_sweep() const {
    constexpr int other = axis(1);
#pragma unroll
    for (int j = 0; j < tasks_a_thread; ++j) {
      const int task = thread_ + j * threads, element = task / tasks_of_element, rest = task % tasks_of_element;
      if (!there(element)) continue;
      const int c = rest / (n * n), low = rest % n, high = rest % (n * n) / n;
      const int i = lower(axis(0)) == other ? low : high, l = lower(axis(0)) == other ? high : low;
      T* const to = of_element(element) + i * stride(other) + l * stride(line_axis);
      T out[q];
      node_slopes().apply(loaded_[j], out);
      base::write(out, to + slot_of(c, axis(0)), stride(axis(0)));
      node_values().apply(loaded_[j], out);
      base::write(out, to + slot_of(c, line_axis), stride(axis(0)));
    }
  }
  constexpr void second_sweep() const {
    constexpr int lines = q * n, of_element_here = dim * lines, step = stride(axis(1));
    for (int task = thread_; task < elements * of_element_here; task += threads) {
      const int element = task / of_element_here, rest = task % of_element_here;
      if (!there(element)) continue;
      const int c = rest / lines, i = rest % lines % q, l = rest % lines / q;
      T* const at = of_element(element) + i * stride(axis(0)) + l * stride(line_axis);
      T in[n], out[q];
      base::read(at + slot_of(c, line_axis), step, in);
      node_slopes().apply(in, out);
      base::write(out, at + slot_of(c, axis(1)), step);
      node_values().apply(in, out);
      base::write(out, at + slot_of(c, line_axis), step);
      base::read(at + slot_of(c, axis(0)), step, in);
      node_values().apply(in, out);
      base::write(out, at + slot_of(c, axis(0)), step);
    }
  }

  // ---- Lines of points

  constexpr node_line line_at(const line_place& p) const {
    node_line line;
    line.weight = (dim > 1 ? weight_of(p.low) : T(1)) * (dim > 2 ? weight_of(p.high) : T(1));
    const index_t first = in_box(p, line_axis, 1, q, q * q) + index_t(points) * number_of(p.element);
    line.coefficients =
        Source::at_points ? a_.nodes.coefficients + given * first : own_constants() + constants_of_nodes.coefficients;
    const T* const from = of_element(p.element);
    line.slots = from + p.low + p.high * layout.pitch();
#pragma unroll
    for (int c = 0; c < dim; ++c) {
      if constexpr (layout.by_sweeps() && held) {
#pragma unroll
        for (int b = 0; b < dim; ++b) base::read(line.slots + slot_of(c, b), stride(line_axis), line.at[c][b]);
      }
      if constexpr (!layout.by_sweeps()) contract(from + c * node_count, p, line.at[c]);
    }
    return line;
  }
  /// One coordinate: from all nodes to the line's.
  constexpr void contract(const T* X, const line_place& p, T (&line)[dim][n]) const {
    constexpr int step = power_of(n, line_axis), low = power_of(n, lower(line_axis)),
                  high = power_of(n, upper(line_axis));
#pragma unroll
    for (int i = 0; i < n; ++i) {
      if constexpr (dim == 1) {
        line[line_axis][i] = X[i];
      } else {
#pragma unroll
        for (int b = 0; b < dim; ++b) line[b][i] = T(0);
#pragma unroll
        for (int l = 0; l < n; ++l) {
          T across = dim == 3 ? T(0) : X[i * step + l * low], rise = T(0);
          if constexpr (dim == 3) {
#pragma unroll
            for (int h = 0; h < n; ++h) {
              across += node_value(p.high, h) * X[i * step + l * low + h * high];
              rise += node_slope(p.high, h) * X[i * step + l * low + h * high];
            }
            line[upper(line_axis)][i] += node_value(p.low, l) * rise;
          }
          line[line_axis][i] += node_value(p.low, l) * across;
          line[lower(line_axis)][i] += node_slope(p.low, l) * across;
        }
      }
    }
  }
  constexpr T entry(const node_line& line, int c, int b, int i) const {
    if constexpr (held) return line.at[c][b][i];
    return line.slots[slot_of(c, b) + i * stride(line_axis)];
  }
  constexpr T* kept() const { return nodes_ + layout.kept_place() + thread_; }
  constexpr void keep(const node_line& line, T* to) const {
#pragma unroll
    for (int k = 0; k < q; ++k) {
      T own[factors];
      read_own(line, k, own);
#pragma unroll
      for (int f = 0; f < factors; ++f) to[layout.lines() * (f + factors * k)] = own[f];
    }
  }

  T* nodes_;
  T loaded_[tasks_a_thread][entries_of_task];
};

/// Program: one whose Data is a computed_data. The steps of that are done in the program's phases, and in phases of
/// their own where D is read too early for that. With several applications they are done before the first one: in a
/// loop over them the compiler kept what the steps need in registers (188 instead of 63).
template <class Program>
class program_with_nodes : public Program {
  static constexpr bool in_phases = !Program::several;
  static constexpr int lead =
      in_phases && Program::steps > Program::data_phase ? Program::steps - Program::data_phase : 0;

 public:
  static constexpr int steps_before = in_phases ? 0 : Program::steps;
  static constexpr int phases = lead + Program::phases, data_phase = lead + Program::data_phase;
  static constexpr int shared_entries = Program::node_entries + Program::shared_entries;
  using Program::Program;

  /// Steps before the phases, a barrier after each.
  template <int number>
  constexpr void before() {
    if constexpr (number == 0) this->load_nodes();
    this->template prepare_lines<number>();
  }
  template <int number>
  constexpr void run(int round) {
    if constexpr (in_phases && number == 0) this->load_nodes();
    if constexpr (number >= lead) Program::template run<number - lead>(round);
    if constexpr (in_phases && number < Program::steps) this->template prepare_lines<number>();
  }
};

}  // namespace tessera::device
