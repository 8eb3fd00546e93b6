// SPDX-License-Identifier: BSD-3-Clause
// One block that computes all products one after the other, and CUDA graphs of separate launches.
#include <algorithm>
#include <memory>

#include "gpu/launch_ways.hpp"
#include "measure/gpu/checked.cuh"

namespace tessera::bench::device {

namespace {

// A product's A and B are staged in shared memory; each thread then computes entries of C a block's width apart.
template <class T>
__global__ void multiply_all(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int n, int k,
                             long batch) {
  extern __shared__ unsigned char stage[];
  T* const left = reinterpret_cast<T*>(stage);  // (i,l)
  T* const right = left + m * k;                // (l,j)
  for (long p = 0; p < batch; ++p, a += m * k, b += k * n, c += m * n) {
    for (int i = threadIdx.x; i < m * k; i += blockDim.x) left[i] = a[i];
    for (int i = threadIdx.x; i < k * n; i += blockDim.x) right[i] = b[i];
    __syncthreads();
    for (int i = threadIdx.x; i < m * n; i += blockDim.x) {
      const T* const row = left + i % m;
      const T* const col = right + i / m * k;
      T sum = 0;
      for (int l = 0; l < k; ++l) sum += row[l * m] * col[l];
      c[i] = sum;
    }
    __syncthreads();
  }
}

template <class T>
void multiply_typed(const gemm_call& call) {
  const int m = int(call.m), n = int(call.n), k = int(call.k);
  const std::size_t shared = std::size_t(m * k + k * n) * sizeof(T);
  const int threads = std::clamp((m * n + 31) / 32 * 32, 32, 1024);
  if (shared > 48 * 1024)
    checked(cudaFuncSetAttribute(multiply_all<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)),
            "shared memory for products in one block");
  multiply_all<<<1, threads, shared>>>(static_cast<const T*>(call.a), static_cast<const T*>(call.b),
                                       static_cast<T*>(call.c), m, n, k, long(call.batch));
  checked(cudaGetLastError(), "launch products in one block");
}

class captured {
 public:
  explicit captured(const std::function<void(stream_view)>& launches) {
    const stream queue;  // stream 0 cannot be captured
    const auto handle = static_cast<cudaStream_t>(stream_view(queue).handle());
    cudaGraph_t graph = nullptr;
    checked(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), "begin to capture a graph");
    try {
      launches(queue);
    } catch (...) {
      cudaStreamEndCapture(handle, &graph);
      cudaGraphDestroy(graph);
      throw;
    }
    checked(cudaStreamEndCapture(handle, &graph), "capture a graph");
    const cudaError_t made = cudaGraphInstantiate(&ready_, graph, 0);
    cudaGraphDestroy(graph);
    checked(made, "instantiate a graph");
  }
  ~captured() { cudaGraphExecDestroy(ready_); }
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;

  void replay() const { checked(cudaGraphLaunch(ready_, nullptr), "replay a graph"); }

 private:
  cudaGraphExec_t ready_ = nullptr;
};

}  // namespace

void multiply_in_one_block(const gemm_call& call) {
  if (call.trans_a || call.trans_b || !call.is_packed() || call.beta != 0)
    throw error("products in one block: only packed C = A B");
  if (call.type == scalar_type::f64)
    multiply_typed<double>(call);
  else
    multiply_typed<float>(call);
}

std::function<void()> graph_of(const std::function<void(stream_view)>& launches) {
  const auto graph = std::make_shared<captured>(launches);
  return [graph] { graph->replay(); };
}

}  // namespace tessera::bench::device
