// SPDX-License-Identifier: BSD-3-Clause
// The strips of a product as a short list, made once a call: which kernel runs where, and what it repeats itself.
#pragma once

#include <tessera/cpu/detail/repeats.hpp>
#include <tessera/cpu/detail/strip.hpp>

namespace tessera::simd::detail {

/// Where a product begins.
template <class T>
struct strip_place {
  const T* a;
  const T* b;
  T* out;

  [[gnu::always_inline]] void move(const repeat& by, index_t times) {
    a += times * by.a, b += times * by.b, out += times * by.out;
  }
};

/// Strips of one size in a product, and in several products: the kernel repeats `each`, and two loops repeat that.
template <class T>
struct strip_grid {
  strip_function<T> kernel;
  strip<T> each;
  index_t a, b, out;  // offsets of the first strip in its product
  repeat middle, outer;
  bool by_product;

  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) const {
    strip<T> next = each;
    next.a = at.a + a, next.b = at.b + b, next.out = at.out + out;
    if (by_product) next.steps = products;
    const index_t outer_count = by_product ? outer.count : products;
    for (index_t i = 0; i < outer_count; ++i) {
      for (index_t j = 0; j < middle.count; ++j) {
        kernel(next);
        next.a += middle.a, next.b += middle.b, next.out += middle.out;
      }
      next.a += outer.a - middle.count * middle.a, next.b += outer.b - middle.count * middle.b;
      next.out += outer.out - middle.count * middle.out;
    }
  }
};

/// All strips of a product, for `task` products at a time, at the distances of `products`.
template <class T>
class strip_grids {
 public:
  [[gnu::always_inline]] strip_grids(const strip<T>& each, const repeat& products, index_t task)
      : each_(each), products_(products), task_(task) {}

  /// Strips that begin at `first`: `down.count` times `along.count` of them.
  [[gnu::always_inline]] void add(strip_function<T> kernel, int tail, const repeat& first, const repeat& down,
                                  const repeat& along) {
    const bool by_product = task_ >= down.count && task_ >= along.count;
    const bool by_row = !by_product && down.count >= along.count;
    const repeat& inner = by_product ? products_ : (by_row ? down : along);
    strip_grid<T>& grid = grids_[count_++];
    grid = {kernel,
            each_,
            first.a,
            first.b,
            first.out,
            by_product || by_row ? along : down,
            by_product ? down : products_,
            by_product};
    grid.each.tail = tail;
    grid.each.a_step = inner.a, grid.each.b_step = inner.b, grid.each.out_step = inner.out;
    grid.each.steps = inner.count;
  }

  /// `products` products, at most a task.
  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) const {
    for (int i = 0; i < count_; ++i) grids_[i].run(at, products);
  }
  /// All products of `products` and of the digits of `all` above the first, task by task.
  [[gnu::always_inline]] void run_all(const strip_place<T>& first, const repeats& all) const {
    each_step(
        all, 1, [&](const repeat& to) __attribute__((always_inline)) {
          strip_place<T> at = first;
          at.move(to, 1);
          for (index_t left = products_.count; left > 0; left -= task_) {
            run(at, left < task_ ? left : task_);
            at.move(products_, task_);
          }
        });
  }

 private:
  strip<T> each_;
  repeat products_;
  index_t task_;
  strip_grid<T> grids_[8];
  int count_ = 0;
};

/// How many products of so many entries make a task that stays in L1.
template <class T>
constexpr index_t products_in_l1(index_t entries) {
  constexpr index_t most = 16384 / index_t(sizeof(T));
  return entries < most ? most / (entries > 0 ? entries : 1) : 1;
}

}  // namespace tessera::simd::detail
