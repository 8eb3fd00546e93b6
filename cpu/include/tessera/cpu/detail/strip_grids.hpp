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

/// Strips of one size in several products: the kernel, and where they begin in a product.
template <class T>
struct strip_grid {
  strip_function<T> kernel;
  strip<T> each;
  index_t a, b, out;
  int level;  // of products among the loops

  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) {
    each.a = at.a + a, each.b = at.b + b, each.out = at.out + out;
    each.loops[level].count = products;
    const strip_repeat& last = each.loops[2];
    for (index_t i = last.count; i > 0; --i) {
      kernel(each);
      each.a += last.a, each.b += last.b, each.out += last.out;
    }
  }
};

/// All strips of a product, for `task` products at a time, at the distances of `products`.
template <class T>
class strip_grids {
 public:
  [[gnu::always_inline]] strip_grids(const strip_shape<T>& of, const repeat& products, index_t task)
      : of_(of), products_(products), task_(task), count_(0) {}

  /// Strips that begin at `first`: `down.count` times `along.count` of them. The longest loop is the innermost.
  [[gnu::always_inline]] void add(strip_function<T> kernel, int tail, const repeat& first, const repeat& down,
                                  const repeat& along) {
    const int level = (down.count > task_) + (along.count > task_);
    const int level_down = (task_ >= down.count) + (along.count > down.count);
    strip_grid<T>& grid = grids_[count_++];
    grid.kernel = kernel, grid.level = level;
    grid.a = first.a, grid.b = first.b, grid.out = first.out;
    grid.each.of = &of_, grid.each.tail = tail;
    const auto set = [&](int at, index_t count, const repeat& by) __attribute__((always_inline)) {
      strip_repeat& loop = grid.each.loops[at];
      loop.count = count, loop.a = by.a, loop.b = by.b, loop.out = by.out;
    };
    set(level, task_, products_);
    set(level_down, down.count, down);
    set(3 - level - level_down, along.count, along);
  }

  /// `products` products, at most a task.
  [[gnu::always_inline]] void run(const strip_place<T>& at, index_t products) {
    for (int i = 0; i < count_; ++i) grids_[i].run(at, products);
  }
  /// All products of `products` and of the digits of `all` above the first, task by task; before each task
  /// prepare(where it begins, number of products).
  template <class Prepare>
  [[gnu::always_inline]] void run_all(const strip_place<T>& first, const repeats& all, const repeat& products,
                                      const Prepare& prepare) {
    each_step(
        all, 1, [&](const repeat& to) __attribute__((always_inline)) {
          strip_place<T> at = first;
          at.move(to, 1);
          for (index_t left = products.count; left > 0; left -= task_) {
            const index_t count = left < task_ ? left : task_;
            strip_place<T> task = at;
            prepare(task, count);
            run(task, count);
            at.move(products, task_);
          }
        });
  }

 private:
  const strip_shape<T>& of_;
  const repeat& products_;
  index_t task_;
  strip_grid<T> grids_[16];
  int count_;
};

/// How many products of so many entries make a task that stays in L1.
template <class T>
[[gnu::always_inline]] constexpr index_t products_in_l1(index_t entries) {
  constexpr index_t most = 16384 / index_t(sizeof(T));
  return entries < most ? most / (entries > 0 ? entries : 1) : 1;
}

}  // namespace tessera::simd::detail
