// SPDX-License-Identifier: BSD-3-Clause
// The checks of a run as a few comparisons, for operands that are like those the plan was made for.
#pragma once

#include <cstdint>

#include <tessera/detail/brief_operand.hpp>

namespace tessera::detail {

/// What the quick checks know of an operand that the plan was made for.
struct quick_form {
  std::uint32_t kind = 0;
  index_t span = 0;
  index_t entry_bytes = 1;
  std::uintptr_t misaligned = 0;  // bits that an address of the type does not have
  const operand_facts* facts = nullptr;
};

inline quick_form quick_form_of(const operand& o) {
  constexpr index_t most_span = index_t(1) << 31;
  if (o.entries() == 0 || o.span > most_span || o.span < 1 || o.facts.before() != 0) return {};
  const std::size_t number = o.type ? size_of(*o.type) / (is_complex_type(*o.type) ? 2 : 1) : 1;
  return {brief_kind_of(o), o.span, index_t(o.entry_bytes), number - 1, &o.facts};
}

/// True if a run may take such an operand in place of the one that its plan was made for, of which `out_count` entries
/// belong to the output's.
inline bool is_like(const brief_operand& now, const quick_form& then, index_t out_count) {
  constexpr std::uint64_t most_count = std::uint64_t(1) << 24, most_stride = std::uint64_t(1) << 31;
  const operand_facts &a = *now.facts, &b = *then.facts;
  bool same = now.kind == then.kind && a.rank == b.rank;
  for (int d = 0; same && d < b.rank; ++d) same = a.extent[d] == b.extent[d] && a.stride[d] == b.stride[d];
  const bool is_batch = ((then.kind - 1) & 2) != 0;
  return same && (!is_batch || now.count == out_count) && std::uint64_t(now.count) - 1 < most_count &&
         std::uint64_t(now.stride) < most_stride && now.data != nullptr &&
         (reinterpret_cast<std::uintptr_t>(now.data) & then.misaligned) == 0;
}

/// True if the operands of a run, inputs first, need no other check; false if all checks have to be made. `then` is
/// never without a kind here.
inline bool is_run_quick(const brief_operand* const* now, const quick_form* then, int inputs) {
  const brief_operand& out = *now[inputs];
  const quick_form& out_form = then[inputs];
  if (!out.writable || !is_like(out, out_form, out.count)) return false;
  if (out.count > 1 && out.stride < out_form.span) return false;
  const auto first = [](const brief_operand& o) { return reinterpret_cast<std::uintptr_t>(o.data); };
  const auto end = [&](const brief_operand& o, const quick_form& form) {
    return first(o) + std::uintptr_t(((o.count - 1) * o.stride + form.span) * form.entry_bytes);
  };
  const std::uintptr_t out_first = first(out), out_end = end(out, out_form);
  for (int i = 0; i < inputs; ++i) {
    if (!is_like(*now[i], then[i], out.count)) return false;
    if (first(*now[i]) < out_end && out_first < end(*now[i], then[i])) return false;
  }
  return true;
}

}  // namespace tessera::detail
