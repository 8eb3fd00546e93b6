// SPDX-License-Identifier: BSD-3-Clause
// Entries at regular distances: do two sets of them share a byte, does one set name a byte twice?
#pragma once

#include <cstdint>

#include <tessera/core/types.hpp>

namespace tessera::detail {

/// Entries at start + stride[0] x[0] + stride[1] x[1] + ..., 0 <= x[i] < extent[i], each `width` bytes long. All in
/// bytes, no stride negative; every entry lies less than 2^63 bytes behind the start.
struct strided_box {
  std::uintptr_t start = 0;
  index_t width = 0;
  int rank = 0;
  index_t stride[max_rank + 2]{}, extent[max_rank + 2]{};  // those of a tensor, of lanes and of blocks

  /// Extent `times`, a stride of `by` units. One that no entry takes may be any number.
  void add(index_t by, index_t times, index_t unit = 1) {
    stride[rank] = times > 1 ? by * unit : 0;
    extent[rank++] = times;
  }
  bool is_empty() const;
};

/// The numbers sum_i stride[i] z[i], 0 <= z[i] < extent[i]. Whether one of them lies in a window of given width is a
/// bounded knapsack problem: hard in general, a few steps for strides that nest, as those of tensors nearly always do.
class strided_sums {
 public:
  void add(index_t stride, index_t extent);
  /// After the last add: windows will have so many numbers, at least 1.
  void prepare(index_t window);
  /// True where a sum lies in [low, low + window - 1]. Also true where that is undecided after `most_steps` steps, or
  /// where sums reach 2^61.
  bool meet(index_t low) const;

  static constexpr int most_steps = 100'000;

 private:
  struct term {
    index_t stride, extent;
  };
  bool search(int from, index_t low, index_t high, int& steps) const;
  void merge();
  void absorb();

  int count_ = 0;
  term terms_[2 * (max_rank + 2)]{};
  index_t reach_[2 * (max_rank + 2) + 1]{}, divisor_[2 * (max_rank + 2) + 1]{};  // of the terms from here on
  index_t window_ = 1, absorbed_ = 0;
  bool too_far_ = false;
};

/// Two boxes of given strides and extents: at which distances of their starts do they share a byte?
class box_pair {
 public:
  box_pair(const strided_box& a, const strided_box& b);
  /// b starts `distance` bytes behind a.
  bool meet(index_t distance) const;

 private:
  bool is_empty_, too_far_ = false;
  index_t reach_of_a_ = 0, reach_of_b_ = 0, width_of_a_, width_of_b_;
  strided_sums sums_;
};

/// True where an entry of each have a byte in common, and where that is undecided.
bool meet(const strided_box& a, const strided_box& b);

/// True where two entries have a byte in common, and where that is undecided.
bool hits_itself(const strided_box& a);

}  // namespace tessera::detail
