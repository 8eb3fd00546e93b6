// SPDX-License-Identifier: BSD-3-Clause
// Gathers the entries of elements, a thread an entry.
#include <cstdint>

#include <tessera/gpu/detail/element/gather.hpp>
#include <tessera/gpu/detail/element/number_codes.hpp>
#include <tessera/gpu/detail/queue.cuh>

namespace tessera::device {

namespace {

constexpr int gather_threads = 256;

template <class T, class Index>
__global__ void __launch_bounds__(gather_threads) gather_kernel(const __grid_constant__ gather_arguments<T, Index> a) {
  using code = number_code<Index>;
  wait_for_earlier_kernels();
  const index_t at = (blockIdx.x + index_t(gridDim.x) * blockIdx.y) * gather_threads + threadIdx.x;
  if (at >= a.elements * a.entries * a.components) return;
  const index_t i = at % a.entries, rest = at / a.entries, c = rest % a.components, e = rest / a.components;
  const Index one = a.codes[i + a.entries * e];
  a.E[at] = code::signed_as(one, a.x[index_t(code::number(one)) + a.component * c]);
}

}  // namespace

template <class T, class Index>
void gather_entries(const gather_arguments<T, Index>& a, void* stream) {
  const index_t count = a.elements * a.entries * a.components;
  if (count == 0) return;
  const void* const kernel = reinterpret_cast<const void*>(&gather_kernel<T, Index>);
  void* arguments[] = {const_cast<gather_arguments<T, Index>*>(&a)};
  queue(kernel_name("entries of elements"), kernel, shape_for(count, gather_threads, gather_threads, 0), arguments,
        static_cast<cudaStream_t>(stream), comes_early(kernel));
}

template void gather_entries(const gather_arguments<float, std::uint32_t>&, void*);
template void gather_entries(const gather_arguments<double, std::uint32_t>&, void*);
template void gather_entries(const gather_arguments<float, std::uint64_t>&, void*);
template void gather_entries(const gather_arguments<double, std::uint64_t>&, void*);

}  // namespace tessera::device
