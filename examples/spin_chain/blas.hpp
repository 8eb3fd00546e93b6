// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices in double by BLAS, on a CPU or a GPU.
#pragma once

#include <memory>
#include <string>

#include <tessera/space.hpp>

namespace tessera::spin_chain {

/// A matrix in column-major order, transposed where 'T', and the distance to that of the next product.
struct blas_matrix {
  double* data;
  long long leading, apart = 0;
  char as = 'N';
};

class blas {
 public:
  virtual ~blas() = default;
  /// C = A B, m x n with sums of k terms; `count` of them.
  virtual void multiply(long long m, long long n, long long k, const blas_matrix& A, const blas_matrix& B,
                        const blas_matrix& C, long long count = 1) = 0;
  virtual std::string name() const = 0;
};

/// The one that this program is linked with.
std::unique_ptr<blas> host_blas();
/// cuBLAS, opened when the program runs. Throws where that cannot be.
std::unique_ptr<blas> device_blas();

}  // namespace tessera::spin_chain
