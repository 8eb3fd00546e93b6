// SPDX-License-Identifier: BSD-3-Clause
// Matrices and diagonals of element operators without a kernel for them, in the operator's memory space.
#pragma once

#include <tessera/fem/element_operator.hpp>

namespace tessera::fem::detail {

/// Throws naming the operation if the operator has a user's function that is not linear, and therefore no matrices.
template <class T>
void check_linear(const char* operation, const element_operator<T>& of, index_t first, index_t count);

/// The matrices of elements [first, first + count), consecutive. Nothing is written if memory is short.
template <class T>
void assemble_columns(const element_operator<T>& of, index_t first, index_t count, T* M, matrix_storage how);

/// The diagonals of all elements.
template <class T>
void diagonal_of_columns(const element_operator<T>& of, T* diagonal);

}  // namespace tessera::fem::detail
