// SPDX-License-Identifier: BSD-3-Clause
// Queueing a kernel: the grid, shared memory, and the error if CUDA rejects the launch.
#pragma once

#include <cuda_runtime.h>

#include <tessera/core/types.hpp>
#include <tessera/gpu/detail/kernel_name.hpp>
#include <tessera/gpu/detail/stream_order.cuh>

namespace tessera::device {

struct launch_shape {
  unsigned x = 1, y = 1;
  int threads = 1, shared = 0;
};

/// Throws status::launch_failure "kernel: launch of XxY blocks of N threads with S bytes of shared memory failed:
/// CUDA's text" if `result` is not success. Defined in the library.
void check_launch(const kernel_name& name, const launch_shape& shape, cudaError_t result);

/// Throws status::no_device without a GPU that these kernels run on. Defined in the library.
void require_device(const char* operation);

/// One block per `group` products. Two grid dimensions, since one is limited to 2^31 - 1: blocks beyond the end return
/// at once.
inline launch_shape shape_for(index_t products, int group, int threads, int shared) {
  constexpr index_t row_of_blocks = index_t(1) << 20;
  const index_t blocks = (products + group - 1) / group, y = (blocks + row_of_blocks - 1) / row_of_blocks;
  return {unsigned((blocks + y - 1) / y), unsigned(y), threads, shared};
}

// Shared memory of a block that needs no opt-in.
inline constexpr int free_shared = 48 * 1024;

/// Of a kernel that calls wait_for_earlier_kernels(): whether it was compiled for an architecture where that does
/// something.
inline bool comes_early(const void* kernel) {
  cudaFuncAttributes has{};
  if (cudaFuncGetAttributes(&has, kernel) != cudaSuccess) return cudaGetLastError(), false;
  return can_come_early(has.ptxVersion);
}

/// Queues the kernel, one block an entry of the grid. `early`: before the stream's earlier work is complete, see
/// comes_early.
inline void queue(const kernel_name& name, const void* kernel, const launch_shape& shape, void** arguments,
                  cudaStream_t stream, bool early = false) {
  if (shape.y > 65535u) check_launch(name, shape, cudaErrorInvalidConfiguration);
  if (shape.shared > free_shared)
    check_launch(name, shape, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared));
  cudaLaunchAttribute in_turn{};
  in_turn.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  in_turn.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(shape.x, shape.y);
  how.blockDim = dim3(unsigned(shape.threads));
  how.dynamicSmemBytes = std::size_t(shape.shared);
  how.stream = stream;
  how.attrs = &in_turn;
  how.numAttrs = early ? 1 : 0;
  check_launch(name, shape, cudaLaunchKernelExC(&how, kernel, arguments));
}

}  // namespace tessera::device
