// SPDX-License-Identifier: BSD-3-Clause
// Moves entries between E-vectors and lanes, in which the entries of as many elements as a vector has are side by side.
#pragma once

#include <cstdint>

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/cpu/detail/element/line.hpp>
#include <tessera/cpu/detail/lane_moves.hpp>

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

  /// to[i] = from[i] by non-temporal stores, except for parts of a cache line at either end. After the last call and
  /// before other threads may read it, call end_stream().
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

  /// to[w + lanes i] = from[slot of entry i of lane w]. Whole vectors are stored: the kernel, which reads them at once,
  /// would wait for stores of single entries.
  template <class Slot>
  [[gnu::flatten]] static void take(const T* __restrict from, const Slot* __restrict slots, bool signs, index_t entries,
                                    T* __restrict to) {
    const index_t count = lanes * entries;
    if (!signs)
      for (index_t j = 0; j < count; j += lanes) entries_at(from, slots + j, iota<int(lanes)>{}).store_aligned(to + j);
    else
      for (index_t j = 0; j < count; ++j) to[j] = with_sign(slots[j], from[number_of(slots[j])]);
  }
  /// Two lanes may have one slot: hence one by one.
  template <class Slot>
  [[gnu::flatten]] static void add_to_slots(const T* __restrict from, const Slot* __restrict slots, bool signs,
                                            index_t entries, unsigned active, T* __restrict to) {
    for (index_t w = 0; w < lanes; ++w)
      if (((active >> w) & 1u) != 0) add_lane(from + w, slots + w, signs, entries, to);
  }

  /// sums[w] += x.y of lane w's entries, in double.
  [[gnu::flatten]] static void add_dots(const T* __restrict x, const T* __restrict y, index_t entries,
                                        double* __restrict sums) {
    constexpr int chains = 4;  // of additions, which take four cycles each
    double of_lanes[lanes] = {};
    index_t i = 0;
    if constexpr (same_type<T, double>) {
      vector sum[chains];
      unrolled<chains>([&](auto k) { sum[k] = vector(0.0); });
      for (; i + chains <= entries; i += chains)
        unrolled<chains>([&](auto k) {
          const index_t at = lanes * (i + int(k));
          sum[k] = Isa::fma(vector::load_aligned(x + at), vector::load_aligned(y + at), sum[k]);
        });
      ((sum[0] + sum[1]) + (sum[2] + sum[3])).store_unaligned(of_lanes);
    }
    for (; i < entries; ++i)
      for (index_t w = 0; w < lanes; ++w) of_lanes[w] += double(x[w + lanes * i]) * double(y[w + lanes * i]);
    for (index_t w = 0; w < lanes; ++w) sums[w] += of_lanes[w];
  }

 private:
  using vector = typename Isa::template vector<T>;

  // From memory to the vector, with slots from memory, too: the compiler would take both from one register to another.
  template <class Slot, int... p>
  static vector entries_at(const T* from, const Slot* slots, sequence<p...>) {
    using data = decltype(vector::data);
    return vector(data{from[slots[p]]...});
  }
  template <class Slot>
  static void add_lane(const T* __restrict from, const Slot* __restrict slots, bool signs, index_t entries,
                       T* __restrict to) {
    index_t i = 0;
    if (!signs) {
      for (; i + 4 <= entries; i += 4)
        unrolled<4>([&](auto k) { to[slots[lanes * (i + int(k))]] += from[lanes * (i + int(k))]; });
      for (; i < entries; ++i) to[slots[lanes * i]] += from[lanes * i];
    }
    for (; i < entries; ++i) to[number_of(slots[lanes * i])] += with_sign(slots[lanes * i], from[lanes * i]);
  }
  template <class Slot>
  static constexpr int sign_bit = 8 * int(sizeof(Slot)) - 1;
  template <class Slot>
  static Slot number_of(Slot slot) {
    return Slot(slot & Slot(~(Slot(1) << sign_bit<Slot>)));
  }
  template <class Slot>
  static T with_sign(Slot slot, T value) {
    return (slot >> sign_bit<Slot>) != 0 ? -value : value;
  }

  // Without keep() the compiler loads it for each of the first two exchanges; loads that cross lines are expensive.
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
