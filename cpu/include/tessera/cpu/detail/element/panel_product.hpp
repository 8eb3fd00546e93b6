// SPDX-License-Identifier: BSD-3-Clause
// A dense table times as many vectors as there are lanes: sums of a panel's rows stay in registers.
#pragma once

#include <tessera/cpu/detail/element/prefetch.hpp>
#include <tessera/cpu/detail/tile.hpp>
#include <tessera/detail/element/panel_table.hpp>

namespace tessera::simd {

/// y(r) = sum of panel(r,i) x(i), or that more where `add`. Entries are spread while they are loaded: each is used once
/// a call, and copies of it would come from further away.
template <class Isa, class T, bool add, int rows>
[[gnu::noinline, gnu::flatten]] void panel_product(const T* panel, index_t n, const T* x, T* y) {
  using vector = typename Isa::template vector<T>;
  constexpr index_t lanes = index_t(vector::size);
  vector sum[rows];
  unrolled<rows>([&](auto r) { sum[r] = add ? vector::load_aligned(y + r * lanes) : vector(T(0)); });
  for (index_t i = 0; i < n; ++i, panel += rows, x += lanes) {
    const vector entry = vector::load_aligned(x);
    unrolled<rows>([&](auto r) { sum[r] = Isa::fma(vector(panel[r]), entry, sum[r]); });
  }
  unrolled<rows>([&](auto r) { sum[r].store_aligned(y + r * lanes); });
}

template <class T>
using panel_product_function = void (*)(const T* panel, index_t n, const T* x, T* y);

template <class T>
struct panel_product_row {
  panel_product_function<T> of_rows[most_panel_rows];
};

template <class Isa, class T, bool add>
inline constexpr panel_product_row<T> panel_products = []<int... r>(sequence<r...>) {
  return panel_product_row<T>{{&panel_product<Isa, T, add, r + 1>...}};
}
(iota<int(most_panel_rows)>{});

/// y = table x, or y += table x: entries from `first_row` on, and maybe some before it.
template <class Isa, class T>
[[gnu::always_inline]] inline void multiply(const panel_table<T>& table, const T* x, T* y, bool add,
                                            prefetcher& prefetch, index_t first_row = 0) {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size);
  const panel_product_row<T>& products = add ? panel_products<Isa, T, true> : panel_products<Isa, T, false>;
  for (index_t row = 0; row < table.m;) {
    const index_t rows = panel_rows(table.m - row);
    if (row + rows > first_row) {
      prefetch.step();
      products.of_rows[rows - 1](table.entries + row * table.n, table.n, x, y + row * lanes);
    }
    row += rows;
  }
}

}  // namespace tessera::simd
