// SPDX-License-Identifier: BSD-3-Clause
// Tensors that lie apart: descending in memory, at odd distances, canaries between them.
#pragma once

#include <vector>

#include <tessera/group_view.hpp>

namespace tessera::testing {

template <class T, class Layout>
class scattered {
 public:
  static constexpr T canary = T(-77);

  scattered(const Layout& layout, index_t count) : layout_(layout) {
    const index_t span = span_of(layout);
    memory_.assign(std::size_t(count * (span + 4) + 8), canary);
    T* at = memory_.data() + memory_.size();
    for (index_t b = 0; b < count; ++b) pointers_.push_back(at -= span + 3 + b % 2);
  }
  /// Its tensors hold what those of a batch of the same sizes do.
  template <class View>
  explicit scattered(const View& batch) : scattered(batch.layout(), batch.count()) {
    for (index_t b = 0; b < batch.count(); ++b)
      each_offset([&](index_t at) { pointers_[std::size_t(b)][at] = batch(b).data()[at]; });
  }
  scattered(const scattered&) = delete;

  auto group() { return view_group(pointers_.data(), layout_, index_t(pointers_.size())); }
  std::vector<T*>& pointers() { return pointers_; }
  std::vector<T>& memory() { return memory_; }

  /// True where every tensor is the batch's bit for bit, and all that lies between them is as it was.
  template <class View>
  bool equals(const View& batch) const {
    std::vector<T> wanted(memory_.size(), canary);
    for (index_t b = 0; b < batch.count(); ++b) {
      const std::ptrdiff_t start = pointers_[std::size_t(b)] - memory_.data();
      each_offset([&](index_t at) { wanted[std::size_t(start + at)] = batch(b).data()[at]; });
    }
    return wanted == memory_;
  }

 private:
  template <class Visit>
  void each_offset(Visit visit) const {
    index_t index[max_rank]{};
    for (index_t i = 0; i < layout_.extents().size(); ++i) {
      unravel(i, layout_.extents(), index);
      visit(offset_at(layout_, index));
    }
  }

  Layout layout_;
  std::vector<T> memory_;
  std::vector<T*> pointers_;
};

template <class View>
scattered(const View&) -> scattered<typename View::value_type, typename View::layout_kind>;

}  // namespace tessera::testing
