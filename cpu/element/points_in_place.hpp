// SPDX-License-Identifier: BSD-3-Clause
// D in the caller's memory, entry after entry of each element, moved to lanes when it is needed.
#pragma once

#include <string>

#include "block_source.hpp"

namespace tessera::detail {

/// Entry i of element e is at values[i + distance e]; a distance of 0: one D for all elements.
template <class T>
class points_in_place : public block_source<T> {
 public:
  points_in_place(const element_kernels<T>& kernels, index_t entries, index_t elements, const T* values,
                  index_t distance)
      : kernels_(kernels), entries_(entries), elements_(elements), values_(values), distance_(distance) {}

  const T* block(const lane_elements& lanes, T* scratch) const override {
    lane_starts<const T> from;
    from.active = lanes.active;
    for (index_t w = 0; w < kernels_.lanes; ++w) from.start[w] = values_ + distance_ * lanes.element[w];
    kernels_.gather(from, entries_, scratch);
    return scratch;
  }
  index_t scratch() const override { return entries_ * kernels_.lanes; }
  const char* memory_of(index_t b) const override {
    return reinterpret_cast<const char*>(values_ + b * kernels_.lanes * distance_);
  }
  index_t memory_bytes() const override {
    return distance_ == entries_ ? entries_ * kernels_.lanes * index_t(sizeof(T)) : 0;
  }

  // Nobody calls these: the caller has D.
  void set(index_t, index_t, const T*) override {}
  void get(index_t, index_t, T*) const override {}
  /// Not as kernels read it.
  bool is_stored() const override { return false; }
  index_t elements() const override { return elements_; }
  index_t lanes() const override { return kernels_.lanes; }
  index_t block_entries() const override { return entries_; }
  std::size_t bytes() const override { return 0; }
  std::string describe() const override { return "in place"; }

 private:
  const element_kernels<T>& kernels_;
  index_t entries_, elements_;
  const T* values_;
  index_t distance_;
};

}  // namespace tessera::detail
