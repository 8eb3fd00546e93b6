// SPDX-License-Identifier: BSD-3-Clause
// Loads machine code, and unloads it when the device is idle.
#include "kernel_library.hpp"

#include "cuda_call.hpp"

namespace tessera::device {

kernel_library::~kernel_library() {
  if (library_ == nullptr || captured_) return;
  if (!used_) {
    if (cudaLibraryUnload(library_) != cudaSuccess) cudaGetLastError();
    return;
  }
  // Other threads may be capturing graphs, which this does not touch.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  int current = 0;
  const bool known =
      cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess && cudaGetDevice(&current) == cudaSuccess;
  // Where CUDA is shut down, or does not let this wait, the code stays until the process ends.
  if (known && cudaSetDevice(device_) == cudaSuccess) {
    if (cudaDeviceSynchronize() == cudaSuccess) cudaLibraryUnload(library_);
    cudaSetDevice(current);
  }
  if (known) cudaThreadExchangeStreamCaptureMode(&mode);
  cudaGetLastError();
}

void kernel_library::load(const std::string& operation, const std::string& machine_code) {
  check(operation, cudaGetDevice(&device_));
  check(operation, cudaLibraryLoadData(&library_, machine_code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
}

cudaKernel_t kernel_library::kernel(const std::string& operation, const std::string& entry) const {
  cudaKernel_t found = nullptr;
  check(operation, cudaLibraryGetKernel(&found, library_, entry.c_str()));
  return found;
}

void kernel_library::note_use_in(cudaStream_t stream) const {
  if (!used_) used_ = true;
  // Stream 0 cannot be captured.
  if (stream == nullptr || captured_) return;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check("stream", cudaStreamIsCapturing(stream, &status));
  if (status != cudaStreamCaptureStatusNone) captured_ = true;
}

}  // namespace tessera::device
