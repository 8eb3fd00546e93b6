// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's preconditioner: the inverse of a diagonal.
#pragma once

#include <tessera/solver/linear_operator.hpp>

namespace tessera {

/// z = r / d, d being the `size` numbers of a diagonal in host memory, or in a GPU's; they are copied. Throws naming
/// the first one that is not positive and finite, or has no inverse.
template <class T>
linear_operator<T> jacobi(index_t size, const T* diagonal, space_kind space = space_kind::cpu);

/// The same of an operator that gives its diagonal, such as fem::global_operator.
template <class T, template <class> class Operator>
  requires requires(const Operator<T>& A, T* d) {
    A.size();
    A.diagonal(d);
  }
linear_operator<T> jacobi(const Operator<T>& A) {
  space_kind space = space_kind::cpu;
  if constexpr (requires { A.space(); }) space = A.space();
  const buffer diagonal(space, std::size_t(A.size()) * sizeof(T));
  A.diagonal(static_cast<T*>(diagonal.data()));
  return jacobi<T>(A.size(), static_cast<const T*>(diagonal.data()), space);
}

extern template linear_operator<float> jacobi(index_t, const float*, space_kind);
extern template linear_operator<double> jacobi(index_t, const double*, space_kind);

}  // namespace tessera
