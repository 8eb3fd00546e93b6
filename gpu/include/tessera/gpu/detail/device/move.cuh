// SPDX-License-Identifier: BSD-3-Clause
// What one thread does to copy a small tensor between global and shared memory, from any layout to any other.
#pragma once

#include <tessera/gpu/detail/device/member.hpp>
#include <tessera/gpu/detail/device/view.hpp>

namespace tessera::device {

/// The compiler's message shows the arguments of this template, the shapes.
template <class FromExtents, class ToExtents, bool agree>
struct moved_shapes {
  static_assert(agree, "tessera: device::load and store: the two shapes above differ");
};

/// Dimensions by increasing stride if the layout's type has the strides, else first index first.
template <class Layout>
struct storage_order {
  int dimension[max_rank]{};

  constexpr storage_order() {
    for (int d = 0; d < rank_of<Layout>; ++d) {
      int at = d;
      if constexpr (tessera::detail::is_fixed_layout<Layout> && affine_layout<Layout>)
        for (; at > 0 && Layout{}.stride(dimension[at - 1]) > Layout{}.stride(d); --at)
          dimension[at] = dimension[at - 1];
      dimension[at] = d;
    }
  }
};

/// An integer for counts slightly above Count, 32-bit if possible: 64-bit division is slow.
template <index_t Count>
constexpr auto choose_counter() {
  if constexpr (Count < (1 << 30))
    return int{};
  else
    return index_t{};
}
template <index_t Count>
using counter = decltype(choose_counter<Count>());

/// Entry number t in the order of `Walked`, as an index tuple for any layout of the same extents.
template <class Walked, class Counter>
struct entry_number {
  using extents = extents_of<Walked>;
  Counter t;

  template <int D>
  constexpr Counter index() const {
    constexpr storage_order<Walked> order;
    constexpr index_t below = [&] {
      index_t product = 1;
      for (int at = 0; order.dimension[at] != D; ++at) product *= extents::static_extent(order.dimension[at]);
      return product;
    }();
    constexpr index_t extent = extents::static_extent(D);
    const Counter rest = t / Counter(below);
    return below * extent == extents{}.size() ? rest : rest % Counter(extent);
  }
  template <class Layout>
  constexpr index_t offset(const Layout& layout) const {
    return [&]<int... D>(sequence<D...>) { return index_t(layout.offset(index<D>()...)); }
    (iota<rank_of<Layout>>{});
  }
};

/// True where entry i of the storage of both is the same entry, and there are no gaps.
template <class From, class To>
constexpr bool same_storage() {
  if constexpr (tessera::detail::is_fixed_layout<From> && tessera::detail::is_fixed_layout<To> && affine_layout<From> &&
                affine_layout<To>) {
    const index_t size = From{}.extents().size();
    bool same = span_of(From{}) == size && span_of(To{}) == size;
    for (int d = 0; d < rank_of<From>; ++d)
      same = same && (From{}.extents()(d) == 1 || (From{}.stride(d) == To{}.stride(d) && From{}.stride(d) > 0));
    return same;
  } else {
    return false;
  }
}

/// write(i, read(i)) for the thread's part of i = 0 .. Count-1. Several reads are in flight before the first write.
template <class T, index_t Count, int Size, class Read, class Write>
constexpr void move_entries(const member<Size>& me, Read read, Write write) {
  constexpr int flight = 4;
  for (counter<Count> first = me.rank; first < Count; first += flight * me.size()) {
    T value[flight]{};
#pragma unroll
    for (int u = 0; u < flight; ++u)
      if (first + u * me.size() < Count) value[u] = read(first + u * me.size());
#pragma unroll
    for (int u = 0; u < flight; ++u)
      if (first + u * me.size() < Count) write(first + u * me.size(), value[u]);
  }
}

template <index_t Count, int Size, class T>
constexpr void move_flat(const member<Size>& me, const T* from, T* to) {
  move_entries<T, Count>(
      me, [&](counter<Count> i) { return from[i]; }, [&](counter<Count> i, const T& value) { to[i] = value; });
}

/// 16 bytes as one access.
template <class T>
struct alignas(16) sixteen_bytes {
  T at[16 / sizeof(T)];
};

/// Storage to storage: in pieces of 16 bytes if both sides are aligned to 16 bytes.
template <index_t Count, int Size, class T>
constexpr void move_storage(const member<Size>& me, const T* from, T* to) {
  if constexpr (16 % sizeof(T) == 0) {
    using piece = sixteen_bytes<T>;
    constexpr index_t each = 16 / sizeof(T), pieces = Count / each;
    if ((reinterpret_cast<unsigned long long>(from) | reinterpret_cast<unsigned long long>(to)) % 16 == 0) {
      move_flat<pieces>(me, reinterpret_cast<const piece*>(from), reinterpret_cast<piece*>(to));
      move_flat<Count - pieces * each>(me, from + pieces * each, to + pieces * each);
      return;
    }
  }
  move_flat<Count>(me, from, to);
}

/// to = from. Neighbouring threads take neighbouring entries of the layout `Walked`, which is that of the global side.
template <class Walked, int Size, class From, class To>
constexpr void move_tensor(const member<Size>& me, const From& from, const To& to) {
  using T = typename To::value_type;
  using from_extents = extents_of<typename From::layout_kind>;
  using to_extents = extents_of<typename To::layout_kind>;
  static_assert(!From::is_batch && !To::is_batch,
                "tessera: device::load and store: take tensors; of a batch b, the one at position e is b(e)");
  static_assert(!tessera::detail::is_const<typename To::element_type>, "tessera: device::load and store: const target");
  static_assert(same_type<typename From::value_type, T>, "tessera: device::load and store: two scalar types");
  static_assert(from_extents::is_static && to_extents::is_static,
                "tessera: device::load and store: sizes must be known from the views' types");
  [[maybe_unused]] constexpr moved_shapes<from_extents, to_extents, same_type<from_extents, to_extents>> shapes{};
  constexpr index_t count = to_extents{}.size();
  using number = entry_number<Walked, counter<count>>;
  if constexpr (same_storage<typename From::layout_kind, typename To::layout_kind>())
    move_storage<count>(me, static_cast<const T*>(from.data()), to.data());
  else if constexpr (count > 0)
    move_entries<T, count>(
        me, [&](counter<count> i) { return from.data()[number{i}.offset(from.layout())]; },
        [&](counter<count> i, const T& value) { to.data()[number{i}.offset(to.layout())] = value; });
}

}  // namespace tessera::device
