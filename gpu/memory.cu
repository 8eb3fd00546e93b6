// SPDX-License-Identifier: BSD-3-Clause
// Device memory by Thrust, page-locked host memory, and tables of offsets on the device.
#include "cuda_call.hpp"

#include <new>

#include <thrust/device_free.h>
#include <thrust/device_malloc.h>

#include <tessera/gpu/detail/graph.hpp>
#include <tessera/gpu/detail/runtime.hpp>

namespace tessera::device {

namespace {

[[noreturn]] void out_of_memory(const char* what, std::size_t bytes) {
  cudaGetLastError();
  throw error("allocate: no " + std::to_string(bytes) + " bytes of " + what, status::out_of_memory);
}

// Null where there is none.
void* device_memory(std::size_t bytes) try {
  return thrust::raw_pointer_cast(thrust::device_malloc(bytes));
} catch (const std::bad_alloc&) {
  cudaGetLastError();
  return nullptr;
}

}  // namespace

void* allocate(std::size_t bytes) {
  require_device(("allocate " + std::to_string(bytes) + " bytes").c_str());
  if (bytes == 0) return nullptr;
  void* memory = device_memory(bytes);
  if (memory == nullptr && destroy_released()) memory = device_memory(bytes);
  if (memory == nullptr) out_of_memory("device memory", bytes);
  try {
    clear(memory, bytes);
  } catch (...) {
    deallocate(memory);
    throw;
  }
  return memory;
}

void deallocate(void* memory) noexcept {
  if (memory == nullptr) return;
  try {
    thrust::device_free(thrust::device_ptr<void>(memory));
  } catch (...) {  // the driver is shutting down, or the context is lost: the memory is released either way
    cudaGetLastError();
  }
}

void clear(void* memory, std::size_t bytes) {
  check("allocate", cudaMemset(memory, 0, bytes));
  check("allocate", cudaStreamSynchronize(cudaStreamLegacy));  // streams of the user do not wait for stream 0
}

void* allocate_pinned(std::size_t bytes) {
  require_device(("allocate " + std::to_string(bytes) + " pinned bytes").c_str());
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  if (cudaHostAlloc(&memory, bytes, cudaHostAllocPortable) != cudaSuccess)
    out_of_memory("page-locked host memory", bytes);
  return memory;
}

void deallocate_pinned(void* memory) noexcept {
  if (memory != nullptr && cudaFreeHost(memory) != cudaSuccess) cudaGetLastError();
}

bool is_device_pointer(const void* pointer) {
  if (pointer == nullptr || !available()) return false;
  cudaPointerAttributes attributes;
  check("is_device_pointer", cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

table::table(const std::vector<index_t>& host)
    : memory_(space_kind::gpu, host.size() * sizeof(index_t)), size_(host.size()) {
  if (!host.empty()) copy(memory_.data(), host.data(), memory_.bytes(), direction::host_to_device);
}

table upload(const std::vector<index_t>& host) { return table(host); }

}  // namespace tessera::device
