// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of neighbouring threads that are a stride apart.
#include "gpu/strided_pass.hpp"

#include <bit>

#include "measure/gpu/checked.cuh"
#include "stride_index.hpp"

namespace tessera::bench::device {

namespace {

constexpr unsigned threads_of_block = 256;

template <bool Masked>
__global__ void load_and_store(const float* __restrict__ from, float* __restrict__ to, int log_n, int log_stride,
                               float shift) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >> log_n) return;
  const unsigned i = Masked ? masked_index(t, log_stride, log_n) : bijective_index(t, log_stride, log_n);
  to[i] = from[i] + shift;
}

}  // namespace

void strided_pass(const strided_arrays& a, unsigned stride, bool masked, float shift) {
  const unsigned blocks = (a.entries - 1) / threads_of_block + 1;
  const int log_n = std::countr_zero(a.entries), log_stride = std::countr_zero(stride);
  if (masked)
    load_and_store<true><<<blocks, threads_of_block>>>(a.from, a.to, log_n, log_stride, shift);
  else
    load_and_store<false><<<blocks, threads_of_block>>>(a.from, a.to, log_n, log_stride, shift);
  checked(cudaGetLastError(), "launch loads and stores by a stride");
}

}  // namespace tessera::bench::device
