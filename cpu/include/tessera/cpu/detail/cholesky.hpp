// SPDX-License-Identifier: BSD-3-Clause
// Batches of symmetric positive definite matrices in host memory: factored as L D L^T and solved, a matrix a SIMD lane.
#pragma once

#include <vector>

#include <tessera/detail/solver/cholesky.hpp>
#include <tessera/target.hpp>

namespace tessera::detail {

/// Blocks of `lanes` matrices, [first, last) of them; number k of all matrices of a block is at [lanes k]. The last
/// block may have fewer matrices.
template <class T>
struct cholesky_kernels {
  target isa;
  int lanes;
  /// Of A, n x n numbers a matrix, it reads the lower triangles. Stops after the first block with a failure.
  cholesky_failure (*factor)(int n, index_t count, const T* A, T* L, index_t first, index_t last);
  void (*solve)(int n, index_t count, const T* L, const T* b, T* x, index_t first, index_t last);

  index_t blocks(index_t count) const { return (count + lanes - 1) / lanes; }
};

/// Of this build, narrow instruction sets first.
template <class T>
std::vector<const cholesky_kernels<T>*> compiled_cholesky_kernels();
template <>
std::vector<const cholesky_kernels<float>*> compiled_cholesky_kernels();
template <>
std::vector<const cholesky_kernels<double>*> compiled_cholesky_kernels();

/// Those of the target that plans use; where that is the reference, the narrowest ones.
template <class T>
const cholesky_kernels<T>& chosen_cholesky_kernels();

/// All blocks, on all threads.
template <class T>
cholesky_failure factor_cholesky(const cholesky_kernels<T>& by, int n, index_t count, const T* A, T* L);
/// x may be b.
template <class T>
void solve_cholesky(const cholesky_kernels<T>& by, int n, index_t count, const T* L, const T* b, T* x);

}  // namespace tessera::detail
