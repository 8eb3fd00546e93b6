// SPDX-License-Identifier: BSD-3-Clause
// tensor: one tensor that owns its memory, of static sizes (make_tensor) or of sizes and rank known at run time.
#pragma once

#include <tessera/device_pointer.hpp>
#include <tessera/memory.hpp>
#include <tessera/shape.hpp>
#include <tessera/view.hpp>

namespace tessera {

namespace detail {

template <class T, auto Space>
struct iterator_for {
  using type = T*;
};
template <class T>
struct iterator_for<T, gpu> {
  using type = device_pointer<T>;
};

template <class Shape>
using layout_for = decltype(layout_from(std::declval<const Shape&>()));

/// Memory for `entries` entries; errors name the operation and the extents.
template <class T>
buffer memory_for(const char* operation, space_kind space, index_t entries, const std::string& extents) {
  constexpr index_t limit = 0x7fffffffffffffffLL / index_t(sizeof(T));
  const std::string what = std::string(operation) + ": extents " + extents;
  if (entries > limit) throw error(what + " overflow 63 bits", status::overflow);
  try {
    return buffer(space, std::size_t(entries) * sizeof(T));
  } catch (const error& e) {
    throw error(what + ": " + e.what(), e.code());
  }
}

}  // namespace detail

/// A tensor of `Shape`: extents (packed column-major) or a layout. `tensor<T, Space>` alone has run-time rank and
/// sizes.
template <class T, auto Space = cpu, class Shape = shape>
class tensor {
 public:
  using value_type = T;
  using layout_kind = detail::layout_for<Shape>;
  using iterator = typename detail::iterator_for<T, Space>::type;
  using const_iterator = typename detail::iterator_for<const T, Space>::type;
  static constexpr auto space = Space;

  explicit tensor(const Shape& sizes) : layout_(detail::layout_from(sizes)), memory_(allocated()) {}

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  const layout_kind& layout() const { return layout_; }
  decltype(auto) extents() const { return layout_.extents(); }

  /// Entries of storage; more than extents().size() if the layout has padding.
  index_t storage() const { return span_of(layout_); }
  iterator begin() { return iterator(data()); }
  iterator end() { return iterator(data() + storage()); }
  const_iterator begin() const { return const_iterator(data()); }
  const_iterator end() const { return const_iterator(data() + storage()); }

  tensor_view<T, Space, layout_kind> view() { return {data(), layout_}; }
  tensor_view<const T, Space, layout_kind> view() const { return {data(), layout_}; }

  template <class... Index>
  T& operator()(Index... i) requires(Space.kind == space_kind::cpu) {
    return view()(i...);
  }
  template <class... Index>
  const T& operator()(Index... i) const requires(Space.kind == space_kind::cpu) {
    return view()(i...);
  }

 private:
  buffer allocated() const {
    detail::check_owned_layout("tensor", layout_);
    return detail::memory_for<T>("tensor", Space.kind, span_of(layout_), text_of(layout_.extents()));
  }

  layout_kind layout_;
  buffer memory_;
};

/// Run-time rank and sizes, packed column-major; checked where it is used.
template <class T, auto Space>
class tensor<T, Space, shape> {
 public:
  using value_type = T;
  using iterator = typename detail::iterator_for<T, Space>::type;
  using const_iterator = typename detail::iterator_for<const T, Space>::type;
  static constexpr auto space = Space;

  explicit tensor(const shape& sizes)
      : extents_(sizes),
        memory_((check_extents("tensor", sizes.data(), sizes.rank()),
                 detail::memory_for<T>("tensor", Space.kind, sizes.size(), text_of(sizes)))) {}

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  const shape& extents() const { return extents_; }
  index_t storage() const { return extents_.size(); }
  iterator begin() { return iterator(data()); }
  iterator end() { return iterator(data() + storage()); }
  const_iterator begin() const { return const_iterator(data()); }
  const_iterator end() const { return const_iterator(data() + storage()); }

  /// The same memory with the rank, and maybe sizes, in the type. Throws if `e` is another shape.
  template <index_t... E>
  auto as(const tessera::extents<E...>& e) {
    check_same("tensor::as", extents_, shape(e));
    return tessera::view(Space, data(), e);
  }
  template <index_t... E>
  auto as(const tessera::extents<E...>& e) const {
    check_same("tensor::as", extents_, shape(e));
    return tessera::view(Space, data(), e);
  }

  /// Entry (i, j, ...). Throws where the number of indices is not the rank.
  template <class... Index>
  T& operator()(Index... i) requires(Space.kind == space_kind::cpu) {
    return data()[extents_.offset(index_t(i)...)];
  }
  template <class... Index>
  const T& operator()(Index... i) const requires(Space.kind == space_kind::cpu) {
    return data()[extents_.offset(index_t(i)...)];
  }

 private:
  shape extents_;
  buffer memory_;
};

/// make_tensor<float>(gpu, of_size<5, 3>()): sizes in the type where they are static. The space may be left out: cpu.
template <class T, space_tag Space, class Shape>
tensor<T, Space{}, Shape> make_tensor(Space, const Shape& sizes) {
  return tensor<T, Space{}, Shape>(sizes);
}
template <class T, class Shape>
tensor<T, cpu, Shape> make_tensor(const Shape& sizes) {
  return tensor<T, cpu, Shape>(sizes);
}

}  // namespace tessera
