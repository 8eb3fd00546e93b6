// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on a GPU: the host queues iterations a few ahead, and learns later that they have stopped.
#pragma once

#include <memory>

#include <tessera/solver/conjugate_gradient.hpp>

namespace tessera::detail {

template <class T>
class device_cg {
 public:
  device_cg(const linear_operator<T>& A, const linear_operator<T>& M, const conjugate_gradient_options& options);
  ~device_cg();

  /// A result for each system.
  std::vector<solve_result> solve(const T* b, T* x, bool from_zero, stream_view on);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::detail
