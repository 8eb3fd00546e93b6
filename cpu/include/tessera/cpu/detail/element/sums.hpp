// SPDX-License-Identifier: BSD-3-Clause
// Sums along a line of lanes with a whole table, for what is computed once and not at each application.
#pragma once

#include <tessera/cpu/detail/element/line.hpp>

namespace tessera::simd {

/// Entry (p,k) of a table is at k + points p, repeated as often as the instruction set needs it (table_width). Its
/// sizes are numbers or constants.
template <class Isa, class T, class Rows = index_t, class Points = index_t>
struct sum_table {
  const T* entries;
  Rows rows;
  Points points;
};

/// Vectors along a line: the first and how many vectors the next is further on.
template <class P>
struct vectors_along {
  P* first;
  index_t step;
};

template <class Isa, class T, bool add, int n, class Points>
inline void some_sums(const T* table, Points points, const vectors_along<const T>& from, const vectors_along<T>& to) {
  using vector = typename Isa::template vector<T>;
  constexpr index_t lanes = index_t(vector::size);
  const T* line = from.first;
  vector sum[n], x = vector::load_aligned(line);
  unrolled<n>([&](auto r) { sum[r] = table_entry<Isa>(table, points * r) * x; });
  const auto point = [&](auto k) {
    line += from.step * lanes;
    x = vector::load_aligned(line);
    unrolled<n>([&](auto r) { sum[r] = Isa::fma(table_entry<Isa>(table, k + points * r), x, sum[r]); });
  };
  if constexpr (is_static<Points>)
    unrolled<int(Points::value) - 1>([&](auto k) { point(index_t(k) + 1); });
  else
    for (index_t k = 1; k < points; ++k) point(k);
  unrolled<n>([&](auto r) {
    T* const y = to.first + r * to.step * lanes;
    if constexpr (add) sum[r] += vector::load_aligned(y);
    sum[r].store_aligned(y);
  });
}

/// Of known sizes: as many at once as registers hold, about equally many each time.
template <class Isa, class T, bool add = false, index_t rows, index_t points>
inline void sums(const sum_table<Isa, T, constant<rows>, constant<points>>& table, const vectors_along<const T>& from,
                 const vectors_along<T>& to) {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size), width = table_width<Isa, T>;
  constexpr int groups = int(rows + 5) / 6;
  unrolled<groups>([&](auto g) {
    constexpr int first = int(rows) * g / groups, next = int(rows) * (g + 1) / groups;
    some_sums<Isa, T, add, next - first>(table.entries + first * points * width, table.points, from,
                                         vectors_along<T>{to.first + first * to.step * lanes, to.step});
  });
}

/// to(p) = sum of table(p,k) from(k), or that more where `add`.
template <class Isa, class T, bool add = false>
inline void sums(const sum_table<Isa, T>& table, const vectors_along<const T>& from, const vectors_along<T>& to) {
  constexpr index_t lanes = index_t(Isa::template vector<T>::size), width = table_width<Isa, T>;
  for (index_t done = 0; done < table.rows;) {
    // As many at once as registers hold, about equally many each time.
    const index_t left = table.rows - done, some = left <= 6 ? left : left >= 12 ? 6 : (left + 1) / 2;
    const T* const t = table.entries + done * table.points * width;
    const vectors_along<T> y{to.first + done * to.step * lanes, to.step};
    switch (some) {
      case 1: some_sums<Isa, T, add, 1>(t, table.points, from, y); break;
      case 2: some_sums<Isa, T, add, 2>(t, table.points, from, y); break;
      case 3: some_sums<Isa, T, add, 3>(t, table.points, from, y); break;
      case 4: some_sums<Isa, T, add, 4>(t, table.points, from, y); break;
      case 5: some_sums<Isa, T, add, 5>(t, table.points, from, y); break;
      default: some_sums<Isa, T, add, 6>(t, table.points, from, y);
    }
    done += some;
  }
}

/// The same, called and not copied to where it is used: copies take long to compile.
template <class Isa, class T, bool add = false>
[[gnu::noinline, gnu::flatten]] void sums_apart(const sum_table<Isa, T>& table, const vectors_along<const T>& from,
                                                const vectors_along<T>& to) {
  sums<Isa, T, add>(table, from, to);
}

}  // namespace tessera::simd
