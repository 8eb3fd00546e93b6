// SPDX-License-Identifier: BSD-3-Clause
// Lines with the D of their points, which comes from memory or from the nodes.
#pragma once

#include <tessera/gpu/element/computed.cuh>
#include <tessera/gpu/element/stored.cuh>

namespace tessera::device {

namespace detail {

template <class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
struct data_of {
  using type = stored_data<T, Source, Function, Form, Shape, Several, Unit>;
};
template <class T, operator_kind kind, int nodes, int given, bool at_points, class Function, class Form, class Shape,
          bool Several, bool Unit>
struct data_of<T, from_nodes<kind, nodes, given, at_points>, Function, Form, Shape, Several, Unit> {
  using type = computed_data<T, from_nodes<kind, nodes, given, at_points>, Function, Form, Shape, Several, Unit>;
};

}  // namespace detail

template <class T, class Source, class Function, class Form, class Shape, bool Several, bool Unit>
using element_data = typename detail::data_of<T, Source, Function, Form, Shape, Several, Unit>::type;

}  // namespace tessera::device
