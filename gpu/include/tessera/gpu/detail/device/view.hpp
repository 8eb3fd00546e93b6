// SPDX-License-Identifier: BSD-3-Clause
// A tensor inside a kernel: a pointer to shared, global or the thread's own memory, and a layout.
#pragma once

#include <tessera/detail/static_check.hpp>

namespace tessera::device {

/// view(pointer, of_size<5, 3>()), view(pointer, layout). As large as a pointer if the layout is static.
template <class T, layout_type Layout>
class view : private Layout {
 public:
  using element_type = T;
  using value_type = typename tessera::detail::plain<T>::type;
  using layout_kind = Layout;
  static constexpr bool is_batch = false;

  constexpr view(T* data, const Layout& layout) : Layout(layout), data_(data) {}
  /// Extents stand for the packed column-major layout.
  template <sizes Extents>
    requires same_type<Layout, column_major<Extents>>
  constexpr view(T* data, const Extents& e) : Layout(e), data_(data) {}

  constexpr T* data() const { return data_; }
  constexpr const Layout& layout() const { return *this; }
  constexpr decltype(auto) extents() const { return layout().extents(); }

  /// Entry (i, j, ...). Unchecked.
  template <class... Index>
  constexpr T& operator()(Index... i) const {
    static_assert(sizeof...(Index) == rank_of<Layout>, "tessera: one index for each dimension");
    return data_[layout().offset(index_t(i)...)];
  }

 private:
  T* data_;
};
template <class T, sizes Extents>
view(T*, const Extents&) -> view<T, column_major<Extents>>;
template <class T, layout_type Layout>
view(T*, const Layout&) -> view<T, Layout>;

/// The views that device-side operations take: `view`, and the library's `tensor_view`.
template <class View>
concept placed = requires(const View& v) {
  typename View::element_type;
  typename View::value_type;
  typename View::layout_kind;
  v.data();
  v.layout();
};

}  // namespace tessera::device
