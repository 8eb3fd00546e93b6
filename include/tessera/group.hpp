// SPDX-License-Identifier: BSD-3-Clause
// group: separately allocated tensors of one size, collected for one call.
#pragma once

#include <mutex>
#include <vector>

#include <tessera/group_view.hpp>

namespace tessera {

namespace detail {

template <class Wanted, class Given>
inline constexpr bool extents_agree = true;
template <index_t... A, index_t... B>
inline constexpr bool extents_agree<extents<A...>, extents<B...>> = [] {
  if (sizeof...(A) != sizeof...(B)) return false;
  constexpr index_t a[] = {A..., 0}, b[] = {B..., 0};
  for (unsigned i = 0; i < sizeof...(A); ++i)
    if (a[i] != dynamic && b[i] != dynamic && a[i] != b[i]) return false;
  return true;
}();

// The compiler's message shows its arguments.
template <class Wanted, class Given>
struct same_extents {
  static_assert(extents_agree<Wanted, Given>, "tessera: the tensor's extents are not the group's");
};

}  // namespace detail

/// Tensors that keep their own memory, which must outlive the group. All share one layout. Contractions, plans and
/// copies take a group where they take a batch.
template <class T, auto Space = cpu, class Shape = shape>
class group {
  static_assert(!std::is_same_v<Shape, shape>, "tessera: make_group gives the group its rank: of_size(5, 3) will do");

 public:
  using value_type = T;
  using layout_kind = detail::layout_for<Shape>;
  using member = tensor_view<T, Space, layout_kind>;
  static constexpr auto space = Space;

  explicit group(const Shape& sizes) : layout_(detail::layout_from(sizes)) { detail::check_layout("group", layout_); }

  group(const group& other) : layout_(other.layout_), members_(other.members_), addresses_(other.addresses_) {}
  group& operator=(const group& other) {
    if (this == &other) return *this;
    layout_ = other.layout_;
    members_ = other.members_;
    addresses_ = other.addresses_;
    list_.reset();
    return *this;
  }

  /// Adds a tensor, which invalidates earlier views. Another static size does not compile; another run-time size throws
  /// status::shape_mismatch, a null pointer status::null_pointer.
  template <class OtherShape>
  void push_back(tensor<T, Space, OtherShape>& added) {
    if constexpr (std::is_same_v<OtherShape, shape>) {
      check_same("group::push_back", layout_.extents(), added.extents());
      const column_major tight_layout(layout_.extents());
      append(tensor_view<T, Space, std::remove_const_t<decltype(tight_layout)>>(added.data(), tight_layout));
    } else {
      append(added.view());
    }
  }
  template <class Layout>
  void push_back(const tensor_view<T, Space, Layout>& added) {
    append(added);
  }

  const layout_kind& layout() const { return layout_; }
  decltype(auto) extents() const { return layout_.extents(); }
  index_t count() const { return index_t(members_.size()); }
  member operator()(index_t b) const { return members_[std::size_t(b)]; }
  auto begin() const { return members_.begin(); }
  auto end() const { return members_.end(); }

  /// All members, as contractions and plans take them. The first view after a push_back checks the addresses and copies
  /// those of device memory to the device: this takes one allocation and is not allowed during the capture of a CUDA
  /// graph. Later views do neither, and several threads may make them at once.
  group_view<T, Space, layout_kind> view() const {
    const std::lock_guard lock(guard_);
    if (!list_) list_ = detail::list_members<Space>("group", addresses_.data(), count(), layout_);
    if constexpr (Space.kind == space_kind::cpu)
      return {addresses_.data(), layout_, count(), list_};
    else
      return {static_cast<T* const*>(list_->in_device_memory()), layout_, count(), list_};
  }

 private:
  template <class Layout>
  void append(const tensor_view<T, Space, Layout>& added) {
    detail::same_extents<extents_of<layout_kind>, extents_of<Layout>> check;
    static_cast<void>(check);
    static_assert(std::is_same_v<Layout, layout_kind> || (affine_layout<Layout> && affine_layout<layout_kind>),
                  "tessera: the tensor's layout differs");
    check_same("group::push_back", layout_.extents(), added.extents());
    if constexpr (affine_layout<Layout> && affine_layout<layout_kind>) {
      for (int d = 0; d < rank_of<Layout>; ++d)
        if (layout_.stride(d) != added.layout().stride(d))
          throw error("group::push_back: the tensor of extents " + text_of(added.extents()) + " has other strides",
                      status::shape_mismatch);
    }
    if (added.data() == nullptr && added.extents().size() > 0)
      throw error("group::push_back: member " + std::to_string(count()) + " of extents " + text_of(added.extents()) +
                      " is a null pointer",
                  status::null_pointer);
    members_.push_back({added.data(), layout_});
    addresses_.push_back(added.data());
    list_.reset();
  }

  layout_kind layout_;
  std::vector<member> members_;
  std::vector<T*> addresses_;  // of the members, as kernels read them
  mutable std::mutex guard_;
  mutable std::shared_ptr<const member_list> list_;
};

template <class T, space_tag Space, class Shape>
group<T, Space{}, Shape> make_group(Space, const Shape& sizes) {
  return group<T, Space{}, Shape>(sizes);
}
template <class T, class Shape>
group<T, cpu, Shape> make_group(const Shape& sizes) {
  return group<T, cpu, Shape>(sizes);
}

}  // namespace tessera
