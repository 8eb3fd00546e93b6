// SPDX-License-Identifier: BSD-3-Clause
// Lines of elements as threads own them: where they lie in shared memory, and how they come from x and go to y.
#pragma once

#include <tessera/element/at_point.hpp>
#include <tessera/gpu/detail/element/arguments.hpp>
#include <tessera/gpu/detail/element/e_vector.cuh>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/from_nodes.hpp>
#include <tessera/gpu/detail/element/line.cuh>

namespace tessera::device {

/// What all element kernels by lines, planes and warps have in common. Source: type of D in memory, or `from_nodes`.
/// Several: more than one application of the function to an element. Loader, Storer: of x and y, see e_vector.cuh.
template <class T, class Source, class Function, class Form, class Shape, bool Several, class Loader, class Storer>
class element_lines {
 protected:
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, t = Form::t, elements = Shape::elements;
  /// Applications to an element that are computed at the same time, and all those of a block.
  static constexpr int together = Shape::together, applications = elements * together;
  static constexpr int trials = Function::trial.components, tests = Function::test.components;
  static constexpr bool values_in = Function::trial.value, values_out = Function::test.value;
  static constexpr bool slopes_in = Function::trial.gradient, slopes_out = Function::test.gradient;
  static constexpr bool slopes = slopes_in || slopes_out;
  static constexpr int points = power_of(q, dim), factors = Function::factors;
  static constexpr int cube_entries = applications * Shape::pitch_element;

  /// Directions in the order in which lines go to the points; the last one is the tuning's. In 3-D the first is not x:
  /// threads side by side then read and write x and y side by side.
  static constexpr int axis(int sweep) {
    if (sweep == dim - 1) return Shape::last;
    if (dim == 2) return 1 - Shape::last;
    return Shape::last == 2 ? 1 - sweep : (Shape::last + 1 + sweep) % 3;
  }
  static constexpr int last = dim - 1;  // sweep

 public:
  static constexpr int threads = Shape::threads, blocks = Shape::blocks;
  static constexpr bool several = Several;
  /// Steps of a block before its first phase.
  static constexpr int steps_before = 0;
  static constexpr table_places places{d, q, t, Form::nodal, Form::own_test, Form::mirrored, slopes, Shape::direct};
  static constexpr int table_entries = places.entries + source_constants<Source>(q);
  static constexpr int elements_of_block = elements;
  /// That call the function: those of element e of a block are e threads_of_element, ...
  static constexpr int threads_of_element = threads_of_element_at_points(Form::q, dim, together, Shape::by_plane);
  using value_type = T;
  using source_type = Source;
  using arguments = element_arguments<T, typename Loader::layout, typename Storer::layout>;
  using tables = table_constants<T, table_entries>;
  using function = Function;
  using form = Form;
  using shape = Shape;

  static_assert(Shape::by_warp || applications * power_of(Form::side, Shape::by_plane ? 1 : dim - 1) <= threads,
                "a line or plane for each thread");
  static_assert(together == 1 || !Several, "all applications at the same time, or one after the other");

  constexpr element_lines(const arguments& a, const tables& constants, const Function& f, T* shared, index_t block,
                          int thread)
      : a_(a),
        constants_(constants),
        function_(f),
        shared_(shared),
        first_(block * (elements * Shape::batches)),
        thread_(thread) {}

  /// How often all phases run.
  constexpr int rounds() const { return Several ? a_.repeats * a_.sides : 1; }
  /// Elements of the block that there are.
  constexpr int present() const {
    const index_t rest = a_.count - first_;
    return rest < elements ? int(rest > 0 ? rest : 0) : elements;
  }
  constexpr bool listed() const { return a_.list != nullptr; }

 protected:
  template <int sign, int m, int n, bool transposed>
  using table = line_table_of<Form::mirrored, T, m, n, sign, transposed>;

  constexpr table<1, q, d, false> interpolate() const { return {constants_.at}; }
  constexpr table<1, q, t, true> test() const { return {constants_.at + (Form::own_test ? places.test : 0)}; }
  // Collocated: C.
  constexpr table<-1, q, q, false> differentiate() const { return {constants_.at + places.differentiate}; }
  constexpr table<-1, q, q, true> differentiate_back() const { return {constants_.at + places.differentiate}; }
  // Direct: G, C B or its own.
  constexpr table<-1, q, d, false> slopes_of_trial() const { return {constants_.at + places.differentiate}; }
  constexpr table<-1, q, t, true> slopes_of_test() const {
    return {constants_.at + (Form::own_test ? places.test_slopes : places.differentiate)};
  }

  /// A thread's line along direction `along` of a box: element (of `applications`, those to an element one behind
  /// the other) and the other two indices.
  struct line_place {
    int element, low, high;
    bool active;
  };
  /// `n_low`, `n_high`: extents of the box in the other directions, the lower one numbered first.
  constexpr line_place place(int n_low, int n_high) const {
    const int lines = n_low * n_high, element = thread_ / lines, line = thread_ - element * lines;
    return {element, line % n_low, line / n_low, element < applications && first_ + element / together < a_.count};
  }
  // Of a direction, those of the other two, in order; extents that a dimension lacks are 1.
  static constexpr int lower(int along) { return along == 0 ? 1 : 0; }
  static constexpr int upper(int along) { return along == 2 ? 1 : 2; }

  /// Extent of direction `b` while sweep s reads its lines, `n` being what lines not yet swept have.
  static constexpr int extent(int b, int s, int n) {
    if (b >= dim) return 1;
    for (int i = 0; i < s; ++i)
      if (axis(i) == b) return q;
    return n;
  }
  template <int s>
  constexpr line_place sweep_place(int n) const {
    return place(extent(lower(axis(s)), s, n), extent(upper(axis(s)), s, n));
  }
  constexpr line_place point_place(int along) const {
    return place(lower(along) < dim ? q : 1, upper(along) < dim ? q : 1);
  }

  static constexpr int in_box(const line_place& p, int along, int s0, int s1, int s2) {
    return p.low * (lower(along) == 0 ? s0 : s1) + p.high * (upper(along) == 1 ? s1 : s2);
  }
  /// Where a line starts in a cube of this thread's.
  constexpr T* in_cube(int cube, const line_place& p, int along) const {
    return shared_ + cube * cube_entries + p.element * Shape::pitch_element +
           in_box(p, along, Shape::pitch(0), Shape::pitch(1), Shape::pitch(2));
  }
  constexpr index_t number_of(int element) const {
    return a_.list != nullptr ? a_.list[first_ + element] : a_.first + first_ + element;
  }
  constexpr int side() const { return Several ? round_ / a_.repeats : 0; }
  constexpr int repeat() const { return Several ? round_ % a_.repeats : 0; }
  constexpr Loader x() const { return {a_.x, a_.x_layout, a_.x_side}; }
  constexpr Storer y() const { return {a_.y, a_.y_layout, a_.y_side, a_.add}; }
  /// Component c of x and y, of one of the block's `applications`.
  constexpr auto x_of(int element, int c) const {
    return x_of_number(number_of(element / together), element % together, c);
  }
  constexpr auto y_of(int element, int c) const {
    return y_of_number(number_of(element / together), element % together, c);
  }
  /// Of element `element` of all, and of those applications to it that are computed now, number `at_once`.
  constexpr auto x_of_number(index_t element, int at_once, int c) const {
    return x().entries(element, (repeat() + at_once) * trials + c, side());
  }
  constexpr auto y_of_number(index_t element, int at_once, int c) const {
    return y().entries(element, (repeat() + at_once) * tests + c, side());
  }

  template <int n>
  static constexpr void read(const T* from, int step, T (&line)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i) line[i] = from[i * step];
  }
  template <int n>
  static constexpr void write(const T (&line)[n], T* to, int step) {
#pragma unroll
    for (int i = 0; i < n; ++i) to[i * step] = line[i];
  }
  /// Line of x's entries, n functions a direction.
  template <int n>
  constexpr void read_x(const line_place& p, int along, int c, T (&line)[n]) const {
    const int start = in_box(p, along, 1, n, n * n), step = power_of(n, along);
    if constexpr (Shape::packed > 0) {
      read(x_piece_ + (p.element * trials + c) * power_of(n, dim) + start, step, line);
      return;
    }
    x_of(p.element, c).load(line, start, step);
  }
  template <int n>
  constexpr void write_y(const T (&line)[n], const line_place& p, int along, int c) const {
    const int start = in_box(p, along, 1, n, n * n), step = power_of(n, along);
    if constexpr (Shape::packed > 0) {
      write(line, y_piece_ + (p.element * tests + c) * power_of(n, dim) + start, step);
      return;
    }
    y_of(p.element, c).store(line, start, step);
  }

  const arguments& a_;
  const tables& constants_;
  const Function& function_;
  T* shared_;
  index_t first_;
  int thread_, round_ = 0;
  T *x_piece_ = nullptr, *y_piece_ = nullptr;  // in shared memory, where x and y are copied in whole pieces
};

}  // namespace tessera::device
