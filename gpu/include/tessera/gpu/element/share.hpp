// SPDX-License-Identifier: BSD-3-Clause
// The share of a thread in an element kernel, the way that its tuning says.
#pragma once

#include <tessera/gpu/element/collocated.hpp>
#include <tessera/gpu/element/direct.hpp>

namespace tessera::device {

namespace detail {

template <bool direct, class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
struct share_of {
  using type = collocated_share<T, Stored, Function, Form, Shape, Several, Unit>;
};
template <class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
struct share_of<true, T, Stored, Function, Form, Shape, Several, Unit> {
  using type = direct_share<T, Stored, Function, Form, Shape, Several, Unit>;
};

}  // namespace detail

template <class T, class Stored, class Function, class Form, class Shape, bool Several, bool Unit>
using element_share = typename detail::share_of<Shape::direct, T, Stored, Function, Form, Shape, Several, Unit>::type;

}  // namespace tessera::device
