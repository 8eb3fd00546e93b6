// SPDX-License-Identifier: BSD-3-Clause
// conjugate_gradient: solves A x = b with a preconditioner, on a CPU or, as a CUDA graph, on a GPU.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <tessera/solver/linear_operator.hpp>
#include <tessera/solver/solve_result.hpp>

namespace tessera {

/// Completes inner products where a vector is distributed over processes: sums[0..count), which the solver has formed
/// over this process's numbers, become those over all, the same bits in each process. Called two or three times
/// an iteration. With several systems all sums of the first come first, then those of the next: count is a multiple of
/// their number, and sums of a system that has stopped are not used.
struct all_reduce {
  std::function<void(double* sums, int count)> on_host{};
  /// For a GPU: sums are in its memory, and the work is queued in `on`, as NCCL's is.
  std::function<void(double* sums, int count, stream_view on)> on_stream{};
};

/// What is compared with the tolerances, for the residual r = b - A x and the preconditioner M.
enum class residual_norm {
  euclidean,      ///< sqrt(r.r), with `relative` times the norm of b
  preconditioned  ///< sqrt(r.Mr), with `relative` times that of the first residual: from x = 0 it is b
};

struct conjugate_gradient_options {
  /// Ends where the norm of the residual is at most the larger of `relative` times that at the start, and `absolute`.
  double relative = 1e-8, absolute = 0;
  residual_norm norm = residual_norm::euclidean;
  int max_iterations = 1000;
  /// For preconditioners that differ from iteration to iteration: beta = z.(r - r_before) / z_before.r_before.
  bool flexible = false;
  /// So many systems at once, 1 to 8: a vector is `systems` vectors of size() / systems numbers, one after the other. A
  /// and M take all of them, and do not mix them. Each system has step lengths, a limit and an end of its own: it is
  /// solved as if alone, and its x stays as it is when others go on. A.apply is called, not
  /// A.apply_with_dot.
  int systems = 1;
  all_reduce sums{};
  /// On a GPU each iteration but the first is the launch of a CUDA graph: operators are called once more, while it is
  /// captured, and must only queue work. false: they are called in each iteration, as they are with `sums.on_host`.
  bool graph = true;
  /// Called after each iteration with its number and the norm of the residual, the largest one of the systems that took
  /// this iteration; on a GPU up to 3 iterations later, where the host learns of them.
  std::function<void(int iteration, double residual)> progress{};
};

/// Solves A x = b for a symmetric, positive definite A. Sums go by fixed blocks of numbers: results and residuals are
/// the same bits for any number of threads, and from run to run on a GPU, if the operators' are.
/// It owns its vectors, so that one object solves for many b, one after the other.
template <class T>
class conjugate_gradient {
 public:
  /// Throws where sizes or spaces disagree, for tolerances that are negative or no numbers, a negative limit, and a
  /// number of systems that is not 1 to 8 or does not divide the size.
  explicit conjugate_gradient(linear_operator<T> A, linear_operator<T> M = {},
                              const conjugate_gradient_options& options = {});
  ~conjugate_gradient();
  conjugate_gradient(conjugate_gradient&&) noexcept;
  conjugate_gradient& operator=(conjugate_gradient&&) noexcept;

  /// b and x are in the operators' space and do not overlap; x is the first guess, then the solution. On a GPU b and x
  /// are ready in `on`, operators are called in a stream of the solver's, and the call returns when x is ready. Whether
  /// it converged is in the result; mistakes throw, and several systems, for which there is solve_each.
  solve_result solve(const T* b, T* x, stream_view on = {});
  /// The same from x = 0, whatever x holds: one application of A less.
  solve_result solve_from_zero(const T* b, T* x, stream_view on = {});
  /// The same for any number of systems: a result for each.
  std::vector<solve_result> solve_each(const T* b, T* x, stream_view on = {});
  std::vector<solve_result> solve_each_from_zero(const T* b, T* x, stream_view on = {});

  /// Of all systems together.
  index_t size() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

extern template class conjugate_gradient<float>;
extern template class conjugate_gradient<double>;

}  // namespace tessera
