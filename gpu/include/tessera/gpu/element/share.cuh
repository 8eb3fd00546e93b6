// SPDX-License-Identifier: BSD-3-Clause
// The share of a thread in an element kernel, the way that its tuning says.
#pragma once

#include <tessera/gpu/element/collocated.cuh>
#include <tessera/gpu/element/direct.cuh>

namespace tessera::device {

namespace detail {

template <bool direct, class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
struct share_of {
  using type = collocated_share<T, Source, Function, Form, Shape, Several, Unit>;
};
template <class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
struct share_of<true, T, Source, Function, Form, Shape, Several, Unit> {
  using type = direct_share<T, Source, Function, Form, Shape, Several, Unit>;
};

template <class Share, class Source>
struct share_with {
  using type = Share;
};
template <class Share, operator_kind kind, int nodes, int given, bool at_points>
struct share_with<Share, from_nodes<kind, nodes, given, at_points>> {
  using type = share_with_nodes<Share>;
};

}  // namespace detail

/// Source: as for element_lines.
template <class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
using element_share = typename detail::share_with<
    typename detail::share_of<Shape::direct, T, Source, Function, Form, Shape, Several, Unit>::type, Source>::type;

}  // namespace tessera::device
