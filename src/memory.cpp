// SPDX-License-Identifier: BSD-3-Clause
// Allocation: host memory aligned and first-touched by the threads that will use it; device memory by the GPU runtime.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <omp.h>
#include <sys/mman.h>

#include <tessera/error.hpp>
#include <tessera/gpu/runtime.hpp>
#include <tessera/memory.hpp>

namespace tessera {

namespace {

std::atomic<std::size_t> allocations{0};

// Below this, one thread touches everything: an OpenMP region costs more than it places.
constexpr std::size_t parallel_touch_bytes = std::size_t{1} << 20;
constexpr std::size_t page = 4096;
constexpr std::size_t large_page = std::size_t{1} << 21;

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

// Pages of 2 MiB for what is several of them long, where the system has them for the asking: fewer translations to look
// up (Zen 3, operators that stream D, p = 4: mass 1.15, diffusion 1.05 times as fast).
void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: a refusal changes nothing
#endif
}

void* allocate_host(std::size_t bytes) {
  const bool large = bytes >= 2 * large_page;
  const std::size_t alignment = large ? large_page : host_alignment;
  if (bytes > SIZE_MAX - alignment)
    throw error("allocate: " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr)
    throw error("allocate: no " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  if (large) ask_for_large_pages(memory, rounded);
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
