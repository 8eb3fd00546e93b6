// SPDX-License-Identifier: BSD-3-Clause
// Overlap: by nested strides where that decides, else by looking at every offset.
#include "overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tessera/contract_check.hpp>

namespace tessera::detail {

bool distinct_in_block(const operand& o) {
  if (o.entries() * o.lanes <= 1) return true;
  if (!o.offsets && nested_strides(o.facts, o.lanes, 0, 1)) return true;
  std::vector<index_t> offsets;
  for (index_t i = 0; i < o.entries(); ++i)
    for (index_t lane = 0; lane < o.lanes; ++lane) offsets.push_back(o.offset(i, 0) + lane);
  return all_distinct(std::move(offsets));
}

bool distinct_blocks(const operand& o) {
  if (!o.batched || o.count <= o.lanes || o.span == 0 || o.stride >= o.span + o.lanes - 1) return true;
  const index_t blocks = (o.count + o.lanes - 1) / o.lanes;
  // Blocks may interleave: one component of several is a batch whose tensors reach into each other.
  return !o.offsets && nested_strides(o.facts, o.lanes, o.stride, blocks);
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
