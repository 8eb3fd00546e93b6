// SPDX-License-Identifier: BSD-3-Clause
// Operands with their types taken off: addresses and text.
#include <tessera/operand.hpp>

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
  if (lanes == 1) return (count - 1) * stride + span;
  const index_t last_block = (count - 1) / lanes, last_lane = (last_block > 0 ? lanes : count) - 1;
  return last_block * stride + last_lane + span;
}

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

}  // namespace tessera
