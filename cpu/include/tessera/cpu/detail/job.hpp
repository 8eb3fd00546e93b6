// SPDX-License-Identifier: BSD-3-Clause
// A batch of lowered products as kernels take it: sizes static or run-time, operands with any kind of address functor.
#pragma once

#include <tessera/cpu/detail/tile.hpp>
#include <tessera/detail/problem.hpp>

namespace tessera::simd {

/// An operand: a pointer, its batch stride, and the map of an entry.
template <class T, class Map>
struct located {
  T* data;
  index_t batch_stride;
  index_t lanes;
  Map map;
};

/// An operand whose complex entries are read conjugated.
template <class Located>
struct conjugating : Located {};

/// The second factor of a side that has one.
struct no_factor {};

/// A side of the product: left(r, k) or right(k, c), of one factor or the pointwise product of two. With run-time maps
/// `factors` is their number; otherwise the type has it.
template <class First, class Second = no_factor>
struct side {
  First first;
  Second second;
  int factors = same_type<Second, no_factor> ? 1 : 2;
};

template <class T, class M, class N, class K, class Left, class Right, class Out>
struct job {
  M m;
  N n;
  K k;
  index_t loops;
  Left left;
  Right right;
  Out out;
  scale<T> s;
};

/// True where every entry's offset is row row_stride + col col_stride + loop part.
template <class Map>
inline constexpr bool affine_always = true;
template <class Layout>
inline constexpr bool affine_always<layout_map<Layout>> = false;

template <class Isa, class Map>
[[gnu::always_inline]] inline bool is_affine(const Map& map) {
  if constexpr (same_type<Map, run_time_map>)
    return map.is_strided();
  else
    return affine_always<Map>;
}

/// A map's strides, as constants if they are part of its type.
template <class Isa, class Map>
[[gnu::always_inline]] inline auto row_stride_of([[maybe_unused]] const Map& map) {
  if constexpr (requires { typename constant<Map::row_stride()>; })
    return constant<Map::row_stride()>{};
  else
    return map.row;
}
template <class Isa, class Map>
[[gnu::always_inline]] inline auto col_stride_of([[maybe_unused]] const Map& map) {
  if constexpr (requires { typename constant<Map::col_stride()>; })
    return constant<Map::col_stride()>{};
  else
    return map.col;
}

/// The part of the offset that depends on the loop step, for an affine map. A template over the ISA, so that no code is
/// shared with translation units compiled for another one.
template <class Isa, class Map>
[[gnu::always_inline]] inline index_t loop_offset([[maybe_unused]] const Map& map, [[maybe_unused]] index_t l) {
  if constexpr (same_type<Map, run_time_map>) {
    if (l == 0) return 0;
    index_t sum = 0;
    for (int i = 0; i < map.loop_rank; ++i) {
      sum += l % map.loop_extent[i] * map.loop_stride[i];
      l /= map.loop_extent[i];
    }
    return sum;
  } else if constexpr (affine_always<Map>) {
    return map.loop(l);
  } else {
    return 0;
  }
}

/// Start of the operand at batch entry e.
template <class Isa, class T, class Map>
[[gnu::always_inline]] inline T* start_of(const located<T, Map>& o, index_t e) {
  return o.data + (o.lanes == 1 ? e * o.batch_stride : (e / o.lanes) * o.batch_stride + e % o.lanes);
}

/// A run-time problem as a job.
template <class Isa, class T>
[[gnu::always_inline]] inline auto job_of(const problem<T>& p) {
  using input = located<const T, run_time_map>;
  using pair = side<input, input>;
  const auto input_of = [](const factor<const T>& f) { return input{f.data, f.batch_stride, f.lanes, f.map}; };
  const pair left{input_of(p.left[0]), input_of(p.left[1]), p.left_factors};
  const pair right{input_of(p.right[0]), input_of(p.right[1]), p.right_factors};
  const located<T, run_time_map> out{p.out.data, p.out.batch_stride, p.out.lanes, p.out.map};
  return job<T, index_t, index_t, index_t, pair, pair, located<T, run_time_map>>{p.m,  p.n,   p.k, p.loops,
                                                                                 left, right, out, {p.alpha, p.beta}};
}

}  // namespace tessera::simd
