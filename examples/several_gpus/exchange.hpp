// SPDX-License-Identifier: BSD-3-Clause
// Three ways to bring the layer of nodes between two slabs from GPU to GPU.
#pragma once

#include <tessera/fem/distributed_operator.hpp>
#include <tessera/solver/conjugate_gradient.hpp>

#include <memory>

#include "processes.hpp"
#include "slab.hpp"

namespace tessera::examples {

enum class way {
  nccl,    // from GPU to GPU, in a stream of its own; sums by NCCL, too
  staged,  // through memory of the host, which waits for it
  none     // nothing is exchanged: wrong results, in the time that computing takes
};

/// Halos and sums of a process.
class gpu_exchange {
 public:
  gpu_exchange(const slab& part, shared_host& host);
  ~gpu_exchange();
  gpu_exchange(const gpu_exchange&) = delete;

  /// From now on: NCCL at first. A graph goes on as it was captured.
  void use(way by);
  fem::halo_exchange<double> halos() const;
  all_reduce sums() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tessera::examples
