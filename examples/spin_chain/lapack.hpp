// SPDX-License-Identifier: BSD-3-Clause
// Singular values, orthogonal factors and eigenvalues by LAPACK.
#pragma once

#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::spin_chain {

/// The `kept` largest singular values of a matrix (rows x columns, column-major): U, rows x kept, and V^T, kept x
/// columns. Discarded: the sum of the squares of the others over that of all.
struct svd_result {
  std::vector<double> U, values, VT;
  index_t kept = 0;
  double discarded = 0;
};

/// LAPACK's dgesdd, and dgesvd where that does not converge; or at once the latter.
enum class svd_routine { gesdd, gesvd };

/// Of at most `most` values. Throws naming the sizes where the matrix has entries that are not finite, or where neither
/// routine converges.
svd_result truncated_svd(const std::vector<double>& matrix, index_t rows, index_t columns, index_t most,
                         svd_routine first = svd_routine::gesdd);

/// A matrix, rows x columns, as Q R: Q, rows x kept, has orthonormal columns, and R, kept x columns, nothing below its
/// diagonal; kept is the smaller of rows and columns.
struct qr_result {
  std::vector<double> Q, R;
  index_t kept = 0;
};
qr_result orthogonal_factor(std::vector<double> matrix, index_t rows, index_t columns);

/// The lowest eigenvalue of a symmetric tridiagonal matrix, and its eigenvector. `beside` has one entry less.
struct lowest_pair {
  double value = 0;
  std::vector<double> vector;
};
lowest_pair lowest_of_tridiagonal(std::vector<double> diagonal, std::vector<double> beside);

}  // namespace tessera::spin_chain
