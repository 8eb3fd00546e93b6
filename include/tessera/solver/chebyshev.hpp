// SPDX-License-Identifier: BSD-3-Clause
// Chebyshev's polynomial of D^-1 A as a preconditioner or a smoother, D being the diagonal of A.
#pragma once

#include <tessera/solver/conjugate_gradient.hpp>
#include <tessera/solver/jacobi.hpp>

namespace tessera {

struct chebyshev_options {
  int degree = 4;  ///< of the polynomial; it applies A degree - 1 times
  /// It damps errors of eigenvalues of D^-1 A between these. largest = 0: 1.2 times what `estimate_iterations` of
  /// conjugate gradients find, for one fixed right-hand side. smallest = 0: the largest over `range`.
  eigenvalue_range eigenvalues{};
  double range = 20;
  int estimate_iterations = 12;
  all_reduce sums{};  ///< for the estimate
};

/// z = p(D^-1 A) D^-1 r, symmetric and positive definite where no eigenvalue is above the largest. `D`: what `jacobi`
/// gives. It has two vectors of its own, so only one application runs at a time; A must stay as long as it does.
/// Throws where A or D turns out not to be positive definite.
template <class T>
linear_operator<T> chebyshev(const linear_operator<T>& A, const linear_operator<T>& D,
                             const chebyshev_options& options = {});

extern template linear_operator<float> chebyshev(const linear_operator<float>&, const linear_operator<float>&,
                                                 const chebyshev_options&);
extern template linear_operator<double> chebyshev(const linear_operator<double>&, const linear_operator<double>&,
                                                  const chebyshev_options&);

}  // namespace tessera
