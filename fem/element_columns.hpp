// SPDX-License-Identifier: BSD-3-Clause
// Matrices and diagonals of element operators that have no kernel for them, in memory of the operator's side.
#pragma once

#include <tessera/fem/element_operator.hpp>

namespace tessera::fem::detail {

/// Throws naming the operation where the operator is of a user's function that is not linear: it has no matrices.
template <class T>
void check_linear(const char* operation, const element_operator<T>& of, index_t first, index_t count);

/// The matrices of elements [first, first + count), one behind the other. Nothing is written where memory is short.
template <class T>
void assemble_columns(const element_operator<T>& of, index_t first, index_t count, T* M, matrix_storage how);

/// The diagonals of all elements.
template <class T>
void diagonal_of_columns(const element_operator<T>& of, T* diagonal);

}  // namespace tessera::fem::detail
