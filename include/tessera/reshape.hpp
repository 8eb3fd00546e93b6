// SPDX-License-Identifier: BSD-3-Clause
// Reshape of views: agglomerate, split and insert dimensions over the same memory, checked, never copying.
#pragma once

#include <tessera/group_view.hpp>

namespace tessera {

namespace detail {

// The compiler's message shows its arguments.
template <class From, class To>
struct same_product {
  static_assert(!static_product_mismatch<From, To>(), "tessera: reshape needs the same number of entries");
};

template <int First, int Last, class Extents, int... D>
constexpr auto agglomerated(const Extents& e, sequence<D...>) {
  constexpr auto size = []<index_t I>(const Extents& x, constant<I>) {
    if constexpr (I != First) {
      constexpr int from = int(I < First ? I : I + (Last - First));
      if constexpr (Extents::static_extent(from) != dynamic)
        return constant<Extents::static_extent(from)>{};
      else
        return x(from);
    } else {
      constexpr index_t product = [] {
        index_t all = 1;
        for (int d = First; d <= Last; ++d) {
          if (Extents::static_extent(d) == dynamic) return dynamic;
          all *= Extents::static_extent(d);
        }
        return all;
      }();
      if constexpr (product != dynamic) {
        return constant<product>{};
      } else {
        index_t all = 1;
        for (int d = First; d <= Last; ++d) all *= x(d);
        return all;
      }
    }
  };
  return of_size(size(e, constant<D>{})...);
}

template <int At, class Extents, class Parts, int... D>
constexpr auto split_extents(const Extents& e, const Parts& parts, sequence<D...>) {
  constexpr auto size = []<index_t I>(const Extents& x, const Parts& p, constant<I>) {
    constexpr int last = At + Parts::rank() - 1;
    constexpr bool inside = At <= I && I <= last;
    constexpr int from = int(I < At ? I : inside ? I - At : I - Parts::rank() + 1);
    constexpr index_t known = inside ? Parts::static_extent(from) : Extents::static_extent(from);
    if constexpr (known != dynamic)
      return constant<known>{};
    else if constexpr (inside)
      return p(from);
    else
      return x(from);
  };
  return of_size(size(e, parts, constant<D>{})...);
}

/// Comparing only whole products would miss a wrong part where another extent is zero.
template <class Parts>
constexpr void check_part(const char* operation, index_t extent, const Parts& parts) {
  if (extent != parts.size())
    throw error(
        std::string(operation) + ": an extent of " + std::to_string(extent) + " does not split into " + text_of(parts),
        status::shape_mismatch);
}

template <int At, class Extents, int... D>
constexpr auto with_one(const Extents& e, sequence<D...>) {
  constexpr auto size = []<index_t I>(const Extents& x, constant<I>) {
    if constexpr (I == At) {
      return constant<1>{};
    } else {
      constexpr int from = int(I < At ? I : I - 1);
      if constexpr (Extents::static_extent(from) != dynamic)
        return constant<Extents::static_extent(from)>{};
      else
        return x(from);
    }
  };
  return of_size(size(e, constant<D>{})...);
}

}  // namespace detail

/// The same entries, in column-major order, under other extents. Pointer unchanged. Products that differ do not compile
/// where both are static and throw status::shape_mismatch otherwise.
template <any_view View, sizes Extents>
constexpr auto reshape(const View& from, const Extents& e) {
  using source = extents_of<typename View::layout_kind>;
  [[maybe_unused]] constexpr detail::same_product<source, Extents> check{};
  if constexpr (!(source::is_static && Extents::is_static)) {
    detail::check_layout("reshape", column_major<Extents>(e));
    if (from.extents().size() != e.size())
      throw error("reshape: " + text_of(from.extents()) + " has " + std::to_string(from.extents().size()) +
                      " entries, " + text_of(e) + " has " + std::to_string(e.size()),
                  status::shape_mismatch);
  }
  const auto layout = reshape_layout(from.layout(), e);
  using layout_t = std::remove_const_t<decltype(layout)>;
  if constexpr (detail::is_conjugated_view<View>)
    return conj(reshape(from.of(), e));
  else if constexpr (View::is_group)
    return group_view<typename View::element_type, View::space, layout_t>(from.members(), layout, from.count(),
                                                                          from.list());
  else if constexpr (View::is_batch)
    return batch_view<typename View::element_type, View::space, layout_t>(from.data(), layout, from.count(),
                                                                          from.stride());
  else
    return tensor_view<typename View::element_type, View::space, layout_t>(from.data(), layout);
}

/// Dimensions First..Last become one: agglomerate<1, 2> of a x b x c is a x (bc).
template <int First, int Last, any_view View>
constexpr auto agglomerate(const View& from) {
  constexpr int rank = rank_of<typename View::layout_kind>;
  static_assert(0 <= First && First <= Last && Last < rank, "tessera: agglomerate needs 0 <= First <= Last < rank");
  return reshape(from, detail::agglomerated<First, Last>(from.extents(), iota<rank - (Last - First)>{}));
}

/// Dimension At becomes several: split<1>(view, of_size(b, c)) of a x (bc) is a x b x c. Products as in reshape.
template <int At, any_view View, sizes Parts>
constexpr auto split(const View& from, const Parts& parts) {
  constexpr int rank = rank_of<typename View::layout_kind>, added = Parts::rank() - 1;
  static_assert(0 <= At && At < rank && rank + added <= max_rank, "tessera: split needs 0 <= At < rank");
  const auto layout_extents = from.extents();
  detail::check_part("split", layout_extents(At), parts);
  return reshape(from, detail::split_extents<At>(layout_extents, parts, iota<rank + added>{}));
}

/// A dimension of size 1 at position At (0..rank).
template <int At, any_view View>
constexpr auto insert_one(const View& from) {
  constexpr int rank = rank_of<typename View::layout_kind>;
  static_assert(0 <= At && At <= rank && rank < max_rank, "tessera: insert_one needs 0 <= At <= rank < max_rank");
  return reshape(from, detail::with_one<At>(from.extents(), iota<rank + 1>{}));
}

}  // namespace tessera
