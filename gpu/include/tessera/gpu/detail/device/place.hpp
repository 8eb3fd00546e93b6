// SPDX-License-Identifier: BSD-3-Clause
// The offset of entry (r, c) of loop step l of an operand; everything but r, c and l is a compile-time constant.
#pragma once

#include <tessera/gpu/detail/static_lowering.hpp>

namespace tessera::device {

/// Operand O, given by strides.
template <class Map, class Index>
struct strided_place;
template <index_t RowStride, index_t ColStride, index_t... LoopExtentStride, class Index>
struct strided_place<static_map<RowStride, ColStride, LoopExtentStride...>, Index> {
  static constexpr Index loop(Index l) {
    if constexpr (sizeof...(LoopExtentStride) == 0) {
      return 0;
    } else {
      constexpr Index pair[] = {Index(LoopExtentStride)...};
      constexpr int count = int(sizeof...(LoopExtentStride)) / 2;
      return [&]<int... I>(sequence<I...>) {
        Index sum = 0, rest = l;
        // The last digit needs no remainder, so that a single one needs no division at all.
        ((sum += (I + 1 < count ? rest % pair[2 * I] : rest) * pair[2 * I + 1],
          rest = I + 1 < count ? rest / pair[2 * I] : rest),
         ...);
        return sum;
      }
      (iota<count>{});
    }
  }
  static constexpr Index offset(Index r, Index c, Index l) {
    return r * Index(RowStride) + c * Index(ColStride) + loop(l);
  }
};

/// One dimension of an operand: the index (0: row, 1: column, 2: loop step) that it is a digit of, and which digit.
struct digit_of_index {
  int role = -1;
  index_t below = 1, extent = 1;  // product of the extents of the digits below it; its own
};

constexpr digit_of_index find_digit(const detail::lowering& in, const lowered& form, int operand, int dimension) {
  const roles role = roles_of(form, operand);
  const modes* const letters[] = {&role.rows.letters, &role.cols.letters, &role.loop.letters};
  const char wanted = in.e.operand[operand].letter[dimension];
  for (int i = 0; i < 3; ++i) {
    digit_of_index d{i, 1, in.extent(wanted)};
    for (int at = 0; at < letters[i]->rank; ++at) {
      if (letters[i]->letter[at] == wanted) return d;
      d.below *= in.extent(letters[i]->letter[at]);
    }
  }
  return {};
}

/// Operand O, of any layout: row, column and loop step are taken apart into the layout's own indices.
template <class Form, int O, class Layout, class Index>
struct any_place {
  template <int D>
  static constexpr index_t digit(Index r, Index c, Index l) {
    constexpr digit_of_index d = find_digit(Form::in, Form::form, O, D);
    static_assert(d.role >= 0);
    constexpr Index below = d.below > 0 ? Index(d.below) : 1, extent = d.extent > 0 ? Index(d.extent) : 1;
    return (d.role == 0 ? r : d.role == 1 ? c : l) / below % extent;
  }
  static constexpr Index offset(Index r, Index c, Index l) {
    return [&]<int... D>(sequence<D...>) { return Index(Layout{}.offset(digit<D>(r, c, l)...)); }
    (iota<rank_of<Layout>>{});
  }
};

/// Strides if they describe the operand; otherwise the layout computes the offset.
template <class Form, int O, class Layout, class Index>
constexpr auto choose_place() {
  if constexpr (Form::template strided<O>)
    return strided_place<typename Form::template map<O>, Index>{};
  else
    return any_place<Form, O, Layout, Index>{};
}
template <class Form, int O, class Layout, class Index>
using place_of = decltype(choose_place<Form, O, Layout, Index>());

/// Indices of 32 bits if all operands fit: 64 bits cost two registers and several instructions.
template <class... Layout>
constexpr auto choose_index() {
  if constexpr (((span_of(Layout{}) <= 0x7fffffff) && ...))
    return int{};
  else
    return index_t{};
}
template <class... Layout>
using index_for = decltype(choose_index<Layout...>());

}  // namespace tessera::device
