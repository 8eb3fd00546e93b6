// SPDX-License-Identifier: BSD-3-Clause
// Overlap: by nested strides where that decides, else by looking at every offset.
#include "overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tessera::detail {

namespace {

// Strides with the extents that they are taken over; lanes and the batch count as dimensions.
class strides {
 public:
  void add(index_t stride, index_t extent) {
    if (extent > 1) at_[count_++] = {stride, extent};
  }
  // Entries are distinct where each stride clears all that lies below it.
  bool nested() {
    std::sort(at_, at_ + count_);
    index_t below = 0;
    for (int i = 0; i < count_; ++i) {
      if (at_[i].first <= below) return false;
      below += at_[i].first * (at_[i].second - 1);
    }
    return true;
  }

 private:
  std::pair<index_t, index_t> at_[max_rank + 2];
  int count_ = 0;
};

strides block_strides(const operand& o) {
  strides result;
  for (int d = 0; d < o.facts.rank; ++d) result.add(o.facts.stride[d], o.facts.extent[d]);
  result.add(1, o.lanes);
  return result;
}

}  // namespace

bool distinct_in_block(const operand& o) {
  if (o.entries() * o.lanes <= 1) return true;
  if (!o.offsets && block_strides(o).nested()) return true;
  std::vector<index_t> offsets;
  for (index_t i = 0; i < o.entries(); ++i)
    for (index_t lane = 0; lane < o.lanes; ++lane) offsets.push_back(o.offset(i, 0) + lane);
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
}

bool distinct_blocks(const operand& o) {
  if (!o.batched || o.count <= o.lanes || o.span == 0 || o.stride >= o.span + o.lanes - 1) return true;
  const index_t blocks = (o.count + o.lanes - 1) / o.lanes;
  // Blocks may interleave: one component of several is a batch whose tensors reach into each other.
  strides all = block_strides(o);
  all.add(o.stride, blocks);
  return !o.offsets && all.nested();
}

bool ranges_meet(const operand& a, const operand& b) {
  const index_t reach_a = a.reach(), reach_b = b.reach();
  if (reach_a == 0 || reach_b == 0) return false;
  const auto first_a = reinterpret_cast<std::uintptr_t>(a.data), first_b = reinterpret_cast<std::uintptr_t>(b.data);
  return first_a < first_b + std::uintptr_t(reach_b) * b.entry_bytes &&
         first_b < first_a + std::uintptr_t(reach_a) * a.entry_bytes;
}

bool same_addresses(const operand& a, const operand& b) {
  return a.data == b.data && a.batched == b.batched && a.lanes == b.lanes && (!a.batched || a.stride == b.stride) &&
         !a.offsets && !b.offsets && std::equal(a.facts.stride, a.facts.stride + a.facts.rank, b.facts.stride);
}

}  // namespace tessera::detail
