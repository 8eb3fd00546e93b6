// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for symmetric matrices B^T D B of a block's element, by lines in even and odd halves. It is an
// ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/pointwise.hpp>
#include <tessera/gpu/detail/element/form.hpp>
#include <tessera/gpu/detail/element/halved_layout.hpp>
#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/places.cuh>
#include <tessera/gpu/detail/element/tiles.cuh>

namespace tessera::device {

/// Of diffusion and Helmholtz operators in 3-D, in double, of functions that mirror each other. A direction's pairs
/// (i,j), (j,i) and their mirror images have the same products of functions but for order and sign, so four entries are
/// sums and differences of four sums over half a line each (see halved_units):
///
///     D (q,q,q) -> (q,q, 8 classes, pairs) -> (q, 4 groups, d d, pairs) -> staged (d d, d d, pairs) -> M
///
/// *Classes* are what the last direction leaves of factors: 0, 1, 2 of D00, 2 D01 and D11 with values' products; 3 of
/// D22 with slopes' (and of what multiplies values); 4, 5 of 2 D02 and 2 D12 with both; 6, 7 of them with turns,
/// negative. *Groups* are lines that the first direction multiplies with slopes, both, turns and values. All are as
/// they are for (i,j) and (j,i), but for what has to do with turns. Products are the launch's constants. What `layout`
/// says lies in shared memory.
template <class Stored, class Function, class Form, class Shape, class Stores>
class halved_program {
  using T = double;
  static constexpr int dim = Form::dim, d = Form::d, q = Form::q, factors = Function::factors;
  static constexpr matrix_tuning by = Shape::tuning;
  static constexpr bool packed = Shape::packed;
  using slots = couplings<Function>;
  static_assert(dim == 3 && Form::t == d && !Form::own_test && slots::parts == 1 && Function::trial.gradient);

 public:
  static constexpr int threads = by.threads, blocks = by.blocks;
  static constexpr halved_layout layout{{d, q, packed}, by};
  using value_type = T;
  using arguments = matrix_arguments<T>;
  using tables = table_constants<T, layout.units().entries()>;

 private:
  static constexpr halved_units units = layout.units();
  static constexpr int value = halved_units::value, slope = halved_units::slope, both = halved_units::both,
                       turn = halved_units::turn;
  static constexpr int even = units.even_points(), below = layout.points_below(), points = layout.points();
  static constexpr int slot = layout.slot(), pitch = layout.pitch(), sums_pitch = layout.sums_pitch(),
                       sums_place = layout.sums_place();
  static constexpr int groups = layout.groups, parts = layout.parts();
  static constexpr int of_values = slots::between(dim, dim).factor;  // what multiplies values, if there is any
  /// Of a unit: what is the same for mirror images, and what changes its sign.
  struct halves {
    T same = 0, changes = 0;
  };

 public:
  halved_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : a_(a), constants_(constants), shared_(shared), element_(block / parts), thread_(thread) {
    part_ = int(block % parts);
  }

  /// All steps in their order. step(f): every thread's program goes through f(program), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.sum_last(); });
    if constexpr (layout.apart()) {
      step([](auto& s) { s.sum_second(); });
    } else {
      step([](auto& s) { s.take_wave(0); });
      pointwise::each_direction<by.waves>([&](auto w) {
        constexpr int wave = int(decltype(w)::value);
        step([](auto& s) {
          s.replace_wave(wave);
          if constexpr (wave + 1 < by.waves) s.take_wave(wave + 1);
        });
      });
    }
    step([](auto& s) { s.sum_first(); });
    step([](auto& s) { s.store(); });
  }

  // ---- Steps

  /// Lines of points along the last direction, of one factor each: of the products of values, of slopes, of the rest.
  void sum_last() const {
    for (int n = thread_; n < lanes_before(3); n += threads)
      pointwise::each_direction<3>([&](auto k) {
        constexpr int kind = int(decltype(k)::value), begin = lanes_before(kind);
        if (n >= begin && n < lanes_before(kind + 1)) sum_last_of<kind>(n - begin);
      });
  }

  /// Lines along the second direction, a group of the first one's each.
  void sum_second() const {
    constexpr int lanes = up(layout.lanes_of_pairs() * q);
    for (int n = thread_; n < groups * lanes; n += threads)
      each_group([&]<int group>() {
        if (n / lanes != group) return;
        const second_task at = task_of(0, n % lanes);
        if (!by.along && !at.is_there) return;
        T x[4][q] = {};
        take_second<group>(x, at);
        put_second<group>(x, at);
      });
  }
  /// The same in turns: what all threads have taken is replaced.
  void take_wave(int wave) {
    each_of_wave(wave, [&]<int group>(const second_task& at) { take_second<group>(taken_, at); });
  }
  void replace_wave(int wave) {
    each_of_wave(wave, [&]<int group>(const second_task& at) { put_second<group>(taken_, at); });
  }

  /// Lines along the first direction, replaced by their entries.
  void sum_first() const {
    constexpr int lines = layout.lines_of_pair();
    for (int n = thread_; n < layout.pairs() * lines; n += threads) {
      const int pair = n / lines;
      if (!has_pair(pair)) continue;
      T* const line = shared_ + (slot * pair + pitch * (n % lines));
      T x[groups][q];
#pragma unroll
      for (int g = 0; g < groups; ++g) {
#pragma unroll
        for (int k = 0; k < q; ++k) x[g][k] = line[q * g + k];
        to_halves(x[g]);
      }
      each_unit([&]<int u>() {
        halves P, Q;
        add<slope, u>(x[0], P);
        add<both, u>(x[1], P);
        add<turn, u>(x[2], Q);
        add<value, u>(x[3], P);
        put_square<u, true>(P, Q, [&](int i, int j, T sum) { line[layout.place_in_line(i, j)] = sum; });
      });
    }
  }

  /// The block's matrix, columns or tiles to M.
  void store() const {
    if constexpr (by.tiled > 0) {
      if (element_ >= a_.count) return;
      constexpr index_t entries = index_t(layout.functions()) * layout.functions();
      tiled_entries<T, Stores, d, threads>::store(a_.M + entries * element_, a_.places, layout.pairs() * part_,
                                                  layout.pairs(), shared_, slot, thread_);
    } else {
      store_matrices<T, Stores, threads, by.at_once>(a_, layout.written(), element_, part_, shared_, thread_);
    }
  }

 private:
  static constexpr int up(int n) { return (n + 31) / 32 * 32; }
  bool has_pair(int pair) const { return pair < layout.pairs() - (by.sliced && packed ? part_ : 0); }

  template <class F>
  static void each_unit(const F& f) {
    pointwise::each_direction<units.count()>([&](auto u) { f.template operator()<int(decltype(u)::value)>(); });
  }
  template <class F>
  static void each_group(const F& f) {
    pointwise::each_direction<groups>([&](auto g) { f.template operator()<int(decltype(g)::value)>(); });
  }

  // ---- Halves

  /// In place: x_k + x_{q-1-k} for k < ceil(q / 2), a middle one as it is, then x_k - x_{q-1-k}.
  static void to_halves(T (&x)[q]) {
    T all[q];
#pragma unroll
    for (int k = 0; k < q / 2; ++k) {
      all[k] = x[k] + x[q - 1 - k];
      all[even + k] = x[k] - x[q - 1 - k];
    }
    if constexpr (q % 2 == 1) all[q / 2] = x[q / 2];
#pragma unroll
    for (int k = 0; k < q; ++k) x[k] = all[k];
  }
  /// A line in halves with unit u's products. sign: 1 or -1.
  template <int kind, int u, int sign = 1>
  void add(const T (&x)[q], halves& sums) const {
    constexpr bool flips = kind == both || kind == turn;
    if constexpr (units.has(kind, false, u))
      add_half<units.place(kind, false, u), 0, even, sign>(x, flips ? sums.changes : sums.same);
    if constexpr (units.has(kind, true, u))
      add_half<units.place(kind, true, u), even, q, sign>(x, flips ? sums.same : sums.changes);
  }
  template <int place, int begin, int end, int sign>
  void add_half(const T (&x)[q], T& sum) const {
#pragma unroll
    for (int k = begin; k < end; ++k) sum += constants_.at[place + k - begin] * (sign > 0 ? x[k] : -x[k]);
  }

  /// put(i, j, sum) for unit u's pairs: of P, which is the same for (i,j) and (j,i), and Q, which changes its sign.
  template <int u, bool turns, class Put>
  static void put_square(const halves& P, const halves& Q, const Put& put) {
    constexpr int i = units.row_of(u), j = units.column_of(u), r = d - 1 - i, s = d - 1 - j;
    if constexpr (i == j && i == r) {
      put(i, i, P.same);
    } else if constexpr (i == j) {
      put(i, i, P.same + P.changes);
      put(r, r, P.same - P.changes);
    } else if constexpr (i == s) {
      put(i, j, turns ? P.same + Q.changes : P.same);
      put(j, i, turns ? P.same - Q.changes : P.same);
    } else {
      const T a = P.same + P.changes, b = P.same - P.changes, c = Q.same + Q.changes, e = Q.same - Q.changes;
      put(i, j, turns ? a + c : a);
      put(j, i, turns ? a - c : a);
      put(r, s, turns ? b + e : b);
      put(s, r, turns ? b - e : b);
    }
  }

  // ---- The last direction

  // Lines of a kind: three factors have values' products, one has slopes', two have the rest.
  static constexpr int lines_of(int kind) { return below * (kind == 0 ? 3 : kind == 1 ? 1 : 2); }
  static constexpr int lanes_before(int kind) {
    int before = 0;
    for (int n = 0; n < kind; ++n) before += up(lines_of(n));
    return before;
  }
  static constexpr int factor_of(int kind, int which) {
    return kind == 0   ? slots::between(which == 2 ? 1 : 0, which == 0 ? 0 : 1).factor
           : kind == 1 ? slots::between(dim - 1, dim - 1).factor
                       : slots::between(which, dim - 1).factor;
  }
  static void load(T (&x)[q], const Stored* from, T scale) {
#pragma unroll
    for (int k = 0; k < q; ++k) x[k] = scale * T(from[below * k]);
  }

  template <int kind>
  void sum_last_of(int n) const {
    const int which = n / below, point = n % below;
    const bool own = n < lines_of(kind) && element_ < a_.count;
    if (!by.along && !own) return;
    T x[q] = {}, more[q] = {};
    if (own) {
      const Stored* const from =
          static_cast<const Stored*>(a_.D) + ((a_.first + element_) * (factors * points) + point);
      int factor = factor_of(kind, 0);
      if (kind != 1 && which == 1) factor = factor_of(kind, 1);
      if (kind == 0 && which == 2) factor = factor_of(kind, 2);
      load(x, from + index_t(factor) * points, kind == 2 || (kind == 0 && which == 1) ? T(2) : T(1));
      if constexpr (kind == 1 && of_values >= 0) load(more, from + index_t(of_values) * points, T(1));
    }
    to_halves(x);
    if constexpr (kind == 1 && of_values >= 0) to_halves(more);

    constexpr int first = kind == 0 ? 0 : kind == 1 ? 3 : 4;
    T* const to = shared_ + (sums_place + below * (first + which) + point);
    const auto sums = [&]<int u>(halves& P, halves& Q) {
      add<kind == 0 ? value : kind == 1 ? slope : both, u>(x, P);
      if constexpr (kind == 1 && of_values >= 0) add<value, u>(more, P);
      if constexpr (kind == 2) add<turn, u, -1>(x, Q);
    };
    const auto put = [&](int pair, T P, T Q) {
      if (by.along && !own) return;
      to[sums_pitch * pair] = P;
      if constexpr (kind == 2) to[sums_pitch * pair + 2 * below] = Q;
    };
    if constexpr (by.sliced)
      pointwise::each_direction<parts>([&](auto s) {
        if (part_ == int(decltype(s)::value)) put_slice<int(decltype(s)::value)>(sums, put);
      });
    else if constexpr (by.tiled > 0)
      pointwise::each_direction<parts>([&](auto s) {
        if (part_ == int(decltype(s)::value)) put_tiles<int(decltype(s)::value)>(sums, put);
      });
    else
      each_unit([&]<int u>() {
        constexpr int i = units.row_of(u), j = units.column_of(u);
        put_unit<u>(pair_of(i, j, d), pair_of(d - 1 - j, d - 1 - i, d), sums, put);
      });
  }
  /// A unit's pair and its mirror image, if that is another one.
  template <int u, class Sums, class Put>
  static void put_unit(int own, int image, const Sums& sums, const Put& put) {
    constexpr bool has_image = units.row_of(u) + units.column_of(u) < d - 1;
    halves P, Q;
    sums.template operator()<u>(P, Q);
    put(own, has_image ? P.same + P.changes : P.same, Q.same + Q.changes);
    if constexpr (has_image) put(image, P.same - P.changes, Q.changes - Q.same);
  }
  template <int part, class Sums, class Put>
  static void put_tiles(const Sums& sums, const Put& put) {
    pointwise::each_direction<layout.pairs()>([&](auto n) {
      constexpr int at = int(decltype(n)::value);
      constexpr halved_layout::pair_of_tile pair = layout.pair_of(part, at);
      if constexpr (!pair.image) put_unit<pair.unit>(at, at + 1, sums, put);
    });
  }
  /// Pairs (i,j) of one function j.
  template <int j, class Sums, class Put>
  static void put_slice(const Sums& sums, const Put& put) {
    constexpr int begin = packed ? j : 0;
    pointwise::each_direction<d - begin>([&](auto n) {
      constexpr int i = begin + int(decltype(n)::value), low = i < j ? i : j, high = i < j ? j : i;
      constexpr bool upper = high + low > d - 1;  // given as its mirror image
      constexpr int u = pair_units{d, q, true}.of(upper ? d - 1 - low : high, upper ? d - 1 - high : low);
      halves P, Q;
      sums.template operator()<u>(P, Q);
      const T turned = upper ? Q.changes - Q.same : Q.same + Q.changes;
      put(i - begin, upper ? P.same - P.changes : P.same + P.changes, i < j ? -turned : turned);
    });
  }

  // ---- The second direction

  /// A pair and a point of the first direction.
  struct second_task {
    int from, to;
    bool is_there;
  };
  second_task task_of(int wave, int n) const {
    constexpr int of_wave = layout.lanes_of_pairs();
    const int pair = of_wave * wave + n % of_wave, point = n / of_wave;
    return {sums_place + sums_pitch * pair + point, slot * pair + point, has_pair(pair) && point < q};
  }
  void take_class(T (&x)[q], const second_task& at, int which) const {
    if (!by.along || at.is_there) {
#pragma unroll
      for (int k = 0; k < q; ++k) x[k] = shared_[at.from + q * (k + q * which)];
    }
    to_halves(x);
  }
  /// Classes that become a group.
  template <int group>
  void take_second(T (&x)[4][q], const second_task& at) const {
    take_class(x[0], at, group == 0 ? 0 : group == 3 ? 2 : 1);
    if constexpr (group > 0) take_class(x[1], at, group == 1 ? 4 : group == 2 ? 6 : 3);
    if constexpr (group == 3) {
      take_class(x[2], at, 5);
      take_class(x[3], at, 7);
    }
  }
  template <int group>
  void put_second(const T (&x)[4][q], const second_task& at) const {
    T* const to = shared_ + (at.to + q * group);
    each_unit([&]<int u>() {
      halves P, Q;
      if constexpr (group == 0) add<value, u>(x[0], P);
      if constexpr (group == 1) add<both, u>(x[0], P);
      if constexpr (group == 2) add<turn, u, -1>(x[0], Q);
      if constexpr (group == 1 || group == 2) add<value, u>(x[1], P);
      if constexpr (group == 3) {
        add<slope, u>(x[0], P);
        add<value, u>(x[1], P);
        add<both, u>(x[2], P);
        add<turn, u>(x[3], Q);
      }
      if (by.along && !at.is_there) return;
      put_square<u, (group > 1)>(P, Q, [&](int i, int j, T sum) { to[pitch * layout.line_of(i, j)] = sum; });
    });
  }
  template <class F>
  void each_of_wave(int wave, const F& f) const {
    constexpr int lanes = up(layout.lanes_of_pairs() * q);
    static_assert(layout.apart() || groups * lanes <= threads, "what a thread takes stays in registers");
    each_group([&]<int group>() {
      if (thread_ / lanes != group) return;
      const second_task at = task_of(wave, thread_ % lanes);
      if (by.along || at.is_there) f.template operator()<group>(at);
    });
  }

  const arguments& a_;
  const tables& constants_;
  T* shared_;
  index_t element_;
  int thread_, part_ = 0;
  T taken_[4][q];  // of a wave
};

}  // namespace tessera::device
