// SPDX-License-Identifier: BSD-3-Clause
// Adds the terms of numbers that patches share, a thread a number.
#include <cstdint>

#include <tessera/gpu/detail/element/shared_sums.hpp>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

namespace {

constexpr int threads = 256;

template <class T, class Index>
__device__ index_t numbers_of(const sum_arguments<T, Index>& a) {
  return a.group_count > 0 ? a.groups[a.group_count - 1].last - a.groups[0].first : 0;
}

template <class T, class Index>
__global__ void __launch_bounds__(threads) sum_terms(const __grid_constant__ sum_arguments<T, Index> a) {
  wait_for_earlier_kernels();
  index_t at = (blockIdx.x + index_t(gridDim.x) * blockIdx.y) * threads + threadIdx.x;
  const index_t numbers = numbers_of(a);
  if (at < numbers) {
    const index_t s = a.groups[0].first + at;
    int g = 0;
    while (s >= a.groups[g].last) ++g;
    const sum_group& of = a.groups[g];
    const index_t step = of.last - of.first;
    const Index* const places = a.of_terms + of.term + (s - of.first);
    T* const y = a.y + a.numbers[s];
    for (int c = 0; c < a.components; ++c) {
      const T* const terms = a.terms + a.places * c;
      T sum = terms[places[0]];
      if (a.add) sum += y[a.component * c];
      for (index_t t = 1; t < of.count; ++t) sum += terms[places[step * t]];
      y[a.component * c] = sum;
    }
    return;
  }
  at -= numbers;
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
__global__ void __launch_bounds__(threads) clear_numbers(const __grid_constant__ sum_arguments<T, Index> a) {
  wait_for_earlier_kernels();
  const index_t at = (blockIdx.x + index_t(gridDim.x) * blockIdx.y) * threads + threadIdx.x;
  if (at >= numbers_of(a)) return;
  for (int c = 0; c < a.components; ++c) a.y[a.numbers[a.groups[0].first + at] + a.component * c] = T(0);
}

template <class T, class Index>
void queue_over(const void* kernel, const sum_arguments<T, Index>& a, index_t items, void* stream) {
  if (items == 0) return;
  void* arguments[] = {const_cast<sum_arguments<T, Index>*>(&a)};
  queue(kernel_name("sums of shared numbers"), kernel, shape_for(items, threads, threads, 0), arguments,
        static_cast<cudaStream_t>(stream), comes_early(kernel));
}

template <class T, class Index>
index_t count_of(const sum_arguments<T, Index>& a) {
  return a.group_count > 0 ? a.groups[a.group_count - 1].last - a.groups[0].first : 0;
}

}  // namespace

template <class T, class Index>
void add_shared_terms(const sum_arguments<T, Index>& a, void* stream) {
  queue_over(reinterpret_cast<const void*>(&sum_terms<T, Index>), a,
             count_of(a) + a.untouched_count + a.constrained_count, stream);
}
template <class T, class Index>
void clear_shared_numbers(const sum_arguments<T, Index>& a, void* stream) {
  queue_over(reinterpret_cast<const void*>(&clear_numbers<T, Index>), a, count_of(a), stream);
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
