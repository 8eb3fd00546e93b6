// SPDX-License-Identifier: BSD-3-Clause
// x.y of an application: the sum of what its elements have, or of the vectors.
#include <algorithm>
#include <cstdint>

#include <tessera/gpu/detail/element/dot_sums.hpp>
#include <tessera/gpu/detail/queue.cuh>

#include "../vector_loops.cuh"

namespace tessera::device {

namespace {

constexpr int dots_at_once = 4, dots_of_part = threads_of_part * dots_at_once;

index_t parts_of_dots(index_t n) { return (n + dots_of_part - 1) / dots_of_part; }

// The block that is the last to have its sum adds all of them up, always in the same order.
__device__ void finish_sum(double sum, double* of_warps, const dot_result& to) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    to.partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicAdd(to.blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  double all = 0;
  for (unsigned part = threadIdx.x; part < gridDim.x; part += threads_of_part) all += __ldcg(to.partial + part);
  all = block_sum<threads_of_part>(all, of_warps);
  if (threadIdx.x != 0) return;
  *to.sum = all;
  *to.blocks_done = 0;
}

// What a block sums is in places all over the memory: few for each thread, and all of these at once.
template <class T, class Index>
__global__ void __launch_bounds__(threads_of_part)
    sum_dots_of_elements(const __grid_constant__ dot_arguments<T, Index> a, const __grid_constant__ dot_result to) {
  __shared__ double of_warps[threads_of_part / 32];
  wait_for_earlier_kernels();
  const index_t first = index_t(blockIdx.x) * dots_of_part + threadIdx.x;
  Index at[dots_at_once];
  double term[dots_at_once];
  const auto element = [&](int k) { return first + k * threads_of_part; };
#pragma unroll
  for (int k = 0; k < dots_at_once; ++k) at[k] = element(k) < a.elements ? a.positions[element(k)] : Index(0);
#pragma unroll
  for (int k = 0; k < dots_at_once; ++k) term[k] = element(k) < a.elements ? a.dots[at[k]] : 0;
#pragma unroll
  for (int k = 0; k < dots_at_once; ++k) {
    const index_t i = element(k) - a.elements;
    if (i < 0 || i >= a.constrained_count) continue;
    const double x = double(a.x[a.constrained[i]]);
    term[k] = x * x;
  }
  static_assert(dots_at_once == 4);
  finish_sum(block_sum<threads_of_part>((term[0] + term[1]) + (term[2] + term[3]), of_warps), of_warps, to);
}

template <class T>
__global__ void __launch_bounds__(threads_of_part)
    sum_products_of_numbers(index_t n, const T* x, const T* y, const __grid_constant__ dot_result to) {
  __shared__ double of_warps[threads_of_part / 32];
  wait_for_earlier_kernels();
  const index_t first = index_t(blockIdx.x) * numbers_of_part;
  const index_t last = first + numbers_of_part < n ? first + numbers_of_part : n;
  double sum = 0;
  for (index_t i = first + threadIdx.x; i < last; i += threads_of_part) sum += double(x[i]) * double(y[i]);
  finish_sum(block_sum<threads_of_part>(sum, of_warps), of_warps, to);
}

void queue_sum(const void* kernel, index_t parts, void** arguments, void* stream) {
  queue(kernel_name("x.y of an application"), kernel, {unsigned(std::max<index_t>(parts, 1)), 1, threads_of_part, 0},
        arguments, cuda_stream(stream), comes_early(kernel));
}

}  // namespace

index_t dot_partials(index_t size, index_t elements, index_t constrained) {
  return std::max<index_t>(1, std::max(parts_of(size), parts_of_dots(elements + constrained)));
}

template <class T, class Index>
void sum_dots(const dot_arguments<T, Index>& a, const dot_result& to, void* stream) {
  void* arguments[] = {const_cast<dot_arguments<T, Index>*>(&a), const_cast<dot_result*>(&to)};
  queue_sum(reinterpret_cast<const void*>(&sum_dots_of_elements<T, Index>),
            parts_of_dots(a.elements + a.constrained_count), arguments, stream);
}
template <class T>
void sum_products(index_t n, const T* x, const T* y, const dot_result& to, void* stream) {
  void* arguments[] = {&n, &x, &y, const_cast<dot_result*>(&to)};
  queue_sum(reinterpret_cast<const void*>(&sum_products_of_numbers<T>), parts_of(n), arguments, stream);
}

template void sum_dots(const dot_arguments<float, std::uint32_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<double, std::uint32_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<float, std::uint64_t>&, const dot_result&, void*);
template void sum_dots(const dot_arguments<double, std::uint64_t>&, const dot_result&, void*);
template void sum_products(index_t, const float*, const float*, const dot_result&, void*);
template void sum_products(index_t, const double*, const double*, const dot_result&, void*);

}  // namespace tessera::device
