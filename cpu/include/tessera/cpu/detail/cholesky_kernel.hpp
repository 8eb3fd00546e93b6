// SPDX-License-Identifier: BSD-3-Clause
// L D L^T of as many matrices as a vector has lanes, and solves that read L once from memory.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include <tessera/cpu/detail/cholesky.hpp>
#include <tessera/cpu/detail/lane_moves.hpp>

namespace tessera::simd {

/// Rows go by panels of 4, but for the first one, which has what is left. A panel that begins with row s is at number
/// s (s + 1) / 2: its rows' entries of column 0, of column 1, ... to column s - 1, then its triangle, row by row, with
/// 1 / D on the diagonal. The forward substitution reads panels from the first to the last as sums, the backward one in
/// reverse as updates.
template <class Isa, class T>
class cholesky_kernel {
  using vector = typename Isa::template vector<T>;
  static constexpr int lanes = int(vector::size), most = tessera::detail::most_cholesky_rows;
  static constexpr int panel = 4;
  static constexpr int most_sums = Isa::registers >= 32 ? 4 : 2;  // rows of 4 sums that stay in registers
  using failure = tessera::detail::cholesky_failure;

 public:
  static constexpr tessera::detail::cholesky_kernels<T> table() { return {Isa::name, lanes, &factor, &solve}; }

 private:
  [[gnu::always_inline]] static vector at(const T* numbers, index_t k) {
    return vector::load_aligned(numbers + lanes * k);
  }
  [[gnu::always_inline]] static void put(T* numbers, index_t k, const vector& v) {
    v.store_aligned(numbers + lanes * k);
  }
  static int first_rows(int n) { return (n - 1) % panel + 1; }
  [[gnu::always_inline]] static index_t start(int s) { return tessera::detail::cholesky_numbers(s); }
  /// Entry (q, r) of a triangle.
  [[gnu::always_inline]] static constexpr int corner(int q, int r) { return q * (q + 1) / 2 + r; }

  // c (+)= - sum_k of rows [first, first + rows) of a panel at `mine` and the 4 rows of another one, k < columns.
  template <int rows>
  [[gnu::always_inline]] static void subtract_products(T* mine, const T* other, index_t columns, int first) {
    vector c[rows][panel];
    unrolled<rows>([&](auto q) __attribute__((always_inline)) {
      unrolled<panel>([&](auto r) __attribute__((always_inline)) { c[q][r] = vector(T(0)); });
    });
    for (index_t k = 0; k < columns; ++k) {
      vector l[panel];
      unrolled<panel>([&](auto r) __attribute__((always_inline)) { l[r] = at(other, panel * k + r); });
      unrolled<rows>([&](auto q) __attribute__((always_inline)) {
        const vector m = at(mine, panel * k + first + q);
        unrolled<panel>([&](auto r) __attribute__((always_inline)) { c[q][r] = Isa::fma(m, l[r], c[q][r]); });
      });
    }
    unrolled<rows>([&](auto q) __attribute__((always_inline)) {
      unrolled<panel>([&](auto r) __attribute__((always_inline)) {
        const index_t k = panel * (columns + r) + first + q;
        put(mine, k, at(mine, k) - c[q][r]);
      });
    });
  }

  // The columns of a triangle of `size` rows, from column c of a panel on: its rows are not divided by D yet.
  static void finish_columns(T* mine, const T* triangle, index_t c, int size) {
    for (int r = 1; r < size; ++r)
      for (int q = 0; q < panel; ++q) {
        vector sum = at(mine, panel * (c + r) + q);
        for (int k = 0; k < r; ++k) sum = sum - at(mine, panel * (c + k) + q) * at(triangle, corner(r, k));
        put(mine, panel * (c + r) + q, sum);
      }
  }

  // Entries of a panel, without its triangle: L D.
  static void finish_panel(T* L, int s, int short_rows) {
    T* const mine = L + lanes * start(s);
    finish_columns(mine, L, 0, short_rows);
    for (int c = short_rows; c < s; c += panel) {
      const T* const other = L + lanes * start(c);
      for (int q = 0; q < panel; q += most_sums) subtract_products<most_sums>(mine, other, c, q);
      finish_columns(mine, other + lanes * panel * c, c, panel);
    }
  }

  // 1 / D of all lanes; notes the first failure of each.
  static vector inverse(const vector& d, int row, failure* of_lanes) {
    alignas(64) T pivot[lanes];
    d.store_aligned(pivot);
    for (int w = 0; w < lanes; ++w) {
      const T inverted = T(1) / pivot[w];
      constexpr T largest = std::numeric_limits<T>::max();
      if (!(pivot[w] > 0 && pivot[w] <= largest && inverted <= largest) && of_lanes[w].matrix < 0)
        of_lanes[w] = {w, row, double(pivot[w])};
      pivot[w] = inverted;
    }
    return vector::load_aligned(pivot);
  }

  // A panel of `rows` rows whose columns [0, s) are L D: becomes L, with its triangle.
  static void finish_triangle(T* L, int s, int rows, int short_rows, failure* of_lanes) {
    T* const mine = L + lanes * start(s);
    T* const triangle = mine + lanes * rows * s;
    for (int q = 0; q < rows; ++q) {
      vector d = at(triangle, corner(q, q));
      for (int r = 0; r < q; ++r) {  // rows before are L already
        vector sum = at(triangle, corner(q, r));
        for (int k = 0; k < s; ++k) sum = sum - at(mine, rows * k + q) * at(mine, rows * k + r);
        for (int k = 0; k < r; ++k) sum = sum - at(triangle, corner(q, k)) * at(triangle, corner(r, k));
        put(triangle, corner(q, r), sum);
      }
      const auto divide = [&](T * entry, index_t k, const vector& inverted) __attribute__((always_inline)) {
        const vector before = at(entry, k), after = before * inverted;
        put(entry, k, after);
        d = d - before * after;
      };
      for (int k = 0; k < s; ++k) divide(mine, rows * k + q, inverse_at(L, k, short_rows));
      for (int k = 0; k < q; ++k) divide(triangle, corner(q, k), at(triangle, corner(k, k)));
      put(triangle, corner(q, q), inverse(d, s + q, of_lanes));
    }
  }
  // 1 / D of a row before.
  static vector inverse_at(const T* L, int row, int short_rows) {
    if (row < short_rows) return at(L, corner(row, row));
    const int q = (row - short_rows) % panel, s = row - q;
    return at(L, start(s) + panel * s + corner(q, q));
  }

  // A into lanes; lanes without a matrix have the identity.
  static void take(int n, index_t matrices, const T* A, T* L) {
    const index_t all = index_t(n) * n;
    const auto entry = [&](int i, int j) {
      for (int w = 0; w < lanes; ++w) L[w] = w < matrices ? A[all * w + i + index_t(n) * j] : T(i == j ? 1 : 0);
      L += lanes;
    };
    int rows = first_rows(n);
    for (int s = 0; s < n; s += std::exchange(rows, panel)) {
      for (int j = 0; j < s; ++j)
        for (int q = 0; q < rows; ++q) entry(s + q, j);
      for (int q = 0; q < rows; ++q)
        for (int r = 0; r <= q; ++r) entry(s + q, s + r);
    }
  }

  static failure factor(int n, index_t count, const T* A, T* L, index_t first, index_t last) {
    const int short_rows = first_rows(n);
    for (index_t block = first; block < last; ++block) {
      const index_t matrix = lanes * block;
      T* const numbers = L + lanes * tessera::detail::cholesky_numbers(n) * block;
      failure of_lanes[lanes];
      take(n, std::min<index_t>(lanes, count - matrix), A + index_t(n) * n * matrix, numbers);
      finish_triangle(numbers, 0, short_rows, short_rows, of_lanes);
      for (int s = short_rows; s < n; s += panel) {
        finish_panel(numbers, s, short_rows);
        finish_triangle(numbers, s, panel, short_rows, of_lanes);
      }
      for (const failure& one : of_lanes)
        if (one.matrix >= 0) return {matrix + one.matrix, one.row, one.pivot};
    }
    return {};
  }

  // b of a block into lanes.
  [[gnu::always_inline]] static void gather(int n, index_t matrices, const T* b, T* y) {
    if (matrices < lanes) {
      for (int i = 0; i < n; ++i)
        for (int w = 0; w < lanes; ++w) y[lanes * i + w] = w < matrices ? b[n * w + i] : T(0);
      return;
    }
    simd::detail::each_square<Isa, T>(
        n, [&](index_t i, const auto& each) __attribute__((always_inline)) {
          vector v[lanes] = {};
          simd::detail::load_lanes<Isa, T>({b, n, 1}, i, each, v);
          each([&](auto w) __attribute__((always_inline)) { put(y, i + w, v[w]); });
        });
  }
  [[gnu::always_inline]] static void scatter(int n, index_t matrices, const T* y, T* x) {
    if (matrices < lanes) {
      for (index_t w = 0; w < matrices; ++w)
        for (int i = 0; i < n; ++i) x[n * w + i] = y[lanes * i + w];
      return;
    }
    simd::detail::each_square<Isa, T>(
        n, [&](index_t i, const auto& each) __attribute__((always_inline)) {
          vector v[lanes] = {};
          each([&](auto w) __attribute__((always_inline)) { v[w] = at(y, i + w); });
          simd::detail::store_lanes<Isa, T>(v, i, each, {x, n, 1});
        });
  }

  // Of the next block, half while a block is read forward, half while it is read backward: memory is never idle. Both
  // blocks are in L2.
  struct prefetches {
    const char* at;
    [[gnu::always_inline]] void step() { take<panel / 2>(); }
    [[gnu::always_inline]] void end_panel() { take<panel*(panel + 1) / 4>(); }

   private:
    template <int vectors>
    [[gnu::always_inline]] void take() {
      constexpr int bytes = vectors * lanes * int(sizeof(T));
      for (int k = 0; k < bytes; k += 64) __builtin_prefetch(at + k, 0, 2);
      at += bytes;
    }
  };

  // L y = b in place, and z = D^-1 y.
  [[gnu::always_inline]] static void forward_triangle(const T* triangle, int rows, T* y, T* z) {
    vector v[panel];
    for (int q = 0; q < rows; ++q) {
      v[q] = at(y, q);
      for (int r = 0; r < q; ++r) v[q] = Isa::fma(at(triangle, corner(q, r)), -v[r], v[q]);
      put(y, q, v[q]);
      put(z, q, v[q] * at(triangle, corner(q, q)));
    }
  }
  [[gnu::always_inline]] static void forward_panel(const T* L, int s, T* y, T* z, prefetches& next) {
    vector sum[panel];
    unrolled<panel>([&](auto q) __attribute__((always_inline)) { sum[q] = vector(T(0)); });
    for (int j = 0; j < s; ++j) {
      const vector of_y = at(y, j);
      unrolled<panel>([&](auto q)
                          __attribute__((always_inline)) { sum[q] = Isa::fma(at(L, panel * j + q), of_y, sum[q]); });
      next.step();
    }
    next.end_panel();
    const T* const triangle = L + lanes * panel * s;
    vector v[panel];
    unrolled<panel>([&](auto q) __attribute__((always_inline)) {
      v[q] = at(y, s + q) - sum[q];
      unrolled<panel>([&](auto r) __attribute__((always_inline)) {
        if constexpr (r < q) v[q] = Isa::fma(at(triangle, corner(q, r)), -v[r], v[q]);
      });
      put(y, s + q, v[q]);
      put(z, s + q, v[q] * at(triangle, corner(q, q)));
    });
  }

  // L^T x = z in place.
  [[gnu::always_inline]] static void backward_panel(const T* L, int s, T* z, prefetches& next) {
    const T* const triangle = L + lanes * panel * s;
    vector minus[panel];
    unrolled<panel>([&](auto p) __attribute__((always_inline)) {
      constexpr int r = panel - 1 - p;
      vector v = at(z, s + r);
      unrolled<panel>([&](auto q) __attribute__((always_inline)) {
        if constexpr (q > r) v = Isa::fma(at(triangle, corner(q, r)), minus[q], v);
      });
      put(z, s + r, v);
      minus[r] = -v;
    });
    for (int j = 0; j < s; ++j) {
      vector v = at(z, j);
      unrolled<panel>([&](auto q) __attribute__((always_inline)) { v = Isa::fma(at(L, panel * j + q), minus[q], v); });
      put(z, j, v);
      next.step();
    }
    next.end_panel();
  }
  [[gnu::always_inline]] static void backward_triangle(const T* triangle, int rows, T* z) {
    for (int r = rows - 2; r >= 0; --r) {
      vector v = at(z, r);
      for (int q = r + 1; q < rows; ++q) v = v - at(triangle, corner(q, r)) * at(z, q);
      put(z, r, v);
    }
  }

  [[gnu::flatten]] static void solve(int n, index_t count, const T* L, const T* b, T* x, index_t first, index_t last) {
    alignas(64) T y[lanes * most], z[lanes * most];
    const int short_rows = first_rows(n);
    const index_t block_numbers = lanes * tessera::detail::cholesky_numbers(n);
    for (index_t block = first; block < last; ++block) {
      const index_t matrix = lanes * block, matrices = std::min<index_t>(lanes, count - matrix);
      const T* const numbers = L + block_numbers * block;
      prefetches next{reinterpret_cast<const char*>(block + 1 < last ? numbers + block_numbers : numbers)};
      gather(n, matrices, b + n * matrix, y);
      forward_triangle(numbers, short_rows, y, z);
      for (int s = short_rows; s < n; s += panel) forward_panel(numbers + lanes * start(s), s, y, z, next);
      for (int s = n - panel; s >= short_rows; s -= panel) backward_panel(numbers + lanes * start(s), s, z, next);
      backward_triangle(numbers, short_rows, z);
      scatter(n, matrices, z, x + n * matrix);
    }
  }
};

}  // namespace tessera::simd
