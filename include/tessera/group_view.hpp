// SPDX-License-Identifier: BSD-3-Clause
// Views of tensors of one layout at any addresses: an array of pointers, of a group or of the user.
#pragma once

#include <algorithm>

#include <tessera/operand.hpp>

namespace tessera {

/// `count` tensors of one layout, tensor b at members()[b]. The array is in the tensors' memory space.
template <class T, auto Space, layout_type Layout>
class group_view : private Layout {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using layout_kind = Layout;
  static constexpr auto space = Space;
  static constexpr bool is_batch = true, is_group = true;

  group_view(T* const* members, const Layout& layout, index_t count, std::shared_ptr<const member_list> list)
      : Layout(layout), members_(members), count_(count), list_(std::move(list)) {}
  template <class Other>
    requires std::is_same_v<const Other, T> group_view(const group_view<Other, Space, Layout>& other)
        : group_view(other.members(), other.layout(), other.count(), other.list()) {}

    T* const* members() const { return members_; }
    const Layout& layout() const { return *this; }
    decltype(auto) extents() const { return layout().extents(); }
    index_t count() const { return count_; }
    /// The addresses on the host; null for a user's array in device memory.
    const std::shared_ptr<const member_list>& list() const { return list_; }

    /// The tensor at position b. Unchecked.
    tensor_view<T, Space, Layout> operator()(index_t b) const requires(Space.kind == space_kind::cpu) {
      return {members_[b], layout()};
    }

   private:
    T* const* members_;
    index_t count_;
    std::shared_ptr<const member_list> list_;
};

namespace detail {

template <class T, auto Space, class Layout>
inline constexpr bool is_group_view<group_view<T, Space, Layout>> = true;

/// Checks `count` addresses that the host can read; those of empty tensors are not read.
template <auto Space, class T, class Layout>
std::shared_ptr<const member_list> list_members(const char* operation, T* const* members, index_t count,
                                                const Layout& layout) {
  const operand member = operand_of(tensor_view<T, Space, Layout>(nullptr, layout));
  std::vector<const void*> starts(std::size_t(count), nullptr);
  if (member.span > 0) std::copy_n(members, count, starts.begin());
  return std::make_shared<member_list>(operation, member, std::move(starts));
}

}  // namespace detail

/// view_group([space,] pointers, shape, count): tensors at addresses in an array of the caller. An array in host memory
/// is checked now and must not change while the view is used; a null address throws status::null_pointer. An array in
/// device memory is not checked: the caller guarantees that its addresses are the device's, and that those of an output
/// are distinct and not those of an input.
template <space_tag Space, class T, class Shape>
auto view_group(Space, T* const* members, const Shape& shape, index_t count) {
  const auto layout = detail::layout_from(shape);
  using layout_t = std::remove_const_t<decltype(layout)>;
  detail::check_layout("view_group", layout);
  check_batch("view_group", count, 0, layout.extents());
  if (members == nullptr && count > 0 && layout.extents().size() > 0)
    throw error("view_group: null array of addresses for " + std::to_string(count) + " tensors of extents " +
                    text_of(layout.extents()),
                status::null_pointer);
  std::shared_ptr<const member_list> list;
  if constexpr (Space::kind == space_kind::cpu)
    list = detail::list_members<Space{}>("view_group", members, count, layout);
  return group_view<T, Space{}, layout_t>(members, layout, count, std::move(list));
}
template <class T, class Shape>
auto view_group(T* const* members, const Shape& shape, index_t count) {
  return view_group(cpu, members, shape, count);
}

}  // namespace tessera
