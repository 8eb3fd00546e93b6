// SPDX-License-Identifier: BSD-3-Clause
// The element kernel of dense tables: u at all points, the function, and the transposes back. One lane, one element.
#pragma once

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/element/dense_function.hpp>
#include <tessera/cpu/detail/element/panel_product.hpp>
#include <tessera/cpu/detail/element/points_memory.hpp>

namespace tessera::simd {

/// With d functions of u, t test functions, and a few points at a time, n, gradients (n,dim) of each component:
///
///     x (d) -> values (n), gradients (n,dim) -> function -> values (n), gradients (n,dim) -> y (t)
template <class Isa, class T>
class dense_kernel {
 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

  /// block.function is a dense_function; block.tables is not used.
  [[gnu::flatten]] static void run(const element_block<T>& block) {
    dense_kernel kernel(block);
    kernel.each_part([&](const part& p) {
      kernel.to_points(p);
      kernel.from_points(p, 0);
    });
  }
  /// The same of x that is 1 in one entry, d components after each other, and 0 in the others: a column of the matrix.
  /// Of y as many entries as there are before that one may be of no use where `lower`.
  [[gnu::flatten]] static void column(const element_block<T>& block, index_t entry, bool lower) {
    dense_kernel kernel(block);
    kernel.each_part([&](const part& p) {
      kernel.column_at_points(p, entry);
      kernel.from_points(p, lower ? entry : 0);
    });
  }

 private:
  using vector = typename Isa::template vector<T>;
  using part = points_panels<T>;

  explicit dense_kernel(const element_block<T>& block)
      : block_(block),
        given_(*static_cast<const dense_function<T>*>(block.function)),
        tables_(given_.tables),
        free_(block.scratch),
        at_(given_.function, tables_.most_points, free_) {
    if (block.prefetch != nullptr) prefetch_ = prefetcher::copy_of(*block.prefetch);
  }

  template <class Body>
  void each_part(const Body& body) {
    for (index_t p = 0; p < tables_.part_count; ++p) {
      at_.count = tables_.parts[p].count;
      body(tables_.parts[p]);
    }
    if (block_.prefetch != nullptr) *block_.prefetch = prefetch_;
  }

  // From one component to the next.
  index_t values() const { return at_.count * lanes; }
  index_t gradients() const { return at_.count * given_.function.dim * lanes; }

  void to_points(const part& p) {
    const point_shape& u = given_.function.trial;
    for (int c = 0; c < u.components; ++c) {
      const T* const x = block_.x + c * tables_.d * lanes;
      if (u.value) multiply<Isa, T>(p.values, x, at_.value + c * values(), false, prefetch_);
      if (u.gradient) multiply<Isa, T>(p.gradients, x, at_.gradient + c * gradients(), false, prefetch_);
    }
  }

  void column_at_points(const part& p, index_t entry) {
    const point_shape& u = given_.function.trial;
    const index_t of = entry / tables_.d, i = entry % tables_.d, dim = given_.function.dim, q = tables_.q;
    const auto spread = [&](const T* column, T* to, bool other) {
      for (index_t k = 0; k < p.count; ++k) vector(other ? T(0) : column[p.first + k]).store_aligned(to + k * lanes);
    };
    for (int c = 0; c < u.components; ++c) {
      if (u.value) spread(tables_.trial.values + i * q, at_.value + c * values(), c != of);
      for (index_t a = 0; a < dim && u.gradient; ++a)
        spread(tables_.trial.gradients + (a + dim * i) * q, at_.gradient + c * gradients() + a * values(), c != of);
    }
  }

  void from_points(const part& p, index_t first_row) {
    at_.call(block_.D + p.first * given_.function.factors * lanes);
    const point_shape& v = given_.function.test;
    for (int c = 0; c < v.components; ++c) {
      T* const y = block_.y + c * tables_.t * lanes;
      const index_t first = first_row - c * tables_.t;
      const bool adds = p.first > 0;
      if (v.value) multiply<Isa, T>(p.test_values, at_.value_out + c * values(), y, adds, prefetch_, first);
      if (v.gradient)
        multiply<Isa, T>(p.test_gradients, at_.gradient_out + c * gradients(), y, adds || v.value, prefetch_, first);
    }
  }

  const element_block<T>& block_;
  const dense_function<T>& given_;
  const element_panels<T>& tables_;
  T* free_;
  points_memory<Isa, T> at_;
  prefetcher prefetch_;
};

}  // namespace tessera::simd
