// SPDX-License-Identifier: BSD-3-Clause
// Overlap: by nested strides where that decides, else by looking at every offset.
#include "overlap.hpp"

#include <algorithm>
#include <utility>

#include <tessera/contract_check.hpp>

namespace tessera::detail {

namespace {

// Of a group that the host cannot look at, the array of addresses: an output must not replace that either.
footprint footprint_of(const operand& o) {
  const auto from = [](const void* first, index_t bytes) {
    const auto at = static_cast<const char*>(first);
    return byte_range{at, at + bytes};
  };
  if (o.list) return {o.list->hull(), o.list.get()};
  if (o.grouped) return {from(o.members, o.span == 0 ? 0 : o.count * index_t(sizeof(void*))), nullptr};
  return {from(o.data, o.reach() * index_t(o.entry_bytes)), nullptr};
}

}  // namespace

bool distinct_in_block(const operand& o) {
  if (o.entries() * o.lanes <= 1) return true;
  if (!o.offsets && nested_strides(o.facts, o.lanes, 0, 1)) return true;
  std::vector<index_t> offsets;
  for (index_t i = 0; i < o.entries(); ++i)
    for (index_t lane = 0; lane < o.lanes; ++lane) offsets.push_back(o.offset(i, 0) + lane);
  return all_distinct(std::move(offsets));
}

bool distinct_blocks(const operand& o) {
  if (o.grouped) return o.list == nullptr || !o.list->clash();
  if (!o.batched || o.count <= o.lanes || o.span == 0 || o.stride >= o.span + o.lanes - 1) return true;
  const index_t block_count = (o.count + o.lanes - 1) / o.lanes;
  // Blocks may interleave: one component of several is a batch whose tensors reach into each other.
  return !o.offsets && nested_strides(o.facts, o.lanes, o.stride, block_count);
}

bool ranges_meet(const operand& a, const operand& b) { return meeting(footprint_of(a), footprint_of(b)).has_value(); }

std::string meeting_text(const operand& out, const operand& in) {
  const auto met = meeting(footprint_of(out), footprint_of(in));
  return met ? text_of_meeting(*met) : "";
}

std::string clash_text(const operand& out) {
  if (!out.grouped) return "batch entries of the output overlap, stride " + std::to_string(out.stride);
  const member_list::pair& both = *out.list->clash();
  return "members " + std::to_string(both.first) + " and " + std::to_string(both.second) +
         " of the output's group share entries";
}

bool same_addresses(const operand& a, const operand& b) {
  return a.type == b.type && a.data == b.data && a.members == b.members && a.batched == b.batched &&
         a.lanes == b.lanes && (!a.batched || a.stride == b.stride) && !a.offsets && !b.offsets &&
         std::equal(a.facts.stride, a.facts.stride + a.facts.rank, b.facts.stride);
}

}  // namespace tessera::detail
