// SPDX-License-Identifier: BSD-3-Clause
// Tables of a direction in the form that CPU kernels take.
#pragma once

#include <vector>

#include <tessera/core/types.hpp>
#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/memory.hpp>

namespace tessera::detail {

/// A table with its entries: whole, and in halves where it mirrors itself.
template <class T>
class owned_table {
 public:
  owned_table() = default;
  /// From (m,n) column-major; `sign` is +1 or -1, how it would mirror itself.
  owned_table(const std::vector<double>& entries, index_t m, index_t n, int sign);

  bool mirrored() const { return mirrored_; }
  /// For a kernel of any sizes or of just these, with `width` copies of each entry. It refers to memory of this object.
  line_table<T> lay_out(bool any_sizes, int width);

 private:
  index_t m_ = 0, n_ = 0;
  bool mirrored_ = false;
  std::vector<double> entries_;  // (m,n)
  buffer memory_;
};

}  // namespace tessera::detail
