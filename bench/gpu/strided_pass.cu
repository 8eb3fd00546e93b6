// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of neighbouring threads that are a stride apart.
#include "gpu/strided_pass.hpp"
#include "measure/gpu/checked.cuh"
#include "stride_index.hpp"

namespace tessera::bench::device {

namespace {

constexpr unsigned threads_of_block = 256;

template <bool Masked>
__global__ void load_and_store(const float* __restrict__ from, float* __restrict__ to, unsigned n, unsigned stride,
                               float shift) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  const unsigned i = Masked ? masked_index(t, stride, n) : bijective_index(t, stride, n);
  to[i] = from[i] + shift;
}

}  // namespace

void strided_pass(const strided_arrays& a, unsigned stride, bool masked, float shift) {
  const unsigned blocks = (a.entries - 1) / threads_of_block + 1;
  if (masked)
    load_and_store<true><<<blocks, threads_of_block>>>(a.from, a.to, a.entries, stride, shift);
  else
    load_and_store<false><<<blocks, threads_of_block>>>(a.from, a.to, a.entries, stride, shift);
  checked(cudaGetLastError(), "launch loads and stores by a stride");
}

}  // namespace tessera::bench::device
