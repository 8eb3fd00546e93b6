// SPDX-License-Identifier: BSD-3-Clause
// Rearranges D, one thread an entry; done once for an operator.
#include <algorithm>

#include <tessera/gpu/detail/element/points.hpp>

#include "gpu/cuda_call.hpp"

namespace tessera::device {

namespace {

template <class T, class Stored>
__global__ void store(const T* from, index_t entries, index_t points, int factors, Stored* to) {
  const index_t step = index_t(gridDim.x) * blockDim.x;
  for (index_t i = blockIdx.x * index_t(blockDim.x) + threadIdx.x; i < entries; i += step) {
    const index_t k = i % points, rest = i / points, f = rest % factors, e = rest / factors;
    to[i] = Stored(from[f + factors * (k + points * e)]);
  }
}

}  // namespace

template <class T, class Stored>
void store_points(const T* from, index_t elements, index_t points, int factors, Stored* to) {
  constexpr index_t threads = 256, most_blocks = 1 << 16;
  const index_t entries = elements * points * factors;
  if (entries == 0) return;
  const auto blocks = unsigned(std::min((entries + threads - 1) / threads, most_blocks));
  store<<<blocks, unsigned(threads)>>>(from, entries, points, factors, to);
  check("store D", cudaGetLastError());
}

template void store_points(const float*, index_t, index_t, int, float*);
template void store_points(const double*, index_t, index_t, int, double*);
template void store_points(const double*, index_t, index_t, int, float*);

}  // namespace tessera::device
