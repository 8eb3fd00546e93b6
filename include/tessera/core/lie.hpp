// SPDX-License-Identifier: BSD-3-Clause
// How the matrices of packed products lie in memory.
#pragma once

namespace tessera {

/// The matrices of one operand: one behind the other without gaps, or one for all products; by columns or by rows.
enum class lie : int { by_cols, by_rows, shared_by_cols, shared_by_rows };

constexpr bool is_shared(lie l) { return l == lie::shared_by_cols || l == lie::shared_by_rows; }
constexpr bool is_by_rows(lie l) { return l == lie::by_rows || l == lie::shared_by_rows; }

/// Of all three operands of a product.
struct packed_lies {
  lie left = lie::by_cols, right = lie::by_cols, out = lie::by_cols;

  friend constexpr bool operator==(const packed_lies&, const packed_lies&) = default;
};

}  // namespace tessera
