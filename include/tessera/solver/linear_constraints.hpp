// SPDX-License-Identifier: BSD-3-Clause
// linear_constraints: numbers of an L-vector that others give, such as those of hanging nodes, around any operator.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include <tessera/core/types.hpp>
#include <tessera/solver/linear_operator.hpp>

namespace tessera {

/// x[number] = value + the sum of weights[j] x[others[j]]. Without others: a given value.
struct linear_constraint {
  index_t number = 0;
  std::span<const index_t> others{};
  std::span<const double> weights{};
  double value = 0;
};

/// x = C x + g for vectors in host memory; C leaves free numbers as they are. Immutable; copies share their lists.
class linear_constraints {
 public:
  /// Others may be constrained themselves. Throws where a number is out of range, constrained twice or given by itself,
  /// and for weights and values that are not finite; the number is named.
  linear_constraints(index_t size, std::span<const linear_constraint> of);

  index_t size() const;
  /// The constrained numbers, ascending.
  std::span<const index_t> numbers() const;
  /// "12 of 45 numbers constrained, by 3 others at most".
  std::string describe() const;

  // Vectors are in host memory.
  /// x = C x + g: what a solution is completed by. Free numbers stay, constrained ones are not read.
  template <class T>
  void distribute(T* x) const;
  /// x = C x, likewise.
  template <class T>
  void extend(T* x) const;
  /// y = C^T y: what constrained numbers have goes to the others, and is 0 then.
  template <class T>
  void collect(T* y) const;
  /// The diagonal d of A becomes that of C^T A C as far as it follows from d, and 1 at constrained numbers: for Jacobi.
  template <class T>
  void collect_diagonal(T* d) const;

 private:
  struct lists;
  std::shared_ptr<const lists> lists_;
};

/// C^T A C, and the identity at constrained numbers: symmetric and positive definite if A is. A has no constrained
/// numbers of its own: given values are constraints, too. It keeps a vector, so applications follow one another; copies
/// share it.
template <class T>
linear_operator<T> constrained_operator(const linear_operator<T>& A, const linear_constraints& by);

/// b = C^T (b - A g), and 0 at constrained numbers: the right-hand side of constrained_operator(A, by), whose solution
/// distribute() completes.
template <class T>
void condense(const linear_operator<std::type_identity_t<T>>& A, const linear_constraints& by, T* b);

}  // namespace tessera
