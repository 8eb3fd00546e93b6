// SPDX-License-Identifier: BSD-3-Clause
// Allocation: host memory aligned and first-touched by the threads that will use it; device memory by the GPU runtime.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <omp.h>

#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>
#include <tessera/memory.hpp>

namespace tessera {

namespace {

std::atomic<std::size_t> allocations{0};

// Below this, one thread touches everything: an OpenMP region costs more than it places.
constexpr std::size_t parallel_touch_bytes = std::size_t{1} << 20;
constexpr std::size_t page = 4096;

// Zeroes in contiguous shares of whole pages, thread t the t-th share, as a batch loop over the memory will read it.
void first_touch(char* memory, std::size_t bytes) {
  if (bytes < parallel_touch_bytes) {
    std::memset(memory, 0, bytes);
    return;
  }
#pragma omp parallel
  {
    const auto threads = std::size_t(omp_get_num_threads()), me = std::size_t(omp_get_thread_num());
    const std::size_t pages = (bytes + page - 1) / page;
    const std::size_t first = pages * me / threads * page, last = pages * (me + 1) / threads * page;
    if (first < bytes) std::memset(memory + first, 0, (last < bytes ? last : bytes) - first);
  }
}

void* allocate_host(std::size_t bytes) {
  if (bytes > SIZE_MAX - host_alignment)
    throw error("allocate: " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  const std::size_t rounded = (bytes + host_alignment - 1) / host_alignment * host_alignment;
  void* memory = std::aligned_alloc(host_alignment, rounded);
  if (memory == nullptr)
    throw error("allocate: no " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  first_touch(static_cast<char*>(memory), bytes);
  return memory;
}

}  // namespace

void* allocate(space_kind space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = space == space_kind::cpu ? allocate_host(bytes) : device::allocate(bytes);
  ++allocations;
  return memory;
}

void deallocate(space_kind space, void* memory) noexcept {
  if (memory == nullptr) return;
  if (space == space_kind::cpu)
    std::free(memory);
  else
    device::deallocate(memory);
}

std::size_t allocation_count() noexcept { return allocations; }

}  // namespace tessera
