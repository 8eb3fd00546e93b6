// SPDX-License-Identifier: BSD-3-Clause
// Views of memory that Tessera does not own: a pointer and a layout; for a batch also a count and a stride.
#pragma once

#include <type_traits>

#include <tessera/core/reshape.hpp>
#include <tessera/detail/shape_text.hpp>
#include <tessera/error.hpp>
#include <tessera/space.hpp>

namespace tessera {

/// One tensor in memory that it does not own. In a contraction it is shared by all entries of the batch.
template <class T, auto Space, layout_type Layout>
class tensor_view : private Layout {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using layout_kind = Layout;
  static constexpr auto space = Space;
  static constexpr bool is_batch = false, is_group = false;

  constexpr tensor_view(T* data, const Layout& layout) : Layout(layout), data_(data) {}
  template <class Other>
    requires std::is_same_v<const Other, T>
  constexpr tensor_view(const tensor_view<Other, Space, Layout>& other) : tensor_view(other.data(), other.layout()) {}

  constexpr T* data() const { return data_; }
  constexpr const Layout& layout() const { return *this; }
  constexpr decltype(auto) extents() const { return layout().extents(); }

  /// Entry (i, j, ...). Unchecked. Of device memory, in device code only.
  template <class... Index>
  constexpr T& operator()(Index... i) const {
    static_assert(sizeof...(Index) == rank_of<Layout>, "tessera: one index for each dimension");
    return data_[layout().offset(index_t(i)...)];
  }

 private:
  T* data_;
};

/// `count` tensors of one layout, block b at distance b stride (stride 0: one tensor seen `count` times).
template <class T, auto Space, layout_type Layout>
class batch_view : private Layout {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using layout_kind = Layout;
  static constexpr auto space = Space;
  static constexpr bool is_batch = true, is_group = false;

  constexpr batch_view(T* data, const Layout& layout, index_t count, index_t stride)
      : Layout(layout), data_(data), count_(count), stride_(stride) {}
  template <class Other>
    requires std::is_same_v<const Other, T>
  constexpr batch_view(const batch_view<Other, Space, Layout>& other)
      : batch_view(other.data(), other.layout(), other.count(), other.stride()) {}

  constexpr T* data() const { return data_; }
  constexpr const Layout& layout() const { return *this; }
  constexpr decltype(auto) extents() const { return layout().extents(); }
  constexpr index_t count() const { return count_; }
  constexpr index_t stride() const { return stride_; }

  /// The tensor at position b. Unchecked.
  constexpr tensor_view<T, Space, Layout> operator()(index_t b) const {
    return {data_ + batch_start(b, stride_, lanes_of<Layout>()), layout()};
  }

 private:
  T* data_;
  index_t count_;
  index_t stride_;
};

namespace detail {

template <class T>
inline constexpr bool is_tensor_view = false;
template <class T, auto Space, class Layout>
inline constexpr bool is_tensor_view<tensor_view<T, Space, Layout>> = true;
template <class T>
inline constexpr bool is_batch_view = false;
template <class T, auto Space, class Layout>
inline constexpr bool is_batch_view<batch_view<T, Space, Layout>> = true;
template <class T>
inline constexpr bool is_group_view = false;  // true for those of group_view.hpp
template <class T>
inline constexpr bool is_conjugated_view = false;  // true for those of conjugated.hpp

/// Extents stand for the packed column-major layout.
template <class Shape>
constexpr auto layout_from(const Shape& shape) {
  if constexpr (sizes<Shape>)
    return column_major<Shape>(shape);
  else
    return shape;
}

/// Packed, of extents that are constants and far from any overflow: nothing to check.
template <class Layout>
inline constexpr bool is_small_and_packed = false;
template <index_t... E>
inline constexpr bool is_small_and_packed<column_major<extents<E...>, packed>> = ((E >= 0) && ...) &&
                                                                                 (1.0 * ... * double(E > 1 ? E : 1)) <
                                                                                     1e12;

/// Throws on negative extents, and on spans that do not fit 63 bits, before any unchecked multiplication.
template <class Layout>
void check_layout(const char* operation, const Layout& layout) {
  if constexpr (is_small_and_packed<Layout>) return;
  constexpr int rank = rank_of<Layout>;
  index_t extent[max_rank]{}, stride[max_rank]{};
  for (int d = 0; d < rank; ++d) extent[d] = layout.extents()(d);
  check_extents(operation, extent, rank);
  if constexpr (requires { layout.inner(); })
    check_layout(operation, layout.inner());
  else if constexpr (requires { layout.leading_dimension(); })
    check_leading(operation, extent, rank, Layout::leading_index(), layout.leading_dimension());
  if constexpr (affine_layout<Layout>) {
    for (int d = 0; d < rank; ++d) stride[d] = layout.stride(d);
    check_strides(operation, extent, stride, rank);
  }
}

/// The same for a layout of memory that begins with the first entry: no stride is negative.
template <class Layout>
void check_owned_layout(const char* operation, const Layout& layout) {
  check_layout(operation, layout);
  if constexpr (affine_layout<Layout> && !is_small_and_packed<Layout>) {
    index_t extent[max_rank]{}, stride[max_rank]{};
    for (int d = 0; d < rank_of<Layout>; ++d) extent[d] = layout.extents()(d), stride[d] = layout.stride(d);
    check_forward(operation, extent, stride, rank_of<Layout>);
  }
}

/// Apart from `view`, so that the caller's code has no text to make.
template <class Layout>
[[noreturn, gnu::noinline, gnu::cold]] void refuse_null_view(const Layout& layout) {
  throw error("view: null pointer for a tensor of extents " + text_of(layout.extents()), status::null_pointer);
}

}  // namespace detail

template <class T>
concept any_view =
    detail::is_tensor_view<T> || detail::is_batch_view<T> || detail::is_group_view<T> || detail::is_conjugated_view<T>;

/// view(pointer, of_size(5, 3)), view(pointer, layout), view(gpu, pointer, layout): one tensor, whose entry (0, 0, ...)
/// is at the pointer.
template <space_tag Space, class T, class Shape>
[[gnu::always_inline]] inline auto view(Space, T* data, const Shape& shape) {
  const auto layout = detail::layout_from(shape);
  detail::check_layout("view", layout);
  if (data == nullptr && layout.extents().size() > 0) detail::refuse_null_view(layout);
  return tensor_view<T, Space{}, std::remove_const_t<decltype(layout)>>(data, layout);
}
template <class T, class Shape>
[[gnu::always_inline]] inline auto view(T* data, const Shape& shape) {
  return view(cpu, data, shape);
}

/// view_batch(pointer, shape, count[, stride]): `count` tensors, by default one after the other.
template <space_tag Space, class T, class Shape>
auto view_batch(Space, T* data, const Shape& shape, index_t count, index_t stride) {
  const auto layout = detail::layout_from(shape);
  detail::check_layout("view_batch", layout);
  check_batch("view_batch", count, stride, layout.extents());
  if (data == nullptr && count > 0 && layout.extents().size() > 0)
    throw error(
        "view_batch: null pointer for " + std::to_string(count) + " tensors of extents " + text_of(layout.extents()),
        status::null_pointer);
  return batch_view<T, Space{}, std::remove_const_t<decltype(layout)>>(data, layout, count, stride);
}
template <space_tag Space, class T, class Shape>
auto view_batch(Space space, T* data, const Shape& shape, index_t count) {
  detail::check_layout("view_batch", detail::layout_from(shape));
  return view_batch(space, data, shape, count, block_of(detail::layout_from(shape)));
}
template <class T, class Shape>
auto view_batch(T* data, const Shape& shape, index_t count) {
  return view_batch(cpu, data, shape, count);
}
template <class T, class Shape>
auto view_batch(T* data, const Shape& shape, index_t count, index_t stride) {
  return view_batch(cpu, data, shape, count, stride);
}

}  // namespace tessera
