// SPDX-License-Identifier: BSD-3-Clause
// How the matrices of packed products are stored.
#pragma once

namespace tessera {

/// The matrices of one operand: consecutive without gaps, or one matrix for all products; column-major or row-major.
enum class packed_layout : int { by_cols, by_rows, shared_by_cols, shared_by_rows };

constexpr bool is_shared(packed_layout l) {
  return l == packed_layout::shared_by_cols || l == packed_layout::shared_by_rows;
}
constexpr bool is_by_rows(packed_layout l) { return l == packed_layout::by_rows || l == packed_layout::shared_by_rows; }

/// The layouts of all three operands of a product.
struct packed_layouts {
  packed_layout left = packed_layout::by_cols, right = packed_layout::by_cols, out = packed_layout::by_cols;

  friend constexpr bool operator==(const packed_layouts&, const packed_layouts&) = default;
};

}  // namespace tessera
