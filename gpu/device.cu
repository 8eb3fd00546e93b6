// SPDX-License-Identifier: BSD-3-Clause
// The device: its presence and properties; streams.
#include "cuda_call.hpp"

#include <atomic>

#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::device {

namespace {

// A kernel of this library: it can be loaded if the library was compiled for this device.
__global__ void probe() {}

cudaError_t find_device() noexcept {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess) return cudaGetLastError(), found;
  if (count == 0) return cudaErrorNoDevice;
  cudaFuncAttributes attributes;
  const cudaError_t loaded = cudaFuncGetAttributes(&attributes, probe);
  if (loaded != cudaSuccess) cudaGetLastError();
  return loaded;
}

// Temporary failures: memory is short, or another process uses the device exclusively.
bool may_pass(cudaError_t state) { return state == cudaErrorMemoryAllocation || state == cudaErrorDevicesUnavailable; }

// Determined once, but temporary failures are checked again.
cudaError_t device_state() noexcept {
  constexpr int unknown = -1;
  static std::atomic<int> known{unknown};
  const int before = known.load(std::memory_order_acquire);
  if (before != unknown) return static_cast<cudaError_t>(before);
  const cudaError_t now = find_device();
  if (!may_pass(now)) known.store(now, std::memory_order_release);
  return now;
}

cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }

}  // namespace

bool available() noexcept { return device_state() == cudaSuccess; }

std::string why_not_available() {
  if (available()) return "";
  return std::string("no usable GPU (") + cudaGetErrorString(device_state()) +
         "); use tessera::cpu, or check the driver with nvidia-smi";
}

void require_device(const char* operation) {
  if (!available()) throw error(std::string(operation) + ": " + why_not_available(), status::no_device);
}

int current() {
  require_device("current device");
  int device = 0;
  check("current device", cudaGetDevice(&device));
  return device;
}

void set_up_own_thread(int device) {
  require_device("thread");
  check("thread", cudaSetDevice(device));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  check("thread", cudaThreadExchangeStreamCaptureMode(&mode));
}

device_info info() {
  const int device = current();
  cudaDeviceProp properties;
  check("device info", cudaGetDeviceProperties(&properties, device));
  device_info result;
  result.name = properties.name;
  result.major = properties.major;
  result.minor = properties.minor;
  result.sms = properties.multiProcessorCount;
  result.memory = static_cast<long long>(properties.totalGlobalMem);
  result.l2 = properties.l2CacheSize;
  check("device info", cudaDriverGetVersion(&result.driver));
  check("device info", cudaRuntimeGetVersion(&result.runtime));
  return result;
}

void* stream_create() {
  require_device("stream");
  cudaStream_t stream = nullptr;
  check("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

void stream_destroy(void* stream) noexcept {
  if (stream != nullptr) cudaStreamDestroy(as_stream(stream));
}

void stream_synchronize(void* stream) {
  require_device("stream synchronize");
  check("stream synchronize", cudaStreamSynchronize(as_stream(stream)));
}

}  // namespace tessera::device
