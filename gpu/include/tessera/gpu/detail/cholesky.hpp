// SPDX-License-Identifier: BSD-3-Clause
// Batches of symmetric positive definite matrices in device memory: factored as L D L^T and solved.
#pragma once

#include <tessera/detail/solver/cholesky.hpp>

namespace tessera::device {

/// From one matrix's numbers to the next one's: row after row of the lower triangle, entry (i, j) at i (i + 1) / 2 + j,
/// with 1 / D on the diagonal, in whole pieces of 16 bytes.
template <class T>
constexpr index_t cholesky_stride(index_t n) {
  constexpr index_t piece = 16 / index_t(sizeof(T));
  return (tessera::detail::cholesky_numbers(n) + piece - 1) / piece * piece;
}

/// Of A, n x n numbers a matrix, it reads the lower triangles. Waits for the stream.
template <class T>
tessera::detail::cholesky_failure factor_cholesky(int n, index_t count, const T* A, T* L, void* stream);
/// Queues A x = b in the stream. x may be b.
template <class T>
void solve_cholesky(int n, index_t count, const T* L, const T* b, T* x, void* stream);

}  // namespace tessera::device
