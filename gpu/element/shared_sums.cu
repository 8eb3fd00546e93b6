// SPDX-License-Identifier: BSD-3-Clause
// Adds the terms of numbers that elements share, a thread a number.
#include <cstdint>

#include <tessera/gpu/detail/element/number_codes.hpp>
#include <tessera/gpu/detail/element/shared_sums.hpp>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

namespace {

constexpr int sum_threads = 256, warp = 32;

// A number's terms, whose codes are `lanes` apart, added to what is there: all loads of some are on their way at once.
template <class T, class Index>
__device__ T sum_of(const Index* codes, int lanes, index_t count, const T* terms, T sum, bool none) {
  using code = number_code<Index>;
  constexpr int most = 4;
  for (index_t t = 0; t < count; t += most) {
    Index at[most];
    T term[most];
#pragma unroll
    for (int k = 0; k < most; ++k) at[k] = codes[lanes * (t + k < count ? t + k : t)];
#pragma unroll
    for (int k = 0; k < most; ++k) term[k] = code::signed_as(at[k], terms[code::number(at[k])]);
#pragma unroll
    for (int k = 0; k < most; ++k) {
      if (t + k >= count) continue;
      sum = none ? term[k] : sum + term[k];
      none = false;
    }
  }
  return sum;
}

template <class T, class Index>
__global__ void __launch_bounds__(sum_threads) sum_terms(const __grid_constant__ sum_arguments<T, Index> a) {
  using code = number_code<Index>;
  wait_for_earlier_kernels();
  index_t at = (blockIdx.x + index_t(gridDim.x) * blockIdx.y) * sum_threads + threadIdx.x;
  if (at < warp * a.warps) {
    const Index number = a.numbers[at];
    const int lanes = __popc(__ballot_sync(0xffffffff, code::is_there(number)));
    if (!code::is_there(number)) return;
    const index_t first = a.first[at / warp], end = a.first[at / warp + 1];
    T* const y = a.y + number;
    for (int c = 0; c < a.components; ++c)
      y[a.component * c] = sum_of(a.of_terms + first + at % warp, lanes, (end - first) / lanes,
                                  a.terms + a.component_terms * c, a.add ? y[a.component * c] : T(0), !a.add);
    return;
  }
  at -= warp * a.warps;
  if (at < a.untouched_count) {
    if (!a.add) a.y[a.untouched[at]] = T(0);
    return;
  }
  at -= a.untouched_count;
  if (at >= a.constrained_count) return;
  const index_t k = a.constrained[at];
  const T own = a.identity ? a.x[k] : T(0);
  a.y[k] = a.add ? a.y[k] + own : own;
}

template <class T, class Index>
__global__ void __launch_bounds__(sum_threads) clear_numbers(const __grid_constant__ sum_arguments<T, Index> a) {
  wait_for_earlier_kernels();
  const index_t at = (blockIdx.x + index_t(gridDim.x) * blockIdx.y) * sum_threads + threadIdx.x;
  if (at >= warp * a.warps || !number_code<Index>::is_there(a.numbers[at])) return;
  for (int c = 0; c < a.components; ++c) a.y[a.numbers[at] + a.component * c] = T(0);
}

template <class T, class Index>
void queue_over(const void* kernel, const sum_arguments<T, Index>& a, index_t items, void* stream) {
  if (items == 0) return;
  void* arguments[] = {const_cast<sum_arguments<T, Index>*>(&a)};
  queue(kernel_name("sums of shared numbers"), kernel, shape_for(items, sum_threads, sum_threads, 0), arguments,
        static_cast<cudaStream_t>(stream), comes_early(kernel));
}

}  // namespace

template <class T, class Index>
void add_shared_terms(const sum_arguments<T, Index>& a, void* stream) {
  queue_over(reinterpret_cast<const void*>(&sum_terms<T, Index>), a,
             warp * a.warps + a.untouched_count + a.constrained_count, stream);
}
template <class T, class Index>
void clear_shared_numbers(const sum_arguments<T, Index>& a, void* stream) {
  queue_over(reinterpret_cast<const void*>(&clear_numbers<T, Index>), a, warp * a.warps, stream);
}

template void add_shared_terms(const sum_arguments<float, std::uint32_t>&, void*);
template void add_shared_terms(const sum_arguments<double, std::uint32_t>&, void*);
template void add_shared_terms(const sum_arguments<float, std::uint64_t>&, void*);
template void add_shared_terms(const sum_arguments<double, std::uint64_t>&, void*);
template void clear_shared_numbers(const sum_arguments<float, std::uint32_t>&, void*);
template void clear_shared_numbers(const sum_arguments<double, std::uint32_t>&, void*);
template void clear_shared_numbers(const sum_arguments<float, std::uint64_t>&, void*);
template void clear_shared_numbers(const sum_arguments<double, std::uint64_t>&, void*);

}  // namespace tessera::device
