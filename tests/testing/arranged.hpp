// SPDX-License-Identifier: BSD-3-Clause
// An operand of run-time rank in memory of its own: dimensions in any order, gaps between them, a canary in every gap.
#pragma once

#include <algorithm>
#include <vector>

#include <tessera/operand.hpp>

#include "core/table1_rows.hpp"

namespace tessera::testing {

/// How an operand lies in memory.
struct arrangement {
  int order = 0;          // which permutation of the dimensions, 0: first index fastest
  index_t gap = 0;        // added to the extent of every dimension before the next one starts
  index_t start = 0;      // entries in front of the first one: a misaligned view where odd
  index_t lanes = 1;      // interleaving width
  bool table = false;     // described by a table of offsets in place of strides
  unsigned reversed = 0;  // bit d: dimension d backwards in memory; not of tables
  unsigned repeated = 0;  // bit d: dimension d of stride 0; of inputs only
};

template <class T>
class arranged {
 public:
  static constexpr T canary = T(-12345);

  /// count < 0: one tensor, shared by the batch.
  arranged(const table1::tensor_shape& sizes, index_t count, const arrangement& how)
      : sizes_(sizes), start_(how.start) {
    const auto has = [](unsigned bits, int d) { return (bits >> d & 1) != 0; };
    o_.type = scalar_of<T>;
    o_.entry_bytes = sizeof(T);
    o_.facts.rank = sizes.rank;
    o_.batched = count >= 0;
    o_.count = count >= 0 ? count : 1;
    o_.lanes = o_.batched ? how.lanes : 1;

    std::vector<int> order;
    for (int d = 0; d < sizes.rank; ++d) order.push_back(d);
    for (int i = 0; i < how.order && std::next_permutation(order.begin(), order.end()); ++i) {
    }
    index_t stride = o_.lanes;
    o_.span = 1;
    for (int d : order) {
      o_.facts.extent[d] = sizes.extent[d];
      if (has(how.repeated, d)) continue;
      o_.facts.stride[d] = stride;
      if (has(how.reversed, d) && !how.table && sizes.size() > 0) {
        o_.facts.stride[d] = -stride;
        start_ += (sizes.extent[d] - 1) * stride;
      }
      o_.span += (sizes.extent[d] - 1) * stride;
      stride *= sizes.extent[d] + how.gap;
    }
    if (sizes.size() == 0) o_.span = 0;
    const index_t block = stride + how.gap * o_.lanes;
    if (o_.batched) o_.stride = block;
    if (how.table) {
      std::vector<index_t> offsets;
      for (index_t i = 0; i < sizes.size(); ++i) offsets.push_back(o_.offset(i, 0));
      o_.offsets = std::make_shared<const std::vector<index_t>>(std::move(offsets));
      o_.facts.affine = false;
      for (int d = 0; d < sizes.rank; ++d) o_.facts.stride[d] = 0;
    }
    memory_.assign(std::size_t(start_ + o_.lanes + block * (o_.count / o_.lanes + 2)), canary);
    o_.data = memory_.data() + start_;
  }
  arranged(const arranged&) = delete;

  const operand& get() const { return o_; }
  /// All of the memory, gaps included; entry (0, 0, ...) is `start()` entries into it.
  std::vector<T>& memory() { return memory_; }
  index_t start() const { return start_; }
  T& at(index_t linear, index_t b) { return memory_[std::size_t(start_ + o_.offset(linear, b))]; }
  /// Entries that belong to nobody and still hold the canary; plus the operand's own ones this is all of the memory.
  bool gaps_untouched() const {
    return std::count(memory_.begin(), memory_.end(), canary) + sizes_.size() * o_.count >= index_t(memory_.size());
  }

 private:
  table1::tensor_shape sizes_;
  index_t start_;
  operand o_;
  std::vector<T> memory_;
};

}  // namespace tessera::testing
