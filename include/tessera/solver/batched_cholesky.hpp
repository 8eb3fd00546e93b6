// SPDX-License-Identifier: BSD-3-Clause
// Many small symmetric positive definite systems, such as block-diagonal mass matrices: factored once, solved often.
#pragma once

#include <memory>
#include <string>

#include <tessera/core/types.hpp>
#include <tessera/space.hpp>
#include <tessera/stream.hpp>

namespace tessera {

/// A_i x_i = b_i for a batch of n x n matrices, n from 1 to 128. x_i depends neither on the position of its matrix in
/// the batch nor on the number of threads, bit for bit. Immutable; copies share the factors. For conjugate gradients it
/// is block Jacobi: linear_operator<T> takes it.
template <class T>
class batched_cholesky {
 public:
  /// A: `count` matrices one after the other, column-major, n x n numbers each, of which the lower triangles are read;
  /// in memory of `space`, on a GPU ready in the stream `on`. They are factored as L D L^T, and not needed any more
  /// when this returns. Throws naming the first matrix that is not positive definite, and its pivot.
  batched_cholesky(index_t n, index_t count, const T* A, space_kind space = space_kind::cpu, stream_view on = {});

  /// b and x: n numbers a matrix, one after the other, in memory of space(). x is b, or does not overlap it. On a GPU
  /// it queues its work in `on`, without an allocation, fit for capture in a CUDA graph.
  void solve(const T* b, T* x, stream_view on = {}) const;
  /// The same, by the name that solvers use.
  void apply(const T* b, T* x, stream_view on = {}) const { solve(b, x, on); }

  /// Numbers of b and x: rows() times matrices().
  index_t size() const;
  /// n
  index_t rows() const;
  index_t matrices() const;
  space_kind space() const;
  /// "batched_cholesky f64: 1000 matrices of 27x27, 3.0 MB, 8 at a time on avx512".
  std::string describe() const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

extern template class batched_cholesky<float>;
extern template class batched_cholesky<double>;

}  // namespace tessera
