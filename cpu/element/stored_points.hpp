// SPDX-License-Identifier: BSD-3-Clause
// D in memory, block by block, in the operator's type or in float.
#pragma once

#include <string>

#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/detail/size_check.hpp>
#include <tessera/memory.hpp>
#include <tessera/scalar.hpp>

#include "block_source.hpp"
#include "src/element/narrowing_check.hpp"
#include "src/element/operator_sizes.hpp"

namespace tessera::detail {

/// Entry i of element e is at [e mod lanes + lanes (i + entries (e div lanes))].
template <class T, class Stored>
class stored_points : public block_source<T> {
 public:
  stored_points(const operator_sizes& s, const element_kernels<T>& kernels, index_t elements)
      : elements_(elements),
        lanes_(kernels.lanes),
        entries_(s.entries()),
        factors_(s.factors),
        kernels_(&kernels),
        memory_(space_kind::cpu, std::size_t(entries_in_all(s, lanes_, elements)) * sizeof(Stored)) {}

  const T* block(const lane_elements& lanes, T* scratch) const override {
    if (lanes.block >= 0) return whole_block(lanes.block, scratch);
    for (index_t w = 0; w < lanes_; ++w) {
      const Stored* from = data() + start_of(lanes.element[w]);
      for (index_t i = 0; i < entries_; ++i) scratch[w + lanes_ * i] = T(from[lanes_ * i]);
    }
    return scratch;
  }
  index_t scratch() const override { return entries_ * lanes_; }
  const char* memory_of(index_t b) const override {
    return reinterpret_cast<const char*>(data() + b * entries_ * lanes_);
  }
  index_t memory_bytes() const override { return entries_ * lanes_ * index_t(sizeof(Stored)); }

  void set(index_t first, index_t count, const T* values) override {
    check_narrowing<Stored>(values, first, count, entries_ / factors_, factors_);
    for (index_t e = 0; e < count; ++e) {
      Stored* to = data() + start_of(first + e);
      for (index_t i = 0; i < entries_; ++i) to[lanes_ * i] = Stored(values[i + entries_ * e]);
    }
  }
  void get(index_t first, index_t count, T* values) const override {
    for (index_t e = 0; e < count; ++e) {
      const Stored* from = data() + start_of(first + e);
      for (index_t i = 0; i < entries_; ++i) values[i + entries_ * e] = T(from[lanes_ * i]);
    }
  }
  /// From the D of a block in lanes.
  void set_block(index_t b, const T* values) {
    Stored* to = data() + b * entries_ * lanes_;
    for (index_t i = 0; i < entries_ * lanes_; ++i) to[i] = Stored(values[i]);
  }

  index_t elements() const override { return elements_; }
  index_t lanes() const override { return lanes_; }
  index_t block_entries() const override { return entries_; }
  std::size_t bytes() const override { return memory_.bytes(); }
  std::string describe() const override { return std::string("stored, ") + name_of(scalar_of<Stored>); }

 private:
  static index_t entries_in_all(const operator_sizes& s, index_t lanes, index_t elements) {
    const index_t blocks = elements / lanes + (elements % lanes != 0 ? 1 : 0);
    return checked_product("element data: " + s.name + ", D of " + std::to_string(elements) + " elements",
                           {blocks, lanes, s.points(), s.factors}, sizeof(Stored));
  }
  Stored* data() const { return static_cast<Stored*>(memory_.data()); }
  index_t start_of(index_t e) const { return e % lanes_ + e / lanes_ * entries_ * lanes_; }
  const T* whole_block(index_t b, T* scratch) const {
    const Stored* from = data() + b * entries_ * lanes_;
    if constexpr (std::is_same_v<T, Stored>) {
      return from;
    } else {
      kernels_->widen(from, entries_, scratch);
      return scratch;
    }
  }

  index_t elements_, lanes_, entries_;
  int factors_;
  const element_kernels<T>* kernels_;
  buffer memory_;
};

}  // namespace tessera::detail
