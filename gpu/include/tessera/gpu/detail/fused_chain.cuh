// SPDX-License-Identifier: BSD-3-Clause
// The parts of a fused chain's kernel: elements are copied to shared memory at once, steps run there by
// `device::contract_views`, and the result is scaled when it is stored. The kernel itself is generated as text
// (gpu/chain_source.cpp).
#pragma once

#include <tessera/gpu/detail/block_part.cuh>
#include <tessera/gpu/detail/chain_arguments.hpp>
#include <tessera/gpu/detail/stream_order.cuh>
#include <tessera/gpu/device.cuh>

namespace tessera::device {

/// Any strides, known from the type.
template <sizes Extents, index_t... Stride>
class known_strides : private Extents {
 public:
  constexpr const Extents& extents() const { return *this; }
  static constexpr index_t stride(int d) {
    constexpr index_t all[] = {Stride..., 0};
    return all[d];
  }
  template <class... Index>
  constexpr index_t offset(Index... i) const {
    return ((index_t(i) * Stride) + ... + index_t(0));
  }
};

/// out = sum w, entry by entry: a pointwise step merged into the contraction in front of it. The weights have the
/// output's dimensions, or all of them but the last. Alike: they have the layout of the output.
template <class T, class Layout, bool Alike>
struct weighted_result {
  const T* weights;

  template <class Form, class Place, class Index>
  constexpr void store(T* out, Index r, Index c, Index l, T sum) const {
    const Index at = Place::offset(r, c, l);
    if constexpr (Alike)
      out[at] = sum * weights[at];
    else
      out[at] = sum * weights[any_place<Form, output, Layout, Index>::offset(r, c, l)];
  }
};

template <class A, class B>
constexpr bool lie_alike() {
  if constexpr (rank_of<A> != rank_of<B>) {
    return false;
  } else {
    bool alike = true;
    for (int d = 0; d < rank_of<A>; ++d) alike = alike && A{}.stride(d) == B{}.stride(d);
    return alike;
  }
}

/// The contraction's results, times `weights`.
template <fixed_string text, register_tile Tile, class Group, class Weights, class Out, class... In>
__device__ void contract_weighted(const Group& g, const Weights& weights, const Out& out, const In&... in) {
  using T = typename Out::value_type;
  using layout = typename Weights::layout_kind;
  constexpr bool alike = lie_alike<layout, typename Out::layout_kind>();
  contract_views<text, Tile>(g, weighted_result<T, layout, alike>{weights.data()}, out, in...);
}

/// E tensors in global memory at a distance of `apart` entries.
template <class T, class Layout>
struct elements_at {
  using layout_kind = Layout;
  T* data;
  index_t apart;

  static constexpr int size = int(extents_of<Layout>{}.size());
  /// Entry t of all elements, one element after the other, in storage order.
  constexpr T* entry(int t) const {
    const int e = t / size;
    return data + e * apart + entry_number<Layout, int>{t - e * size}.offset(Layout{});
  }
  /// True if they are contiguous, for tensors without gaps.
  constexpr bool in_one_piece() const { return apart == size; }
};

__device__ inline bool starts_on_piece(const void* p) { return reinterpret_cast<unsigned long long>(p) % 16 == 0; }

/// Copies E elements to shared memory, in layout `To` and `Pitch` entries apart. They have arrived after
/// wait_for_pieces() and a barrier of the block.
template <int E, class To, int Pitch, int Threads, class T, class Layout>
__device__ void bring(const member<Threads>& me, const elements_at<const T, Layout>& from, T* to) {
  constexpr int size = elements_at<const T, Layout>::size, all = E * size, each = 16 / int(sizeof(T)),
                pieces = all / each;
  if constexpr (same_storage<Layout, To>() && Pitch == size)
    if (from.in_one_piece() && starts_on_piece(from.data)) {
      for (int i = me.rank; i < pieces; i += Threads) copy_piece(to + i * each, from.data + i * each);
      for (int i = pieces * each + me.rank; i < all; i += Threads) copy_entry(to + i, from.data + i);
      return;
    }
  for (int t = me.rank; t < all; t += Threads) {
    const int e = t / size;
    copy_entry(to + e * Pitch + entry_number<Layout, int>{t - e * size}.offset(To{}), from.entry(t));
  }
}

/// Prefetches `bytes` bytes of global memory to L2, line by line.
template <int Threads>
__device__ void ask_for(const member<Threads>& me, const void* from, int bytes) {
  constexpr int line = 128;
  for (int at = me.rank * line; at < bytes; at += Threads * line)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(static_cast<const char*>(from) + at));
}

/// to = alpha from + beta to, `from` being E elements in shared memory in layout `From`, `Pitch` entries apart. beta =
/// 0 does not read `to`.
template <int E, class From, int Pitch, int Threads, class T, class Layout>
__device__ void take(const member<Threads>& me, const T* from, const elements_at<T, Layout>& to, T alpha, T beta) {
  constexpr int size = elements_at<T, Layout>::size, all = E * size, each = 16 / int(sizeof(T));
  const auto scaled = [=](T sum, const T* old) { return beta == T(0) ? alpha * sum : alpha * sum + beta * *old; };
  if constexpr (same_storage<From, Layout>() && Pitch == size && all % each == 0)
    if (to.in_one_piece() && starts_on_piece(to.data)) {
      using piece = sixteen_bytes<T>;
      const piece* const source = reinterpret_cast<const piece*>(from);
      piece* const target = reinterpret_cast<piece*>(to.data);
      move_entries<piece, all / each>(
          me,
          [&](int i) {
            piece sum = source[i];
            piece old{};
            if (beta != T(0)) old = target[i];
#pragma unroll
            for (int j = 0; j < each; ++j) sum.at[j] = scaled(sum.at[j], &old.at[j]);
            return sum;
          },
          [&](int i, const piece& value) { target[i] = value; });
      return;
    }
  move_entries<T, all>(
      me,
      [&](int t) {
        const int e = t / size;
        return scaled(from[e * Pitch + entry_number<Layout, int>{t - e * size}.offset(From{})], to.entry(t));
      },
      [&](int t, T value) { *to.entry(t) = value; });
}

}  // namespace tessera::device
