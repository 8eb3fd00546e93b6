// SPDX-License-Identifier: BSD-3-Clause
// copy: between host and device, and between layouts; checked; asynchronous where a stream is given.
#pragma once

#include <tessera/batch.hpp>
#include <tessera/group.hpp>
#include <tessera/operand.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// Copies entry by entry position: `to(i, j, ...) = from(i, j, ...)` for every tensor. Shapes, counts and types must
/// agree. Dense operands of one layout are copied as one block; with a stream that copy is asynchronous and staged
/// through pinned memory: the host source may be reused at once, a host destination is complete after the stream is
/// synchronised. Anything else (gaps, another layout) is rearranged on the host and complete on return. Between host
/// operands a copy happens at once and does not wait for the stream.
void copy_operand(const operand& from, const operand& to, std::optional<stream_view> on);

namespace detail {

template <class From, class To>
struct copied_extents {
  static_assert(extents_agree<From, To>, "tessera: copy needs equal extents");
};

template <class T>
struct static_extents_of {
  using type = void;
};
template <class T>
  requires requires { typename T::layout_kind; }
struct static_extents_of<T> {
  using type = extents_of<typename T::layout_kind>;
};

template <class From, class To>
constexpr void check_copy() {
  using from = typename static_extents_of<std::remove_cvref_t<From>>::type;
  using to = typename static_extents_of<std::remove_cvref_t<To>>::type;
  if constexpr (!std::is_void_v<from> && !std::is_void_v<to>) {
    [[maybe_unused]] constexpr copied_extents<from, to> check{};
  }
}

}  // namespace detail

template <class From, class To>
void copy(const From& from, To&& to) {
  detail::check_copy<From, To>();
  copy_operand(operand_of(from), operand_of(to), std::nullopt);
}
template <class From, class To>
void copy(const From& from, To&& to, stream_view on) {
  detail::check_copy<From, To>();
  copy_operand(operand_of(from), operand_of(to), on);
}

}  // namespace tessera
