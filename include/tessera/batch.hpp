// SPDX-License-Identifier: BSD-3-Clause
// batch: many tensors of one layout in one allocation; their addresses follow from a formula, there is no array of
// pointers.
#pragma once

#include <tessera/tensor.hpp>

namespace tessera {

/// `count` tensors of `Shape` (extents or a layout, interleaved ones included), one behind the other.
template <class T, auto Space = cpu, class Shape = shape>
class batch {
  static_assert(!std::is_same_v<Shape, shape>, "tessera: make_batch gives the batch its rank: of_size(5, 3) will do");

 public:
  using value_type = T;
  using layout_kind = detail::layout_for<Shape>;
  using iterator = typename detail::iterator_for<T, Space>::type;
  using const_iterator = typename detail::iterator_for<const T, Space>::type;
  static constexpr auto space = Space;

  batch(const Shape& sizes, index_t count)
      : layout_(detail::layout_from(sizes)), count_(count), stride_(checked_stride()), memory_(allocated()) {}

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  const layout_kind& layout() const { return layout_; }
  decltype(auto) extents() const { return layout_.extents(); }
  index_t count() const { return count_; }
  /// Entries between consecutive tensors, or between blocks of W interleaved ones.
  index_t stride() const { return stride_; }

  index_t storage() const {
    constexpr index_t lanes = lanes_of<layout_kind>();
    return (count_ + lanes - 1) / lanes * stride_;
  }
  iterator begin() { return iterator(data()); }
  iterator end() { return iterator(data() + storage()); }
  const_iterator begin() const { return const_iterator(data()); }
  const_iterator end() const { return const_iterator(data() + storage()); }

  /// The tensor at position b, as a view. Unchecked.
  auto operator()(index_t b) { return view()(b); }
  auto operator()(index_t b) const { return view()(b); }

  batch_view<T, Space, layout_kind> view() { return {data(), layout_, count_, stride_}; }
  batch_view<const T, Space, layout_kind> view() const { return {data(), layout_, count_, stride_}; }

 private:
  index_t checked_stride() const {
    detail::check_owned_layout("batch", layout_);
    const index_t stride = block_of(layout_);
    check_batch("batch", count_, stride, layout_.extents());
    return stride;
  }
  buffer allocated() const {
    return detail::memory_for<T>("batch", Space.kind, storage(),
                                 text_of(layout_.extents()) + ", " + std::to_string(count_) + " of them");
  }

  layout_kind layout_;
  index_t count_;
  index_t stride_;
  buffer memory_;
};

/// make_batch<double>(gpu, of_size(5_c, 3_c), 15); without a space: cpu.
template <class T, space_tag Space, class Shape>
batch<T, Space{}, Shape> make_batch(Space, const Shape& sizes, index_t count) {
  return batch<T, Space{}, Shape>(sizes, count);
}
template <class T, class Shape>
batch<T, cpu, Shape> make_batch(const Shape& sizes, index_t count) {
  return batch<T, cpu, Shape>(sizes, count);
}

}  // namespace tessera
