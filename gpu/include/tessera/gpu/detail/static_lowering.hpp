// SPDX-License-Identifier: BSD-3-Clause
// A contraction of static layouts, lowered by the compiler. No standard library, so that device code has it anywhere.
#pragma once

#include <tessera/core/address.hpp>
#include <tessera/detail/static_check.hpp>

namespace tessera::device {

/// Layouts that are known from their type alone.
template <class Layout>
constexpr bool static_layout() {
  if constexpr (tessera::detail::is_fixed_layout<Layout>)
    return extents_of<Layout>::is_static;
  else
    return false;
}

/// Operand number `at` in the order of the arguments: the inputs, then the output.
template <fixed_string Text>
constexpr int operand_number(int at) {
  return at < parse_einsum(Text.text).inputs ? at : output;
}

template <fixed_string Text, class... Layout>
constexpr detail::lowering lowering_of(const Layout&... layout) {
  detail::lowering in{parse_einsum(Text.text), {}};
  int at = 0;
  ((in.facts[operand_number<Text>(at++)] = facts_of(layout)), ...);
  return in;
}

/// A lowering at compile time. It is not part of kernels' types, which have only the integers of its maps.
template <fixed_string Text, class... Layout>
struct static_lowering {
  static constexpr detail::lowering in = lowering_of<Text>(Layout{}...);
  static constexpr lowered form = lower(in.e, in.facts);
  static constexpr index_t m = form.rows.size(), n = form.cols.size(), k = form.inner.size(), loops = form.loop.size();

  template <int O>
  static constexpr bool strided = is_strided(form, in.facts[O], O);

  template <int O, int... I>
  static auto map_type(sequence<I...>) {
    constexpr run_time_map map = strided_map_of(form, O);
    return static_map<map.row, map.col, (I % 2 == 0 ? map.loop_extent[I / 2] : map.loop_stride[I / 2])...>{};
  }
  template <int O>
  using map = decltype(map_type<O>(iota<2 * form.loop.count>{}));
};

}  // namespace tessera::device
