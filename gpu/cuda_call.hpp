// SPDX-License-Identifier: BSD-3-Clause
// Turning CUDA's return codes into tessera::error.
#pragma once

#include <string>

#include <cuda_runtime.h>

#include <tessera/error.hpp>

namespace tessera::device {

/// Throws status::launch_failure "operation: CUDA's text" where the call failed.
inline void check(const std::string& operation, cudaError_t result) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // an error that was reported is not reported again
  throw error(operation + ": " + cudaGetErrorString(result), status::launch_failure);
}

/// Throws status::no_device where there is no GPU that these kernels run on.
void require_device(const char* operation);

}  // namespace tessera::device
