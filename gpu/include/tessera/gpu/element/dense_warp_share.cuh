// SPDX-License-Identifier: BSD-3-Clause
// The share of one thread in an operator of dense tables whose products are a warp's, by tensor cores: what is computed
// at points stays in registers, and comes back from there.
#pragma once

#include <tessera/gpu/element/dense_elements.cuh>

namespace tessera::device {

/// A warp has 16 elements, 8 points times Form::tuning.points at once, and all test functions of its elements. To the
/// points, of functions i and elements e, four functions a step:
///
///     U(e,k) += x(e,i) B(i,k): lane l has points 2 (l % 4) + {0, 1} of elements l / 4 + {0, 8}
///
/// On the way back these are, as they lie, the right operand of y(i,e) += B(k,i) v(k,e), four points a step: those with
/// 0, then those with 1. Products: the warp's, `tensor_core` on a GPU. The rest as for dense_share.
template <class Products, class T, class Stored, class Function, class Form, bool Several, bool Unit>
class dense_warp_share : public dense_elements<T, Stored, Function, Form, Several, Unit> {
  using base = dense_elements<T, Stored, Function, Form, Several, Unit>;
  using base::d;
  using base::factors;
  using base::in;
  using base::is_there;
  using base::out;
  using base::q;
  using base::room;
  using base::round_;
  using base::shared_;
  using base::t;
  using base::tables_;
  using base::tests;
  using base::thread_;
  using base::trials;

  static constexpr int tiles = Form::tuning.points, functions = room.functions(), pitch = room.x_pitch();
  static constexpr int of_warp = 16, square = Products::square, depth = 4;
  static constexpr bool ahead = Form::tuning.ahead;
  static constexpr int in_room = in > 0 ? in : 1;

 public:
  using base::base;
  using base::parts;

  /// x of the warp's elements to shared memory. The warp meets behind each step.
  void begin(int round) {
    round_ = round;
    constexpr int all = trials * room.padded_trial();
    T* const x = memory();
    for (int n = lane(); n < of_warp * all; n += 32) {
      const int e = n / all, c = n % all / room.padded_trial(), i = n % room.padded_trial();
      x[e * pitch + n % all] = i < d && is_there(of_block(e)) ? this->x_of(of_block(e), c)[i] : T(0);
    }
  }

  void evaluate() {
#pragma unroll
    for (int c = 0; c < tests; ++c)
#pragma unroll
      for (int n = 0; n < functions; ++n) y_[c][n] = {};
    const Stored* const own[2] = {data_of(0), data_of(1)};
    for (int part = 0; part < parts; ++part) {
      Stored early[ahead ? tiles : 1][2][2][factors];
      if constexpr (ahead) {
#pragma unroll
        for (int m = 0; m < tiles; ++m)
#pragma unroll
          for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int w = 0; w < 2; ++w)
              if (holds(part, m, h, w)) base::read_data(own[h] + point(part, m, w), early[m][h][w]);
      }
      T u[trials][in_room][tiles][2][2] = {};  // by halves of the elements, and points
      to_points(part, u);
      T v[tests][out][tiles][2][2];
#pragma unroll
      for (int m = 0; m < tiles; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
          for (int w = 0; w < 2; ++w) {
            at_point<T, trials, base::dim> at;
            at_point<T, tests, base::dim> to{};
            if (holds(part, m, h, w)) {
              base::put([&](int c, int s) { return u[c][s][m][h][w]; }, at);
              if constexpr (!ahead) base::read_data(own[h] + point(part, m, w), early[0][h][w]);
              this->call(at, early[ahead ? m : 0][h][w], to);
            }
            base::take(to, [&](int c, int s, T value) { v[c][s][m][h][w] = value; });
          }
      from_points(part, v);
    }
  }

  /// y to shared memory, where nobody reads x any more.
  void gather() {
    T* const to = memory();
#pragma unroll
    for (int c = 0; c < tests; ++c)
#pragma unroll
      for (int n = 0; n < functions; ++n)
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
          for (int r = 0; r < 2; ++r) {
            const int i = of_warp * n + square * r + lane() / depth;
#pragma unroll
            for (int w = 0; w < 2; ++w)
              if (i < t) to[(square * h + lane() % depth * 2 + w) * pitch + t * c + i] = y_[c][n].at[h][r][w];
          }
  }
  /// y from there.
  void end() {
    const T* const y = memory();
    constexpr int all = tests * t;
    for (int n = lane(); n < of_warp * all; n += 32) {
      const int e = n / all;
      if (is_there(of_block(e))) this->put_y(of_block(e), n % all / t, n % t, y[e * pitch + n % all]);
    }
  }

 private:
  /// Test functions l / 4 + {0, 8} of elements 2 (l % 4) + {0, 1} of either half.
  struct product {
    T at[2][2][2] = {};  // half, row, element
  };

  int lane() const { return thread_ % 32; }
  int of_block(int e) const { return thread_ / 32 * of_warp + e; }
  T* memory() const { return shared_ + thread_ / 32 * of_warp * pitch; }
  const Stored* data_of(int half) const {
    const int e = of_block(lane() / depth + square * half);
    return is_there(e) ? base::data_of(e) : nullptr;
  }
  /// The lane's points of a tile.
  int point(int part, int tile, int w) const { return (part * tiles + tile) * square + lane() % depth * 2 + w; }
  bool holds(int part, int tile, int half, int w) const {
    return point(part, tile, w) < q && is_there(of_block(lane() / depth + square * half));
  }

  void to_points(int part, T (&u)[trials][in_room][tiles][2][2]) const {
    constexpr int steps = room.padded_trial() / depth;
    const T* const x = memory() + lane() / depth * pitch + lane() % depth;
    const T* const table = tables_.trial + index_t(part) * (steps * in * tiles * 32) + lane();
#pragma unroll 2
    for (int i = 0; i < steps; ++i) {
      T low[trials], high[trials];
#pragma unroll
      for (int c = 0; c < trials; ++c) {
        low[c] = x[room.padded_trial() * c + depth * i];
        high[c] = x[square * pitch + room.padded_trial() * c + depth * i];
      }
#pragma unroll
      for (int s = 0; s < in; ++s)
#pragma unroll
        for (int m = 0; m < tiles; ++m) {
          const T entry = table[((i * in + s) * tiles + m) * 32];
#pragma unroll
          for (int c = 0; c < trials; ++c)
            Products::multiply_both(u[c][s][m][0], u[c][s][m][1], low[c], high[c], entry);
        }
    }
  }

  void from_points(int part, const T (&v)[tests][out][tiles][2][2]) {
    struct alignas(16) pair {
      T at[2];
    };
    const T* const table = tables_.test + index_t(part) * (tiles * out * functions * 2 * 64) + lane() * 2;
#pragma unroll
    for (int m = 0; m < tiles; ++m)
#pragma unroll
      for (int s = 0; s < out; ++s)
#pragma unroll
        for (int w = 0; w < 2; ++w)
#pragma unroll
          for (int n = 0; n < functions; ++n) {
            const pair entry = *reinterpret_cast<const pair*>(table + (((m * out + s) * 2 + w) * functions + n) * 64);
#pragma unroll
            for (int c = 0; c < tests; ++c)
#pragma unroll
              for (int h = 0; h < 2; ++h)
                Products::multiply_both(y_[c][n].at[h][0], y_[c][n].at[h][1], entry.at[0], entry.at[1],
                                        v[c][s][m][h][w]);
          }
  }

  product y_[tests][functions];
};

}  // namespace tessera::device
