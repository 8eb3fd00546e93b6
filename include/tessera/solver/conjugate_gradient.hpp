// SPDX-License-Identifier: BSD-3-Clause
// conjugate_gradient: solves A x = b with a preconditioner, on a CPU or, as a CUDA graph, on a GPU.
#pragma once

#include <functional>
#include <memory>

#include <tessera/solver/linear_operator.hpp>
#include <tessera/solver/solve_result.hpp>

namespace tessera {

/// Completes inner products where a vector is distributed over processes: sums[0..count), which the solver has formed
/// over this process's numbers, become those over all, the same bits in each process. Called once or twice an
/// iteration.
struct all_reduce {
  std::function<void(double* sums, int count)> on_host{};
  /// For a GPU: sums are in its memory, and the work is queued in `on`, as NCCL's is.
  std::function<void(double* sums, int count, stream_view on)> on_stream{};
};

struct conjugate_gradient_options {
  /// Ends where the 2-norm of the residual is at most the larger of `relative` times the norm of b, and `absolute`.
  double relative = 1e-8, absolute = 0;
  int max_iterations = 1000;
  /// For preconditioners that differ from iteration to iteration: beta = z.(r - r_before) / z_before.r_before.
  bool flexible = false;
  all_reduce sums{};
  /// On a GPU each iteration but the first is the launch of a CUDA graph: operators are called once more, while it is
  /// captured, and must only queue work. false: they are called in each iteration, as they are with `sums.on_host`.
  bool graph = true;
  /// Called after each iteration with its number and the norm of the residual; on a GPU up to 3 iterations later, where
  /// the host learns of them.
  std::function<void(int iteration, double residual)> progress{};
};

/// Solves A x = b for a symmetric, positive definite A. Sums go by fixed blocks of numbers: results and residuals are
/// the same bits for any number of threads, and from run to run on a GPU, if the operators' are.
/// It owns its vectors, so that one object solves for many b, one after the other.
template <class T>
class conjugate_gradient {
 public:
  /// Throws where sizes or spaces disagree, and where options cannot be.
  explicit conjugate_gradient(linear_operator<T> A, linear_operator<T> M = {},
                              const conjugate_gradient_options& options = {});
  ~conjugate_gradient();
  conjugate_gradient(conjugate_gradient&&) noexcept;
  conjugate_gradient& operator=(conjugate_gradient&&) noexcept;

  /// b and x are in the operators' space and do not overlap; x is the first guess, then the solution. On a GPU b and x
  /// are ready in `on`, operators are called in a stream of the solver's, and the call returns when x is ready. Whether
  /// it converged is in the result; mistakes throw.
  solve_result solve(const T* b, T* x, stream_view on = {});
  /// The same from x = 0, whatever x holds: one application of A less.
  solve_result solve_from_zero(const T* b, T* x, stream_view on = {});

  index_t size() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class conjugate_gradient<float>;
extern template class conjugate_gradient<double>;

}  // namespace tessera
