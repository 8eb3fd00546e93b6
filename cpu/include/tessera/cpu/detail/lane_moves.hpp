// SPDX-License-Identifier: BSD-3-Clause
// Moves entries of as many products or elements as a vector has lanes between memory and lanes, where the same entry of
// all of them is a vector: transposed in registers.
#pragma once

#include <tessera/core/address.hpp>
#include <tessera/cpu/detail/tile.hpp>

namespace tessera::simd {

namespace detail {

// Squares of `size` entries swap their off-diagonal quarters: of a and b, `size` entries apart,
// low has a's even quarters and b's even quarters, high the odd ones.
template <int size, bool high, class Register, int... p>
[[gnu::always_inline]] inline Register exchange(const Register& a, const Register& b, sequence<p...>) {
  constexpr int n = int(sizeof...(p));
  if constexpr (high)
    return __builtin_shufflevector(a, b, ((p & size) == 0 ? p + size : n + p)...);
  else
    return __builtin_shufflevector(a, b, ((p & size) == 0 ? p : n + p - size)...);
}

}  // namespace detail

/// v[i][j] and v[j][i] change places, by log2(lanes) rounds of exchanges.
template <class Isa, class T, int size = 1>
[[gnu::always_inline]] inline void transpose(typename Isa::template vector<T> (&v)[Isa::template vector<T>::size]) {
  using vector = typename Isa::template vector<T>;
  constexpr int lanes = int(vector::size);
  if constexpr (size < lanes) {
    unrolled<lanes>([&](auto i) __attribute__((always_inline)) {
      if constexpr ((i & size) == 0) {
        const auto a = v[i].data, b = v[i + size].data;
        v[i] = vector(detail::exchange<size, false>(a, b, iota<lanes>{}));
        v[i + size] = vector(detail::exchange<size, true>(a, b, iota<lanes>{}));
      }
    });
    transpose<Isa, T, size * 2>(v);
  }
}

namespace detail {

/// Entries of as many tensors as a vector has lanes: entry i of lane w at data[next w + entry i].
template <class T>
struct lane_rows {
  T* data;
  index_t next, entry;

  [[gnu::always_inline]] bool are_vectors() const { return next == 1; }
};

// A constant number of lanes, or the first `count` of them: unrolled, so that the vectors stay in registers.
template <int lanes>
struct all_lanes {
  template <class F>
  [[gnu::always_inline]] void operator()(const F& f) const {
    unrolled<lanes>(f);
  }
};
template <int lanes>
struct first_lanes {
  int count;
  template <class F>
  [[gnu::always_inline]] void operator()(const F& f) const {
    unrolled<lanes>([&](auto w) __attribute__((always_inline)) {
      if (w < count) f(w);
    });
  }
};

/// The entries of the lanes from i on, at most as many as there are lanes, a vector each. Of tensors that are not
/// interleaved `entry` is 1, or `next` is 0 for one tensor in all lanes.
template <class Isa, class T, class Each>
[[gnu::always_inline]] inline void load_lanes(const lane_rows<const T>& from, index_t i, const Each& each,
                                              typename Isa::template vector<T> (&v)[Isa::template vector<T>::size]) {
  using vector = typename Isa::template vector<T>;
  constexpr int lanes = int(vector::size);
  const T* const at = from.data + i * from.entry;
  if (from.are_vectors()) {
    each([&](auto w) __attribute__((always_inline)) { v[w] = vector::load_unaligned(at + int(w) * from.entry); });
  } else if (from.next == 0) {
    each([&](auto w) __attribute__((always_inline)) { v[w] = vector(at[int(w) * from.entry]); });
  } else {
    unrolled<lanes>([&](auto w) __attribute__((always_inline)) {
      if constexpr (same_type<Each, all_lanes<lanes>>)
        v[w] = vector::load_unaligned(at + int(w) * from.next);
      else
        v[w] = Isa::load_first(at + int(w) * from.next, each.count);
    });
    transpose<Isa, T>(v);
  }
}

/// The reverse. The vectors' contents are lost.
template <class Isa, class T, class Each>
[[gnu::always_inline]] inline void store_lanes(typename Isa::template vector<T> (&v)[Isa::template vector<T>::size],
                                               index_t i, const Each& each, const lane_rows<T>& to) {
  constexpr int lanes = int(Isa::template vector<T>::size);
  T* const at = to.data + i * to.entry;
  if (to.are_vectors()) {
    each([&](auto w) __attribute__((always_inline)) { v[w].store_unaligned(at + int(w) * to.entry); });
    return;
  }
  transpose<Isa, T>(v);
  unrolled<lanes>([&](auto w) __attribute__((always_inline)) {
    if constexpr (same_type<Each, all_lanes<lanes>>)
      v[w].store_unaligned(at + int(w) * to.next);
    else
      Isa::store_first(at + int(w) * to.next, each.count, v[w]);
  });
}

/// f(i, each) for pieces of `entries` from i on, a vector's lanes long, and what is left.
template <class Isa, class T, class F>
[[gnu::always_inline]] inline void each_square(index_t entries, const F& f) {
  constexpr int lanes = int(Isa::template vector<T>::size);
  index_t i = 0;
  for (; i + lanes <= entries; i += lanes) f(i, all_lanes<lanes>{});
  if (i < entries) f(i, first_lanes<lanes>{int(entries - i)});
}

/// to = from, entry by entry: of interleaved tensors and others, in any combination.
template <class Isa, class T>
[[gnu::noinline]] void move_lanes(const lane_rows<const T>& from, index_t entries, const lane_rows<T>& to) {
  each_square<Isa, T>(
      entries, [&](index_t i, const auto& each) __attribute__((always_inline)) {
        typename Isa::template vector<T> v[Isa::template vector<T>::size] = {};
        load_lanes<Isa, T>(from, i, each, v);
        store_lanes<Isa, T>(v, i, each, to);
      });
}

}  // namespace detail

/// How many entries a tensor has in loops over rows, columns and steps, if they are one after the other in memory, in
/// whatever order; 0 if there are gaps or no strides. What an index does not move does not count.
[[gnu::always_inline]] inline index_t dense_entries(const run_time_map& map, index_t rows, index_t columns,
                                                    index_t steps) {
  index_t extent[max_rank + 2], stride[max_rank + 2];
  int count = 0;
  const auto add = [&](index_t size, index_t distance) __attribute__((always_inline)) {
    if (size != 1 && distance != 0) extent[count] = size, stride[count++] = distance;
  };
  if (!map.is_strided()) return 0;
  add(rows, map.row);
  add(columns, map.col);
  for (int i = 0; steps > 1 && i < map.loop_rank; ++i) add(map.loop_extent[i], map.loop_stride[i]);
  index_t entries = 1;
  for (int done = 0; done < count; ++done) {
    int next = 0;
    while (next < count && stride[next] != entries) ++next;
    if (next == count) return 0;
    stride[next] = 0;
    entries *= extent[next];
  }
  return entries;
}

}  // namespace tessera::simd
