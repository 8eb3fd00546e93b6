// SPDX-License-Identifier: BSD-3-Clause
// Computes D from the nodes, one thread a point; done once for an operator.
#include <algorithm>

#include <tessera/gpu/element/set_up.hpp>
#include <tessera/gpu/runtime.hpp>
#include <tessera/memory.hpp>

#include "cuda_call.hpp"

namespace tessera::device {

namespace {

using number = unsigned long long;  // of a point; atomicMin takes it

template <int dim, class T, class Stored>
__global__ void set_up(operator_kind kind, const node_set_up<T> s, Stored* to, number* bad) {
  const index_t step = index_t(gridDim.x) * blockDim.x, all = s.elements * s.points;
  for (index_t i = blockIdx.x * index_t(blockDim.x) + threadIdx.x; i < all; i += step)
    if (!(set_up_point<dim>(kind, s, i / s.points, i % s.points, to) > T(0))) atomicMin(bad, number(i));
}

}  // namespace

template <class T, class Stored>
index_t set_up_points(operator_kind kind, int dim, const node_set_up<T>& s, Stored* to) {
  constexpr index_t threads = 128, most_blocks = 1 << 16;
  const index_t all = s.elements * s.points;
  if (all == 0) return -1;
  const buffer counted(space_kind::gpu, sizeof(number));
  number bad = ~number(0);
  copy(counted.data(), &bad, sizeof bad, direction::host_to_device);
  const auto blocks = unsigned(std::min((all + threads - 1) / threads, most_blocks));
  const auto there = static_cast<number*>(counted.data());
  if (dim == 1) set_up<1><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  if (dim == 2) set_up<2><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  if (dim == 3) set_up<3><<<blocks, unsigned(threads)>>>(kind, s, to, there);
  check("compute D", cudaGetLastError());
  stream_synchronize(nullptr);
  copy(&bad, there, sizeof bad, direction::device_to_host);
  return bad == ~number(0) ? -1 : index_t(bad);
}

template index_t set_up_points(operator_kind, int, const node_set_up<float>&, float*);
template index_t set_up_points(operator_kind, int, const node_set_up<double>&, double*);
template index_t set_up_points(operator_kind, int, const node_set_up<double>&, float*);

}  // namespace tessera::device
