// SPDX-License-Identifier: BSD-3-Clause
// Overlap of operands: by nested strides if these decide, else by their strided boxes.
#include "overlap.hpp"

#include <algorithm>
#include <cstdint>

#include <tessera/detail/contract_check.hpp>

#include "footprint.hpp"

namespace tessera::detail {

namespace {

// Computed with integers: an operand that a plan is made for may have no memory yet.
byte_range range_from(const void* first, index_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  const auto end = at + std::uintptr_t(bytes);
  return {static_cast<const char*>(first), reinterpret_cast<const char*>(end)};  // NOLINT: no memory may be there
}

footprint footprint_of(const operand& o) {
  if (o.list) return {.hull = o.list->hull(), .members = o.list.get()};
  // Of a group whose addresses the host does not have, the array of addresses: an output must not overwrite it either.
  if (o.grouped) return {.hull = range_from(o.members, o.span == 0 ? 0 : o.count * index_t(sizeof(void*)))};
  return {.hull = range_from(o.lowest(), o.reach() * index_t(o.entry_bytes)),
          .facts = &o.facts,
          .offsets = o.offsets.get(),
          .entry_bytes = index_t(o.entry_bytes),
          .lanes = o.batched ? o.lanes : 1,
          .stride = o.batched ? o.stride : 0,
          .count = o.batched ? o.count : 1};
}

bool blocks_nest(const operand& o) {
  return !o.offsets && o.count > 0 && nested_strides(o.facts, o.lanes, o.stride, (o.count - 1) / o.lanes + 1);
}

}  // namespace

bool distinct_in_block(const operand& o) {
  if (!o.offsets && nested_strides(o.facts, o.batched ? o.lanes : 1, 0, 1)) return true;
  operand block = o;
  block.batched = o.batched && !o.grouped && o.lanes > 1;
  block.grouped = false;
  block.list = nullptr;
  block.count = block.batched ? o.lanes : 1;
  return distinct(footprint_of(block));
}

bool distinct_blocks(const operand& o) {
  if (o.grouped) return o.list == nullptr || !o.list->clash();
  if (!o.batched || o.count <= o.lanes || o.span == 0 || o.stride >= o.span + o.lanes - 1) return true;
  // Blocks may interleave: one component of several is a batch whose tensors overlap in memory without sharing entries.
  return blocks_nest(o) || distinct(footprint_of(o));
}

bool distinct_entries(const operand& o) {
  if (!o.batched || o.grouped) return distinct_in_block(o) && distinct_blocks(o);
  return blocks_nest(o) || distinct(footprint_of(o));
}

bool entries_meet(const operand& a, const operand& b) { return meeting(footprint_of(a), footprint_of(b)).has_value(); }

std::string repeat_text(const operand_facts& f) {
  for (int d = 0; d < f.rank; ++d)
    if (f.affine && f.extent[d] > 1 && f.stride[d] == 0)
      return ": its dimension " + std::to_string(d) + " of extent " + std::to_string(f.extent[d]) + " has stride 0";
  return {};
}

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
         a.facts.rank == b.facts.rank && std::equal(a.facts.stride, a.facts.stride + a.facts.rank, b.facts.stride) &&
         std::equal(a.facts.extent, a.facts.extent + a.facts.rank, b.facts.extent);
}

misplaced misplaced_text(const operand& o) {
  if ((o.grouped ? o.members : o.data) == nullptr && o.entries() > 0 && o.count > 0)
    return {" is a null pointer", status::null_pointer};
  // The number of a complex entry is half of it.
  const std::size_t number = size_of(*o.type) / (is_complex_type(*o.type) ? 2 : 1);
  if (!o.grouped && reinterpret_cast<std::uintptr_t>(o.data) % number != 0)
    return {" is at an address that is no multiple of " + std::to_string(number) + " bytes", status::invalid_argument};
  return {};
}

}  // namespace tessera::detail
