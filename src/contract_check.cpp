// SPDX-License-Identifier: BSD-3-Clause
// The run-time errors of contract<>: finds the fault and names it with the einsum and the extents.
#include <tessera/detail/contract_check.hpp>

#include "footprint.hpp"
#include "overlap.hpp"

namespace tessera::detail {

namespace {

std::string shape_of(const argument& a) { return tessera::text_of(a.facts.extent, a.facts.rank); }

std::string name_of_input(int i) { return "input " + std::to_string(i + 1); }

std::string call_text(const char* text, const argument* inputs, int count, const argument& out) {
  std::string all = std::string("contract \"") + text + "\" over ";
  for (int i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + shape_of(inputs[i]);
  return all + " -> " + shape_of(out);
}

std::string kind_of(const argument& a) {
  if (!a.batched) return "one tensor";
  return (a.grouped ? "a group of " : "a batch of ") + std::to_string(a.count);
}

std::vector<index_t> offsets_of(const argument& a) {
  return a.offsets == nullptr ? std::vector<index_t>() : a.offsets(a.layout);
}

footprint footprint_of(const argument& a, const std::vector<index_t>& offsets) {
  if (a.grouped) return {.hull = {a.first, a.last}, .members = a.members};
  return {.hull = {a.first, a.last},
          .facts = &a.facts,
          .offsets = a.offsets == nullptr ? nullptr : &offsets,
          .entry_bytes = a.entry_bytes,
          .lanes = a.lanes,
          .stride = a.stride,
          .count = a.count};
}

std::string name_of_operand(int o) { return o == output ? "the output" : name_of_input(o); }

}  // namespace

void refuse_contract(const char* text, const argument* inputs, int count, const argument& out, const lowered& form) {
  const std::string call = call_text(text, inputs, count, out);
  if (form.fault == lower_fault::extent)
    throw error(call + ": " + name_of_operand(form.operands[0]) + " and " + name_of_operand(form.operands[1]) +
                    " disagree on the extent of '" + form.offender + "'",
                status::shape_mismatch);
  if (out.first == nullptr && out.last != nullptr)
    throw error(call + ": the output is a null pointer", status::null_pointer);
  for (int i = 0; i < count; ++i) {
    const argument& in = inputs[i];
    if (in.first == nullptr && in.last != nullptr)
      throw error(call + ": " + name_of_input(i) + " is a null pointer", status::null_pointer);
    if (in.batched && in.count != (out.batched ? out.count : 1))
      throw error(call + ": " + name_of_input(i) + " is " + kind_of(in) + ", the output " + kind_of(out),
                  status::shape_mismatch);
    if (!apart(out, in)) {
      const auto met = meeting(out, in);
      throw error(call + ": the output overlaps " + name_of_input(i) + (met ? text_of_meeting(*met) : ""),
                  status::overlap);
    }
  }
  if (out.members != nullptr && out.members->clash())
    throw error(call + ": members " + std::to_string(out.members->clash()->first) + " and " +
                    std::to_string(out.members->clash()->second) + " of the output's group share entries",
                status::overlap);
  if (out.batched && !out.grouped && out.count > out.lanes && out.stride < out.span + out.lanes - 1)
    throw error(call + ": tensors of the output's batch overlap, stride " + std::to_string(out.stride),
                status::overlap);
  throw error(call + ": two entries of the output share one address" + repeat_text(out.facts), status::overlap);
}

void refuse_scaling(const char* text) {
  throw error(std::string("contract \"") + text + "\": alpha or beta has an imaginary part, but sums are real",
              status::wrong_type);
}

std::optional<member_list::pair> meeting(const argument& out, const argument& in) {
  const std::vector<index_t> of_out = offsets_of(out), of_in = offsets_of(in);
  return meeting(footprint_of(out, of_out), footprint_of(in, of_in));
}

bool distinct_entries(const argument& a) {
  const std::vector<index_t> offsets = offsets_of(a);
  return distinct(footprint_of(a, offsets));
}

bool distinct_in_block(const argument& a) {
  argument block = a;
  block.grouped = false;
  block.count = a.lanes;
  block.stride = 0;
  return distinct_entries(block);
}

}  // namespace tessera::detail
