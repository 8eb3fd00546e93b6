// SPDX-License-Identifier: BSD-3-Clause
// The element kernel of dense tables: u at all points, the function, and the transposes back. One lane, one element.
#pragma once

#include <tessera/cpu/element/block.hpp>
#include <tessera/cpu/element/dense_function.hpp>
#include <tessera/cpu/element/panel_product.hpp>
#include <tessera/cpu/element/points_memory.hpp>

namespace tessera::simd {

/// With d functions of u, q points, t test functions, and gradients (q,dim) of each component behind its values':
///
///     x (d) -> values (q), gradients (q,dim) -> function -> values (q), gradients (q,dim) -> y (t)
template <class Isa, class T>
class dense_kernel {
 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

  /// block.function is a dense_function; block.tables says nothing.
  [[gnu::flatten]] static void run(const element_block<T>& block) {
    dense_kernel kernel(block);
    kernel.to_points();
    kernel.from_points(0);
  }
  /// The same of x that is 1 in one entry, d components after each other, and 0 in the others: a column of the matrix.
  /// Of y as many entries as there are before that one may be of no use where `lower`.
  [[gnu::flatten]] static void column(const element_block<T>& block, index_t entry, bool lower) {
    dense_kernel kernel(block);
    kernel.column_at_points(entry);
    kernel.from_points(lower ? entry : 0);
  }

 private:
  using vector = typename Isa::template vector<T>;

  explicit dense_kernel(const element_block<T>& block)
      : block_(block),
        given_(*static_cast<const dense_function<T>*>(block.function)),
        tables_(given_.tables),
        free_(block.scratch),
        at_(given_.function, tables_.q, free_) {
    if (block.ahead != nullptr) ahead_ = *block.ahead;
  }

  index_t values() const { return tables_.q * lanes; }
  index_t gradients() const { return tables_.q * given_.function.dim * lanes; }

  void to_points() {
    const point_shape& u = given_.function.trial;
    for (int c = 0; c < u.components; ++c) {
      const T* const x = block_.x + c * tables_.d * lanes;
      if (u.value) multiply<Isa, T>(tables_.values, x, at_.value + c * values(), ahead_);
      if (u.gradient) multiply<Isa, T>(tables_.gradients, x, at_.gradient + c * gradients(), ahead_);
    }
  }

  void column_at_points(index_t entry) {
    const point_shape& u = given_.function.trial;
    const index_t of = entry / tables_.d, i = entry % tables_.d;
    const auto spread = [&](const T* column, index_t vectors, T* to, bool other) {
      for (index_t k = 0; k < vectors; ++k) vector(other ? T(0) : column[k]).store_aligned(to + k * lanes);
    };
    for (int c = 0; c < u.components; ++c) {
      const index_t q = tables_.q, slopes = q * given_.function.dim;
      if (u.value) spread(tables_.trial.values + i * q, q, at_.value + c * values(), c != of);
      if (u.gradient) spread(tables_.trial.gradients + i * slopes, slopes, at_.gradient + c * gradients(), c != of);
    }
  }

  void from_points(index_t first_row) {
    at_.call(block_.D);
    const point_shape& v = given_.function.test;
    for (int c = 0; c < v.components; ++c) {
      T* const y = block_.y + c * tables_.t * lanes;
      const index_t first = first_row - c * tables_.t;
      const T *const value = at_.value_out + c * values(), *const gradient = at_.gradient_out + c * gradients();
      if (v.value) multiply<Isa, T>(tables_.test_values, value, y, ahead_, first);
      if (v.gradient && v.value) multiply<Isa, T, true>(tables_.test_gradients, gradient, y, ahead_, first);
      if (v.gradient && !v.value) multiply<Isa, T>(tables_.test_gradients, gradient, y, ahead_, first);
    }
  }

  const element_block<T>& block_;
  const dense_function<T>& given_;
  const element_panels<T>& tables_;
  T* free_;
  const points_memory<Isa, T> at_;
  read_ahead ahead_;
};

}  // namespace tessera::simd
