// SPDX-License-Identifier: BSD-3-Clause
// The diagonals of the matrices B^T D B of as many elements as a vector has lanes: one lane, one element.
#pragma once

#include <tessera/cpu/detail/element/diagonal_block.hpp>
#include <tessera/cpu/detail/element/sums.hpp>
#include <tessera/detail/element/couplings.hpp>
#include <tessera/element/at_point.hpp>
#include <tessera/element/pointwise.hpp>

namespace tessera::simd {

/// Entry i of the diagonal is a sum over points, and over pairs of what the function takes of u and gives to v, of the
/// function's factor between the two times a product of one-dimensional functions: of each direction the i-th test
/// function's value or derivative times that of the i-th trial function. So each pair is as many sums as there are
/// directions, with tables of such products:
///
///     factor (q,q,q) -> (d; q,q) -> (d,d; q) -> y (d,d,d)
///
/// With dense tables each pair is one sum over all points.
template <class Isa, class T, class Function>
class diagonal_kernel {
  using vector = typename Isa::template vector<T>;
  static constexpr index_t lanes = index_t(vector::size);
  static constexpr int dim = Function::dim, parts = Function::trial.components, factors = Function::factors;

 public:
  [[gnu::flatten]] static void run(const diagonal_block<T>& block) { diagonal_kernel(block).apply(); }

  /// Vectors of scratch memory that run() needs; of dense tables as many as there are points.
  static index_t scratch(index_t d, index_t q) {
    return power(q, dim) + (dim > 1 ? d * power(q, dim - 1) : 0) + (dim > 2 ? d * d * q : 0);
  }

 private:
  explicit diagonal_kernel(const diagonal_block<T>& block)
      : block_(block),
        d_(block.products->functions),
        q_(block.products->points),
        dense_(block.products->dense),
        functions_(dense_ != nullptr ? d_ : power(d_, dim)),
        points_(dense_ != nullptr ? q_ : power(q_, dim)),
        factor_(block.scratch),
        first_(factor_ + points_ * lanes),
        second_(first_ + (dim > 1 && dense_ == nullptr ? d_ * power(q_, dim - 1) : 0) * lanes) {}

  static constexpr index_t power(index_t base, int exponent) {
    index_t product = 1;
    for (int i = 0; i < exponent; ++i) product *= base;
    return product;
  }

  void apply() {
    for (int c = 0; c < parts; ++c) {
      T* const y = block_.y + c * functions_ * lanes;
      for (index_t i = 0; i < functions_; ++i) vector(T(0)).store_aligned(y + i * lanes);
      pointwise::each_direction<dim + 1>([&](auto out) {
        pointwise::each_direction<dim + 1>([&](auto in) {
          constexpr int o = int(decltype(out)::value), i = int(decltype(in)::value);
          if constexpr (couplings<Function>::between(o, i).is_there()) {
            for (index_t k = 0; k < points_; ++k) factor<o, i>(c, k).store_aligned(factor_ + k * lanes);
            add_pair(o, i, y);
          }
        });
      });
    }
  }

  // What component c of u's slot `in` gives to its slot `out` of v, at a point.
  template <int out, int in>
  vector factor(int c, index_t point) const {
    constexpr int alone = couplings<Function>::between(out, in).factor;
    const T* const from = block_.D + point * factors * lanes;
    if constexpr (alone >= 0) {
      return vector::load_aligned(from + alone * lanes);
    } else {
      vector D[factors];
      for (int f = 0; f < factors; ++f) D[f] = vector::load_aligned(from + f * lanes);
      at_point<vector, parts, dim> u, v;
      for (int p = 0; p < parts; ++p) {
        u.value[p] = vector(T(in == dim && p == c ? 1 : 0));
        for (int a = 0; a < dim; ++a) u.gradient[p][a] = vector(T(in == a && p == c ? 1 : 0));
      }
      Function{}(u, D, v);
      if constexpr (out == dim)
        return v.value[c];
      else
        return v.gradient[c][out];
    }
  }

  void add_pair(int out, int in, T* y) const {
    if (dense_ != nullptr) return add_dense(out, in, y);
    const auto table = [&](int a) {
      return sum_table<Isa, T>{block_.products->of[out == a ? 1 : 0][in == a ? 1 : 0], d_, q_};
    };
    const index_t d = d_, q = q_, lines = power(q, dim - 1);
    if constexpr (dim == 1) sums_apart<Isa, T, true>(table(0), {factor_, 1}, {y, 1});
    if constexpr (dim > 1)
      for (index_t l = 0; l < lines; ++l)
        sums_apart<Isa, T>(table(0), {factor_ + l * q * lanes, 1}, {first_ + l * d * lanes, 1});
    if constexpr (dim == 2)
      for (index_t i = 0; i < d; ++i) sums_apart<Isa, T, true>(table(1), {first_ + i * lanes, d}, {y + i * lanes, d});
    if constexpr (dim == 3) {
      for (index_t k3 = 0; k3 < q; ++k3)
        for (index_t i = 0; i < d; ++i)
          sums_apart<Isa, T>(table(1), {first_ + (i + d * q * k3) * lanes, d}, {second_ + (i + d * d * k3) * lanes, d});
      for (index_t i = 0; i < d * d; ++i)
        sums_apart<Isa, T, true>(table(2), {second_ + i * lanes, d * d}, {y + i * lanes, d * d});
    }
  }

  // A few functions at once; the last ones again where there are no more.
  void add_dense(int out, int in, T* y) const {
    constexpr int at_once = 4;
    const auto column = [&](const plain_columns<T>& of, int slot, index_t i) {
      return slot == dim ? of.values + q_ * i : of.gradients + q_ * (slot + dim * i);
    };
    for (index_t first = 0; first < d_; first += at_once) {
      const auto number = [&](int r) { return first + r < d_ ? first + r : d_ - 1; };
      const T *v[at_once], *u[at_once];
      vector sum[at_once];
      for (int r = 0; r < at_once; ++r) {
        v[r] = column(dense_->test, out, number(r));
        u[r] = column(dense_->trial, in, number(r));
        sum[r] = vector::load_aligned(y + number(r) * lanes);
      }
      for (index_t k = 0; k < q_; ++k) {
        const vector factor = vector::load_aligned(factor_ + k * lanes);
        unrolled<at_once>([&](auto r) { sum[r] = Isa::fma(vector(v[r][k] * u[r][k]), factor, sum[r]); });
      }
      for (int r = 0; r < at_once; ++r) sum[r].store_aligned(y + number(r) * lanes);
    }
  }

  const diagonal_block<T>& block_;
  const index_t d_, q_;
  const element_panels<T>* const dense_;
  const index_t functions_, points_;
  T *factor_, *first_, *second_;
};

}  // namespace tessera::simd
