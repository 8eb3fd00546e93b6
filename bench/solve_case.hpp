// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with Jacobi around an operator between L-vectors as a case: its counts and the check of a solve.
#pragma once

#include <tessera/solver/conjugate_gradient.hpp>

#include "global_case.hpp"

namespace tessera::bench {

/// Solves A z = b from z = 0 in a fixed number of iterations, b being A times the x of the operator's case.
template <class T>
class solve_case {
 public:
  /// `made` has applied its operator, and fetched y. It stays.
  solve_case(const global_case<T>& made, int iterations);

  void run() { found_ = solver_.solve_from_zero(static_cast<const T*>(b_.data()), static_cast<T*>(z_.data())); }
  /// Of the last run: as many, unless rounding is all that was left.
  int iterations() const { return found_.iterations; }
  /// Of the last run: r = b - A z has the norm that the solver reports, and is orthogonal to z, which makes them
  /// conjugate gradients. In units of |b| and of |z| |b|.
  verdict check() const;
  /// Of z and the norm of the residual that the solver reports.
  verdict check(const std::vector<T>& z, double reported) const;
  std::vector<T> solution() const;
  double residual() const { return found_.residuals.back(); }

  /// What an iteration moves: point data, the list if wanted, and 12 vectors. A reads p and writes q with the sum p.q
  /// in the same pass; r is updated from q with the diagonal; x and p are updated from r and the diagonal.
  double bytes(bool with_list) const { return data_bytes(with_list) + 12 * vector_bytes(); }
  /// The memory that it does so in: point data, the list, and 5 vectors.
  double footprint(bool with_list) const { return data_bytes(with_list) + 5 * vector_bytes(); }

 private:
  double vector_bytes() const { return double(made_.x.size_bytes()); }
  double data_bytes(bool with_list) const {
    return double(made_.D.size_bytes()) + (with_list ? double(made_.offsets.size_bytes()) : 0);
  }

  const global_case<T>& made_;
  buffer b_, z_;
  conjugate_gradient<T> solver_;
  solve_result found_;
};

/// The movements of an iteration on a CPU, between arrays of its sizes.
class iteration_movement {
 public:
  /// `D`: point data, and the list if it counts.
  iteration_movement(std::span<const std::byte> D, std::size_t vector_bytes);
  void run(bool streaming, int threads) const;
  double bytes() const { return 8.0 * double(data_ + 12 * vector_); }

 private:
  const double* D_;
  std::size_t data_, vector_;  // doubles
  buffer vectors_;             // x, p, q, the diagonal, r
};

extern template class solve_case<float>;
extern template class solve_case<double>;

}  // namespace tessera::bench
