// SPDX-License-Identifier: BSD-3-Clause
// Entries at regular distances: whether two sets share a byte, and whether one set has a byte twice.
#pragma once

#include <cstdint>

#include <tessera/core/types.hpp>

namespace tessera::detail {

/// Entries at start + stride[0] x[0] + stride[1] x[1] + ..., 0 <= x[i] < extent[i], each `width` bytes long. All in
/// bytes, no stride negative; every entry is less than 2^63 bytes behind the start.
struct strided_box {
  std::uintptr_t start = 0;
  index_t width = 0;
  int rank = 0;
  index_t stride[max_rank + 2]{}, extent[max_rank + 2]{};  // those of a tensor, of lanes and of blocks

  /// Extent `times`, a stride of `by` units. The stride of an extent of 1 may be any number.
  void add(index_t by, index_t times, index_t unit = 1) {
    stride[rank] = times > 1 ? by * unit : 0;
    extent[rank++] = times;
  }
  bool is_empty() const;
};

/// The numbers sum_i stride[i] z[i], 0 <= z[i] < extent[i]. Whether one of them is in a window of given width is a
/// bounded knapsack problem: hard in general, a few steps for nested strides, and those of tensors nearly always are.
class strided_sums {
 public:
  void add(index_t stride, index_t extent);
  /// After the last add: sets the number of values in a window, at least 1.
  void prepare(index_t window);
  /// True if a sum is in [low, low + window - 1]. Also true if that is undecided after `most_steps` steps, or where
  /// sums reach 2^61.
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

/// Two boxes of given strides and extents: the distances of their starts at which they share a byte.
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

/// True if entries of the two share a byte, or if that is undecided.
bool meet(const strided_box& a, const strided_box& b);

/// True if two entries share a byte, or if that is undecided.
bool hits_itself(const strided_box& a);

}  // namespace tessera::detail
