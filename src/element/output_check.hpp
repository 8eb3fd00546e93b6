// SPDX-License-Identifier: BSD-3-Clause
// Where results may go: what applications, matrices and diagonals ask of their memory.
#pragma once

#include "point_source.hpp"

namespace tessera::detail {

/// Throws where `at` is no multiple of an entry's bytes: kernels store whole vectors of entries.
template <class T>
void check_aligned(const char* what, const T* at);

/// Throws where an entry, of a vector that begins at `at`, is in memory that D is computed from.
template <class T>
void check_apart(const char* what, const vector_entries& entries, const T* at, const point_source<T>& D);

}  // namespace tessera::detail
