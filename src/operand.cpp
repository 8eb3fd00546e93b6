// SPDX-License-Identifier: BSD-3-Clause
// Operands without static types: addresses and text.
#include <tessera/operand.hpp>

#include <algorithm>

namespace tessera {

index_t operand::offset(index_t linear, index_t b) const {
  const index_t start = batched && !grouped ? batch_start(b, stride, lanes) : 0;
  if (offsets) return start + (*offsets)[std::size_t(linear)];
  index_t sum = start;
  for (int d = 0; d < facts.rank; ++d) {
    sum += linear % facts.extent[d] * facts.stride[d];
    linear /= facts.extent[d];
  }
  return sum;
}

index_t operand::reach() const {
  if (span == 0 || count == 0) return 0;
  if (!batched) return span;
  if (grouped) return count * span;
  return detail::reach_of_batch(count, lanes, stride, span);
}

namespace detail {

bool fits_63_bits(const operand& o) {
  if (o.count < 0 || o.stride < 0 || o.lanes < 1) return false;
  const index_t blocks = o.lanes == 1 ? o.count : (o.count - 1) / o.lanes + 1;
  index_t reach = 0, entries = 0;
  return !__builtin_mul_overflow(blocks, o.grouped ? std::max(o.span, index_t(sizeof(void*))) : o.stride, &reach) &&
         !__builtin_add_overflow(reach, o.span, &reach) && !__builtin_add_overflow(reach, o.lanes, &reach) &&
         !__builtin_mul_overflow(reach, index_t(o.entry_bytes), &reach) &&
         !__builtin_mul_overflow(o.entries(), index_t(o.entry_bytes), &entries) &&
         !__builtin_mul_overflow(entries, o.lanes, &entries) && !__builtin_mul_overflow(entries, blocks, &entries);
}

std::string misfit_text(const operand& o) {
  return std::string(o.grouped ? "a group of " : "a batch of ") + std::to_string(o.count) + " with stride " +
         std::to_string(o.stride) + ", lanes " + std::to_string(o.lanes) +
         ": negative, or more than 63 bits can address";
}

void check_sizes(const char* operation, const operand& o) {
  if (o.facts.rank < 0 || o.facts.rank > max_rank)
    throw error(std::string(operation) + ": rank " + std::to_string(o.facts.rank) + ", not in 0.." +
                std::to_string(max_rank));
  check_extents(operation, o.facts.extent, o.facts.rank);
  if (o.facts.affine) check_strides(operation, o.facts.extent, o.facts.stride, o.facts.rank);
  check_reach(operation, o);
}

void check_reach(const char* operation, const operand& o) {
  if (!fits_63_bits(o))
    throw error(std::string(operation) + ": tensors of extents " + text_of(o.facts.extent, o.facts.rank) + " are " +
                    misfit_text(o),
                status::overflow);
}

}  // namespace detail

std::string known_product_names() {
  std::string text;
  for (const known_product& known : known_products) text += (text.empty() ? "" : ", ") + std::string(known.name);
  return text;
}

std::string text_of(const operand& o) {
  std::string text = o.type ? name_of(*o.type) : std::to_string(o.entry_bytes) + "-byte";
  text += " " + text_of(o.facts.extent, o.facts.rank) + (o.conjugated ? " conjugated (" : " (");
  if (o.batched) text += (o.grouped ? "group of " : "batch of ") + std::to_string(o.count) + ", ";
  return text + name_of(o.space) + ")";
}

operand slice(const operand& o, index_t first, index_t count) {
  if (!o.batched) return o;
  operand part = o;
  part.count = count;
  if (o.grouped) {
    part.members = static_cast<const char*>(o.members) + first * index_t(sizeof(void*));
    part.first_member = o.first_member + first;
  } else {
    part.data = static_cast<const char*>(o.data) + batch_start(first, o.stride, o.lanes) * index_t(o.entry_bytes);
  }
  return part;
}

}  // namespace tessera
