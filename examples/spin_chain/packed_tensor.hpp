// SPDX-License-Identifier: BSD-3-Clause
// packed_tensor: a tensor of doubles in the memory of a CPU or a GPU, which is chosen when the program runs.
#pragma once

#include <tessera/memory.hpp>
#include <tessera/operand.hpp>

#include <initializer_list>
#include <span>
#include <vector>

namespace tessera::spin_chain {

/// Doubles from `data` on, packed, the first index nearest in memory.
operand packed_operand(space_kind where, double* data, std::span<const index_t> extents);
inline operand packed_operand(space_kind where, double* data, std::initializer_list<index_t> extents) {
  return packed_operand(where, data, std::span(extents.begin(), extents.size()));
}

/// `count` of them, one behind the other.
operand packed_operands(space_kind where, double* data, std::initializer_list<index_t> extents, index_t count);

/// Zeros at first. Moved from, it is empty.
class packed_tensor {
 public:
  packed_tensor() = default;
  packed_tensor(space_kind where, std::vector<index_t> extents);
  /// With these numbers, as many as the extents say.
  packed_tensor(space_kind where, std::vector<index_t> extents, const std::vector<double>& numbers);

  const std::vector<index_t>& extents() const { return extents_; }
  index_t size() const { return size_; }
  space_kind where() const { return memory_.space(); }
  double* data() const { return static_cast<double*>(memory_.data()); }

  operand all() const { return packed_operand(where(), data(), extents_); }
  /// The part with the last index i.
  operand last(index_t i) const;

  /// From and to the host, the first numbers.size() numbers from `first` on.
  void set(std::span<const double> numbers, index_t first = 0);
  void get(std::span<double> numbers, index_t first = 0) const;
  std::vector<double> numbers() const;

 private:
  std::vector<index_t> extents_;
  index_t size_ = 0;
  buffer memory_;
};

}  // namespace tessera::spin_chain
