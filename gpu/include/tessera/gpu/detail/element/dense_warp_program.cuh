// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to apply an operator by dense tables with products of a warp, by tensor cores: what is computed
// at points stays in registers, from where it is multiplied back.
#pragma once

#include <tessera/gpu/detail/element/dense_elements.cuh>

namespace tessera::device {

/// A warp has 16 or 32 elements, 8 points times Form::tuning.points at once, and all test functions of its elements. To
/// the points, of functions i and elements e, four functions a step:
///
///     U(e,k) += x(e,i) B(i,k): lane l has two points of elements l / 4 + {0, 8, ...}
///
/// On the way back they are the right operand of y(i,e) += B(k,i) v(k,e) without any exchange between lanes, four
/// points a step: the first of each lane's, then the others. D is read where it is needed or, `ahead`, copied to shared
/// memory while products run. Warp: what lanes do together, `tensor_warp` on a GPU. The rest as of dense_elements.
template <class Warp, class T, class Stored, class Function, class Form, bool Several, class Loader, class Storer>
class dense_warp_program : public dense_elements<T, Stored, Function, Form, Several, Loader, Storer> {
  using base = dense_elements<T, Stored, Function, Form, Several, Loader, Storer>;
  using base::d;
  using base::factors;
  using base::in;
  using base::is_there;
  using base::layout;
  using base::out;
  using base::q;
  using base::round_;
  using base::shared_;
  using base::t;
  using base::tables_;
  using base::tests;
  using base::thread_;
  using base::trials;

  static constexpr int tiles = Form::tuning.points, functions = layout.functions(), pitch = layout.x_pitch();
  static constexpr int of_warp = Form::tuning.elements, square = Warp::square, depth = 4, eights = of_warp / square;
  static constexpr bool staged = Form::tuning.ahead;
  static constexpr int in_slots = in > 0 ? in : 1;
  static constexpr int points = layout.part(), D_pitch = layout.v_pitch();
  /// Numbers of D that are copied at once.
  static constexpr int of_copy = q * int(sizeof(Stored)) % 16 == 0 ? 16 / int(sizeof(Stored)) : 1;

 public:
  using base::base;
  using base::parts;

  /// Starts to copy x and D of the warp's elements to shared memory. A barrier of the warp follows each step.
  void begin(int round) {
    round_ = round;
    constexpr int all = trials * layout.padded_trial();
    T* const x = memory();
#pragma unroll 2
    for (int n = lane(); n < of_warp * all; n += 32) {
      const int e = n / all, c = n % all / layout.padded_trial(), i = n % layout.padded_trial();
      if (i < d && is_there(of_block(e)))
        copy_x(x + e * pitch + n % all, this->x_of(of_block(e), c), i);
      else
        x[e * pitch + n % all] = 0;
    }
    if constexpr (staged) load_data(0);
    Warp::wait();
  }

  void evaluate() {
#pragma unroll
    for (int c = 0; c < tests; ++c)
#pragma unroll
      for (int n = 0; n < functions; ++n) y_[c][n] = {};
    const Stored* from[staged ? 1 : eights];
    if constexpr (!staged) {
#pragma unroll
      for (int h = 0; h < eights; ++h)
        from[h] = is_there(of_block(element(h))) ? base::data_of(of_block(element(h))) : nullptr;
    }
    for (int part = 0; part < parts; ++part) {
      T u[trials][in_slots][tiles][eights][2] = {};  // by eights of elements, and points
      to_points(part, u);
      T v[tests][out][tiles][eights][2];
      if (staged && part > 0) {
        Warp::wait();
        Warp::sync();
      }
      at_points(part, from, u, v);
      if (staged && part + 1 < parts) {
        Warp::sync();
        load_data(part + 1);
      }
      from_points(part, v);
    }
  }

  /// y to shared memory, in the place of x.
  void gather() {
    T* const to = memory();
#pragma unroll
    for (int c = 0; c < tests; ++c)
#pragma unroll
      for (int n = 0; n < functions; ++n)
#pragma unroll
        for (int h = 0; h < eights; ++h)
#pragma unroll
          for (int r = 0; r < 2; ++r) {
            const int i = 2 * square * n + square * r + lane() / depth;
#pragma unroll
            for (int w = 0; w < 2; ++w)
              if (i < t) to[(square * h + lane() % depth * 2 + w) * pitch + t * c + i] = y_[c][n].at[h][r][w];
          }
  }
  /// From there to global memory.
  void end() {
    const T* const y = memory();
    constexpr int all = tests * t;
#pragma unroll 2
    for (int n = lane(); n < of_warp * all; n += 32) {
      const int e = n / all;
      if (is_there(of_block(e))) this->put_y(of_block(e), n % all / t, n % t, y[e * pitch + n % all]);
    }
  }

 private:
  template <class Entries>
  static void copy_x(T* to, const Entries& from, int i) {
    if constexpr (Loader::has_addresses)
      Warp::template copy<sizeof(T)>(to, from.address(i));
    else
      *to = from[i];
  }

  /// Test functions l / 4 + {0, 8} of elements 2 (l % 4) + {0, 1} of each eight.
  struct product {
    T at[eights][2][2] = {};  // eight, row, element
  };

  int lane() const { return thread_ % 32; }
  int of_block(int e) const { return thread_ / 32 * of_warp + e; }
  /// The warp's.
  T* memory() const { return shared_ + thread_ / 32 * of_warp * (pitch + D_pitch); }
  Stored* data() const { return reinterpret_cast<Stored*>(memory() + of_warp * pitch); }
  /// The lane's points of a part.
  int point(int tile, int w) const {
    return staged ? (2 * tile + w) * depth + lane() % depth : tile * square + lane() % depth * 2 + w;
  }
  int element(int eight) const { return lane() / depth + square * eight; }

  /// Neighbouring lanes copy neighbouring numbers of a row, then those of the next elements.
  void load_data(int part) const {
    constexpr int of_row = points / of_copy, rows = 32 / of_row;
    const int k = lane() % of_row * of_copy, first = part * points;
    if (lane() >= rows * of_row || first + k >= q) return;
      // Unrolled, it would keep an address for each row in registers.
#pragma unroll 1
    for (int row = 0; row < of_warp; row += rows) {
      const int e = row + lane() / of_row;
      if (e >= of_warp || !is_there(of_block(e))) break;
      const Stored* const from = base::data_of(of_block(e)) + first + k;
#pragma unroll
      for (int f = 0; f < factors; ++f)
        Warp::template copy<of_copy * sizeof(Stored)>(data() + e * D_pitch + points * f + k, from + q * f);
    }
  }

  void at_points(int part, const Stored* const (&direct)[staged ? 1 : eights],
                 const T (&u)[trials][in_slots][tiles][eights][2], T (&v)[tests][out][tiles][eights][2]) const {
#pragma unroll
    for (int m = 0; m < tiles; ++m) {
#pragma unroll
      for (int h = 0; h < eights; ++h)
#pragma unroll
        for (int w = 0; w < 2; ++w) {
          at_point<T, trials, base::dim> at;
          at_point<T, tests, base::dim> to{};
          if (part * points + point(m, w) < q && is_there(of_block(element(h)))) {
            base::put([&](int c, int s) { return u[c][s][m][h][w]; }, at);
            Stored own[factors];
            if constexpr (staged) {
              const Stored* const from = data() + element(h) * D_pitch + point(m, w);
#pragma unroll
              for (int f = 0; f < factors; ++f) own[f] = from[points * f];
            } else {
              base::read_data(direct[h] + part * points + point(m, w), own);
            }
            this->call(at, own, to);
          }
          base::take(to, [&](int c, int s, T value) { v[c][s][m][h][w] = value; });
        }
    }
  }

  void to_points(int part, T (&u)[trials][in_slots][tiles][eights][2]) const {
    constexpr int steps = layout.padded_trial() / depth;
    const T* const x = memory() + lane() / depth * pitch + lane() % depth;
    const T* const table = tables_.trial + index_t(part) * (steps * in * tiles * 32) + lane();
#pragma unroll 2
    for (int i = 0; i < steps; ++i) {
      T entries[trials][eights];
#pragma unroll
      for (int c = 0; c < trials; ++c)
#pragma unroll
        for (int h = 0; h < eights; ++h) entries[c][h] = x[square * pitch * h + layout.padded_trial() * c + depth * i];
#pragma unroll
      for (int s = 0; s < in; ++s)
#pragma unroll
        for (int m = 0; m < tiles; ++m) {
          const T entry = table[((i * in + s) * tiles + m) * 32];
#pragma unroll
          for (int c = 0; c < trials; ++c)
#pragma unroll
            for (int h = 0; h < eights; h += 2)
              Warp::multiply_both(u[c][s][m][h], u[c][s][m][h + 1], entries[c][h], entries[c][h + 1], entry);
        }
    }
  }

  void from_points(int part, const T (&v)[tests][out][tiles][eights][2]) {
    struct alignas(16) pair {
      T at[2];
    };
    const T* const table = tables_.test + index_t(part) * (tiles * out * functions * 2 * 64) + lane() * 2;
#pragma unroll
    for (int m = 0; m < tiles; ++m)
#pragma unroll
      for (int s = 0; s < out; ++s) {
#pragma unroll
        for (int w = 0; w < 2; ++w)
#pragma unroll
          for (int n = 0; n < functions; ++n) {
            const pair entry = *reinterpret_cast<const pair*>(table + (((m * out + s) * 2 + w) * functions + n) * 64);
#pragma unroll
            for (int c = 0; c < tests; ++c)
#pragma unroll
              for (int h = 0; h < eights; ++h)
                Warp::multiply_both(y_[c][n].at[h][0], y_[c][n].at[h][1], entry.at[0], entry.at[1], v[c][s][m][h][w]);
          }
      }
  }

  product y_[tests][functions];
};

}  // namespace tessera::device
