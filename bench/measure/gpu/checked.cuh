// SPDX-License-Identifier: BSD-3-Clause
// CUDA calls that throw, events and device arrays that clean up, for the benchmarks' device part.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include <tessera/error.hpp>

namespace tessera::bench::device {

inline void checked(cudaError_t code, const char* operation) {
  if (code != cudaSuccess)
    throw error(std::string(operation) + ": " + cudaGetErrorString(code), status::launch_failure);
}

class event {
 public:
  event() { checked(cudaEventCreate(&handle_), "create an event"); }
  ~event() { cudaEventDestroy(handle_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;

  void record() { checked(cudaEventRecord(handle_), "record an event"); }
  void wait() { checked(cudaEventSynchronize(handle_), "wait for an event"); }
  double seconds_since(const event& start) const {
    float milliseconds = 0;
    checked(cudaEventElapsedTime(&milliseconds, start.handle_, handle_), "time between events");
    return double(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

class device_array {
 public:
  explicit device_array(std::size_t bytes) {
    checked(cudaMalloc(&memory_, bytes), "allocate a device array");
    checked(cudaMemset(memory_, 0, bytes), "clear a device array");
  }
  ~device_array() { cudaFree(memory_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace tessera::bench::device
