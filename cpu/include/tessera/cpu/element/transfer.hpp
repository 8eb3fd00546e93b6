// SPDX-License-Identifier: BSD-3-Clause
// Between an E-vector and lanes: as many elements as a vector has lanes become entries side by side, and come back.
#pragma once

#include <cstdint>

#include <tessera/cpu/element/lane_starts.hpp>
#include <tessera/cpu/element/line.hpp>
#include <tessera/cpu/element/transpose.hpp>

namespace tessera::simd {

template <class Isa, class T>
class transfer {
 public:
  static constexpr index_t lanes = index_t(Isa::template vector<T>::size);

  /// to[w + lanes i] = entry i of lane w, for i < count.
  [[gnu::flatten]] static void gather(const lane_starts<const T>& from, index_t count, T* to) {
    if (from.adjacent) return gather_adjacent(from, count, to);
    if (from.step != 1) return gather_strided(from, count, to);
    index_t i = 0;
    vector v[lanes];
    for (; i + lanes <= count; i += lanes) {
      for (int w = 0; w < lanes; ++w) v[w] = load_once(from.start[w] + i);
      transpose<Isa, T>(v);
      for (int w = 0; w < lanes; ++w) v[w].store_aligned(to + (i + w) * lanes);
    }
    if (i == count) return;
    for (int w = 0; w < lanes; ++w) v[w] = Isa::load_first(from.start[w] + i, int(count - i));
    transpose<Isa, T>(v);
    for (int w = 0; i < count; ++i, ++w) v[w].store_aligned(to + i * lanes);
  }

  /// Entry i of each active lane becomes from[w + lanes i], or is increased by it; the others stay as they are.
  [[gnu::flatten]] static void scatter(const T* from, index_t count, const lane_starts<T>& to, bool add) {
    if (add)
      put<true>(from, count, to);
    else
      put<false>(from, count, to);
  }

  /// to[i] = from[i], past the caches but for what is less than a line at either end. Between the last call and telling
  /// others stands end_stream().
  [[gnu::flatten]] static void stream(const T* from, index_t count, T* to) {
    constexpr index_t line = 64 / index_t(sizeof(T));
    const index_t inside = index_t(reinterpret_cast<std::uintptr_t>(to) % 64 / sizeof(T));
    index_t i = 0;
    for (; i < count && (inside + i) % line != 0; ++i) to[i] = from[i];
    for (; i + line <= count; i += line)
      unrolled<int(line / lanes)>(
          [&](auto v) { Isa::stream(to + i + int(v) * lanes, vector::load_unaligned(from + i + int(v) * lanes)); });
    for (; i < count; ++i) to[i] = from[i];
  }

 private:
  using vector = typename Isa::template vector<T>;

  // The compiler would load it for both of the first exchanges that use it, and loads that cross lines are dear.
  static vector load_once(const T* p) {
    vector v = vector::load_unaligned(p);
    keep<Isa>(v);
    return v;
  }
  static void gather_adjacent(const lane_starts<const T>& from, index_t count, T* to) {
    const T* p = from.start[0];
    for (index_t i = 0; i < count; ++i, p += from.step) vector::load_unaligned(p).store_aligned(to + i * lanes);
  }
  static void gather_strided(const lane_starts<const T>& from, index_t count, T* to) {
    for (index_t w = 0; w < lanes; ++w) {
      const T* p = from.start[w];
      for (index_t i = 0; i < count; ++i, p += from.step) to[w + lanes * i] = *p;
    }
  }

  template <bool add>
  static void put(const T* from, index_t count, const lane_starts<T>& to) {
    constexpr unsigned all = unsigned((1ull << lanes) - 1);
    if (to.adjacent && to.active == all) {
      T* p = to.start[0];
      for (index_t i = 0; i < count; ++i, p += to.step) store<add>(p, vector::load_aligned(from + i * lanes));
      return;
    }
    if (to.step != 1 || to.adjacent) return put_entries<add>(from, 0, count, to);
    const auto put_square = [&](index_t i) {
      vector v[lanes];
      for (int w = 0; w < lanes; ++w) v[w] = load_once(from + (i + w) * lanes);
      transpose<Isa, T>(v);
      if (to.active == all)
        for (int w = 0; w < lanes; ++w) store<add>(to.start[w] + i, v[w]);
      else
        for (int w = 0; w < lanes; ++w)
          if (to.is_active(w)) store<add>(to.start[w] + i, v[w]);
    };
    index_t i = 0;
    for (; i + lanes <= count; i += lanes) put_square(i);
    if (i == count) return;
    if (!add && count >= lanes) return put_square(count - lanes);  // entries twice, rather than one by one
    put_entries<add>(from, i, count, to);
  }
  template <bool add>
  static void put_entries(const T* from, index_t first, index_t count, const lane_starts<T>& to) {
    for (int w = 0; w < lanes; ++w) {
      if (!to.is_active(w)) continue;
      T* p = to.start[w] + first * to.step;
      for (index_t i = first; i < count; ++i, p += to.step) *p = add ? *p + from[w + lanes * i] : from[w + lanes * i];
    }
  }
  template <bool add>
  static void store(T* p, const vector& v) {
    (add ? v + vector::load_unaligned(p) : v).store_unaligned(p);
  }
};

}  // namespace tessera::simd
