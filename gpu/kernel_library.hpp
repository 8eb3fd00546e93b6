// SPDX-License-Identifier: BSD-3-Clause
// Machine code that CUDA has loaded, until nothing on the GPU can run it any more.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <string>

namespace tessera::device {

class kernel_library {
 public:
  kernel_library() = default;
  kernel_library(const kernel_library&) = delete;
  kernel_library& operator=(const kernel_library&) = delete;
  /// Waits for the device if a kernel was queued, since queued work outlives plans. Code that a graph has captured
  /// stays loaded: graphs outlive plans, too.
  ~kernel_library();

  /// `operation` is named in errors, "load gemm f64 5x5x5".
  void load(const std::string& operation, const std::string& machine_code);
  cudaKernel_t kernel(const std::string& operation, const std::string& entry) const;

  /// Before a kernel of it is queued in `stream`.
  void note_use_in(cudaStream_t stream) const;

 private:
  cudaLibrary_t library_ = nullptr;
  int device_ = 0;
  mutable std::atomic<bool> used_ = false, captured_ = false;
};

}  // namespace tessera::device
