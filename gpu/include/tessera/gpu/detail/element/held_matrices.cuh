// SPDX-License-Identifier: BSD-3-Clause
// What one thread does for symmetric matrices B^T D B where a warp has D of two elements in registers. It is an
// ordinary function of the thread's number, so that tests run it on the host.
#pragma once

#include <tessera/gpu/detail/element/product_program.cuh>

namespace tessera::device {

/// For at most four points a direction: they are one step of a warp's product, so that fragments of four tables, one
/// for each kind of product of functions, serve both directions. No number but the result passes through shared memory.
template <class Products, class Stored, class Function, class Form, class Shape, class Stores>
class held_program : public product_program<Products, Stored, Function, Form, Shape, Stores> {
  using base = product_program<Products, Stored, Function, Form, Shape, Stores>;
  using base::first_;
  using base::lane;
  using base::least;
  using base::shared_;
  using base::warp;
  static constexpr int below = base::below, dim = base::dim, elements = base::elements, factors = base::factors,
                       groups = base::groups, level = base::level, pairs = base::pairs, points = base::points,
                       q = base::q, rows = base::rows, staged_of_pair = base::staged_of_pair;
  using typename base::fragment;
  using typename base::slots;
  using typename base::tile;
  static constexpr int sharing = base::by.sharing;
  static_assert(q <= product_layout::step && base::row_tiles == 1);

 public:
  using T = double;
  static constexpr int threads = base::threads, blocks = base::blocks;
  static constexpr product_layout layout = base::layout;
  using arguments = typename base::arguments;
  /// Products of the last direction [slopes of which][point][pair].
  using tables = table_constants<T, 4 * q * pairs>;

  held_program(const arguments& a, const tables& constants, T* shared, index_t block, int thread)
      : base(a, shared, block, thread), constants_(constants) {}

  /// All steps in their order. step(f): every thread's program goes through f(program), then they wait for each other.
  template <class Step>
  static void in_order(const Step& step) {
    step([](auto& s) { s.multiply(); });
    step([](auto& s) { s.store(); });
  }

  /// Lane l has lines along the last direction, at point l % 4 of the second one and l / 8 of the first, of the element
  /// of its two that l / 4 % 2 says.
  void multiply() const {
    constexpr int couples = (elements + 1) / 2;
    for (int n = warp(); n < couples * sharing; n += base::warps) {
      const int element = n / sharing * 2;
      const index_t rest = this->a_.count - first_ - element;
      if (rest <= 0) continue;
      const index_t own = first_ + element + (rest > 1 && element + 1 < elements ? lane() / 4 % 2 : 0);
      const Stored* const from = static_cast<const Stored*>(this->a_.D) + (this->a_.first + own) * (points * factors) +
                                 (least(lane() / 8, q - 1) + q * least(lane() % 4, q - 1));
      T data[factors][q];
#pragma unroll
      for (int f = 0; f < factors; ++f)
#pragma unroll
        for (int k = 0; k < q; ++k) data[f][k] = T(from[f * points + below * k]);
      fragment kinds[4];
#pragma unroll
      for (int kind = 0; kind < (base::slopes ? 4 : 1); ++kind) kinds[kind] = this->table_at(kind);
      // Which pairs a warp has is known to its compiler.
      pointwise::each_direction<sharing>([&](auto part) {
        constexpr int first = int(decltype(part)::value);
        if (n % sharing == first) {
#pragma unroll
          for (int pair = first; pair < pairs; pair += sharing) multiply_pair(data, kinds, pair, element);
        }
      });
    }
  }

 private:
  template <int a, class F>
  static void each_pair(const F& f) {
    base::template each_pair<a>(f);
  }

  void multiply_pair(const T (&data)[factors][q], const fragment (&kinds)[4], int pair, int element) const {
    T sums[layout.of.classes];
    each_pair<level>([&]<int out, int in>() {
      if constexpr (!base::is_twin(out, in)) {
        T sum = 0;
        each_pair<level + 1>([&]<int o, int i>() {
          if constexpr (slots::joins(level + 1, out, in, o, i)) {
            constexpr int kind = 2 * (o == dim - 1) + (i == dim - 1), f = slots::between(o, i).factor;
#pragma unroll
            for (int k = 0; k < q; ++k) sum += constants_.at[(kind * q + k) * pairs + pair] * data[f][k];
          }
        });
        sums[slots::number(level, out, in)] = sum;
      }
    });
    tile between[groups];
    each_pair<level>([&]<int out, int in>() {
      constexpr int group = slots::number(0, slots::merged(out, 1), slots::merged(in, 1));
      constexpr int number = base::is_twin(out, in) ? slots::number(level, in, out) : slots::number(level, out, in);
      between[group].add(kinds[2 * (out == 1) + (in == 1)], sums[number]);
    });
    // Columns of a tile are points of the two elements by turns.
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      tile sum[2];
      each_pair<0>([&]<int out, int in>() {
        constexpr int group = slots::number(0, out, in);
        const fragment& left = kinds[2 * (out == 0) + (in == 0)];
        sum[0].add(left, between[group].upper[p]);
        if (rows > 8) sum[1].add(left, between[group].lower[p]);
      });
      if (element + p >= elements) continue;
      T* const to = shared_ + staged_of_pair * (pair + pairs * (element + p));
      base::stage(sum[0], to, lane() / 4, lane() % 4 * 2);
      base::stage(sum[1], to, lane() / 4, lane() % 4 * 2 + 8);
    }
  }

  const tables& constants_;
};

}  // namespace tessera::device
