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

/// Strips of one size in several products, as three loops: two of them are the kernel's.
template <class T>
struct strip_grid {
  strip_function<T> kernel;
  strip<T> each;
  index_t a, b, out;  // offsets of the first strip in its product
  strip_repeat outer;
  int level;  // of products among the loops, the innermost is 0

  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) {
    each.a = at.a + a, each.b = at.b + b, each.out = at.out + out;
    (level == 0 ? each.inner : (level == 1 ? each.outer : outer)).count = products;
    for (index_t i = 0; i < outer.count; ++i) {
      kernel(each);
      each.a += outer.a, each.b += outer.b, each.out += outer.out;
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
    strip_repeat loops[] = {{task_, products_.a, products_.b, products_.out},
                            {down.count, down.a, down.b, down.out},
                            {along.count, along.a, along.b, along.out}};
    // The longest loop is the innermost.
    int level = 0;
    const auto order = [&](int i, int j) __attribute__((always_inline)) {
      if (loops[i].count >= loops[j].count) return;
      const strip_repeat other = loops[i];
      loops[i] = loops[j], loops[j] = other;
      level = level == i ? j : (level == j ? i : level);
    };
    order(0, 1);
    order(0, 2);
    order(1, 2);
    strip_grid<T>& grid = grids_[count_++];
    grid = {kernel, each_, first.a, first.b, first.out, loops[2], level};
    grid.each.tail = tail, grid.each.inner = loops[0], grid.each.outer = loops[1];
  }

  /// `products` products, at most a task.
  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) {
    for (int i = 0; i < count_; ++i) grids_[i].run(at, products);
  }
  /// All products of `products` and of the digits of `all` above the first, task by task.
  [[gnu::always_inline]] void run_all(const strip_place<T>& first, const repeats& all) {
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
  strip_grid<T> grids_[16];
  int count_ = 0;
};

/// How many products of so many entries make a task that stays in L1.
template <class T>
[[gnu::always_inline]] constexpr index_t products_in_l1(index_t entries) {
  constexpr index_t most = 16384 / index_t(sizeof(T));
  return entries < most ? most / (entries > 0 ? entries : 1) : 1;
}

}  // namespace tessera::simd::detail
