// SPDX-License-Identifier: BSD-3-Clause
// How the matrices of elements are stored, one after the other.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

enum class matrix_storage {
  full,         ///< M(i,j) at i + rows j
  lower_packed  ///< of n x n symmetric ones the lower triangle by columns: M(i,j), i >= j, at i + j (2 n - j - 1) / 2
};

/// Entries of a matrix.
constexpr index_t matrix_entries(index_t rows, index_t columns, matrix_storage how) {
  return how == matrix_storage::full ? rows * columns : rows * (rows + 1) / 2;
}
/// The offset of M(i,j); i >= j where it is packed.
constexpr index_t matrix_place(index_t i, index_t j, index_t rows, matrix_storage how) {
  return how == matrix_storage::full ? i + rows * j : i + j * (2 * rows - j - 1) / 2;
}

}  // namespace tessera
