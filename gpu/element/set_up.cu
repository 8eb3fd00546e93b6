// SPDX-License-Identifier: BSD-3-Clause
// Computes D from the nodes, one thread a point; done once for an operator.
#include <algorithm>

#include <tessera/gpu/detail/element/set_up.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "gpu/cuda_call.hpp"

namespace tessera::device {

namespace {

using number = unsigned long long;  // of a point; atomicMin takes it

// In device memory.
struct findings {
  number bad = ~number(0);
  int normal = 0;  // some point's D is a normal number or zero
};

template <int dim, class T, class Stored>
__global__ void set_up(operator_kind kind, const node_set_up<T> s, Stored* to, findings* found) {
  const index_t step = index_t(gridDim.x) * blockDim.x, all = s.elements * s.points;
  for (index_t i = blockIdx.x * index_t(blockDim.x) + threadIdx.x; i < all; i += step)
    switch (set_up_point<dim>(kind, s, i / s.points, i % s.points, to)) {
      case point_fault::none:
        if constexpr (sizeof(Stored) < sizeof(T)) found->normal = 1;
        break;
      case point_fault::too_small: break;
      default: atomicMin(&found->bad, number(i));
    }
}

}  // namespace

template <class T, class Stored>
set_up_result set_up_points(operator_kind kind, int dim, const node_set_up<T>& s, Stored* to) {
  constexpr index_t threads = 128, most_blocks = 1 << 16;
  const index_t all = s.elements * s.points;
  if (all == 0) return {};
  findings found;
  const buffer counted(space_kind::gpu, sizeof found);
  copy(counted.data(), &found, sizeof found, direction::host_to_device);
  const auto blocks = unsigned(std::min((all + threads - 1) / threads, most_blocks));
  const auto there = static_cast<findings*>(counted.data());
  if (dim == 1) set_up<1><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  if (dim == 2) set_up<2><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  if (dim == 3) set_up<3><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  check("compute D", cudaGetLastError());
  stream_synchronize(nullptr);
  copy(&found, there, sizeof found, direction::device_to_host);
  return {found.bad == findings{}.bad ? -1 : index_t(found.bad), sizeof(Stored) < sizeof(T) && found.normal == 0};
}

template set_up_result set_up_points(operator_kind, int, const node_set_up<float>&, float*);
template set_up_result set_up_points(operator_kind, int, const node_set_up<double>&, double*);
template set_up_result set_up_points(operator_kind, int, const node_set_up<double>&, float*);

}  // namespace tessera::device
