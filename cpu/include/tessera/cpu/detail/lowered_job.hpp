// SPDX-License-Identifier: BSD-3-Clause
// From an einsum and views to a job: address functors as types for static layouts, else with run-time numbers.
#pragma once

#include <tuple>
#include <type_traits>

#include <tessera/core/letters.hpp>
#include <tessera/cpu/detail/grouped.hpp>
#include <tessera/detail/contract_check.hpp>

namespace tessera::simd {

/// A layout with constant strides, described by its type.
template <class View>
inline constexpr bool is_static_view = std::is_empty_v<typename View::layout_kind>&&
    std::is_default_constructible_v<typename View::layout_kind>&& extents_of<typename View::layout_kind>::is_static;

/// The views of a call: inputs first, the output last.
template <fixed_string text, class... View>
struct call {
  static constexpr einsum e = parse_einsum(text.text);
  static constexpr int count = int(sizeof...(View));
  static constexpr bool all_static = (is_static_view<View> && ...);
  static constexpr bool all_affine = (affine_layout<typename View::layout_kind> && ...);
  template <int O>
  using view = std::tuple_element_t<O == output ? count - 1 : O, std::tuple<View...>>;

  static constexpr tessera::detail::lowering static_lowering() {
    tessera::detail::lowering in{e, {}};
    int o = 0;
    ((in.facts[o == count - 1 ? output : o] = facts_of(typename View::layout_kind{}), ++o), ...);
    return in;
  }
  static constexpr lowered static_form() {
    const tessera::detail::lowering in = static_lowering();
    return lower(e, in.facts);
  }
};

namespace detail {

template <class Call, int O, int... I>
constexpr auto make_static_map(sequence<I...>) {
  constexpr lowered form = Call::static_form();
  constexpr run_time_map map = strided_map_of(form, O);
  return static_map<map.row, map.col, (I % 2 == 0 ? map.loop_extent[I / 2] : map.loop_stride[I / 2])...>{};
}

// The functor of operand O where every layout is static: empty where strides describe it.
template <class Call, int O>
constexpr auto static_map_for() {
  constexpr lowered form = Call::static_form();
  constexpr tessera::detail::lowering in = Call::static_lowering();
  if constexpr (is_strided(form, in.facts[O], O))
    return make_static_map<Call, O>(iota<2 * form.loop.count>{});
  else
    return layout_map_of(typename Call::template view<O>::layout_kind{}, form, in, O);
}

template <class View, class Map>
constexpr auto locate(const View& v, const Map& map) {
  using entry = typename View::element_type;
  if constexpr (tessera::detail::reads_conjugated<View>)
    return conjugating<decltype(locate(v.of(), map))>{locate(v.of(), map)};
  else if constexpr (View::is_group)
    return grouped<entry, Map>{v.members(), map};
  else if constexpr (View::is_batch)
    return located<entry, Map>{v.data(), v.stride(), lanes_of<typename View::layout_kind>(), map};
  else
    return located<entry, Map>{v.data(), 0, 1, map};
}

// First input of a side, and its second where it has one. `map_for(constant<O>)` makes operand O's functor.
template <int First, int Second, class Views, class MapFor>
constexpr auto make_side(const Views& views, MapFor map_for) {
  const auto first = locate(std::get<First>(views), map_for(constant<First>{}));
  if constexpr (Second >= 0) {
    const auto second = locate(std::get<Second>(views), map_for(constant<Second>{}));
    return side<std::remove_const_t<decltype(first)>, std::remove_const_t<decltype(second)>>{first, second};
  } else {
    return side<std::remove_const_t<decltype(first)>>{first, {}};
  }
}

template <class Call, class T, class M, class N, class K, class Views, class MapFor>
constexpr auto make_job(M m, N n, K k, index_t loops, const scale<T>& s, const Views& views, MapFor map_for) {
  constexpr lowered sides = lower_letters(Call::e);
  const auto left = make_side<sides.left[0], sides.left[1]>(views, map_for);
  const auto right = make_side<sides.right[0], sides.right[1]>(views, map_for);
  const auto out = locate(std::get<Call::count - 1>(views), map_for(constant<index_t(output)>{}));
  return job<T, M, N, K, std::remove_const_t<decltype(left)>, std::remove_const_t<decltype(right)>,
             std::remove_const_t<decltype(out)>>{m, n, k, loops, left, right, out, s};
}

}  // namespace detail

/// Every layout static: sizes and affine maps are types.
template <class Call, class T, class Views>
constexpr auto static_job(const Views& views, const scale<T>& s) {
  constexpr lowered form = Call::static_form();
  return detail::make_job<Call>(constant<form.rows.size()>{}, constant<form.cols.size()>{},
                                constant<form.inner.size()>{}, form.loop.size(), s, views,
                                [](auto o) { return detail::static_map_for<Call, int(o.value)>(); });
}

/// Run-time strides: precondition is_strided for every operand.
template <class Call, class T, class Views>
auto strided_job(const lowered& form, const Views& views, const scale<T>& s) {
  return detail::make_job<Call>(form.rows.size(), form.cols.size(), form.inner.size(), form.loop.size(), s, views,
                                [&](auto o) { return strided_map_of(form, int(o.value)); });
}

/// Run-time layouts of any kind, which compute every offset.
template <class Call, class T, class Views>
auto layout_job(const lowered& form, const tessera::detail::lowering& in, const Views& views, const scale<T>& s) {
  return detail::make_job<Call>(form.rows.size(), form.cols.size(), form.inner.size(), form.loop.size(), s, views,
                                [&](auto o) {
                                  constexpr int place = o.value == output ? Call::count - 1 : int(o.value);
                                  return layout_map_of(std::get<place>(views).layout(), form, in, int(o.value));
                                });
}

}  // namespace tessera::simd
