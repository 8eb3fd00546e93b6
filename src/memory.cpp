// SPDX-License-Identifier: BSD-3-Clause
// Allocation: host memory aligned and first-touched by the threads that will use it; device memory by the GPU runtime.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <tessera/cpu/detail/parallel.hpp>
#include <tessera/error.hpp>
#include <tessera/gpu/detail/runtime.hpp>
#include <tessera/memory.hpp>

#include "numa_calls.hpp"

namespace tessera {

namespace {

std::atomic<std::size_t> allocations{0};

// The current allocator and the number of its live allocations. It can only change while there are none, so that memory
// is freed by its own allocator. It is never destroyed, because static objects may use it at exit, and it needs no
// allocation, because noexcept functions may be the first to use it.
struct current_allocator {
  std::mutex mutex;
  std::size_t live = 0;
  allocator users;
};
current_allocator& current() {
  alignas(current_allocator) static std::byte place[sizeof(current_allocator)];
  static current_allocator& only = *new (place) current_allocator;
  return only;
}

std::size_t change_live(std::ptrdiff_t by) {
  const std::lock_guard<std::mutex> lock(current().mutex);
  return current().live += std::size_t(by);
}

const char* words_of(space_kind space) { return space == space_kind::cpu ? "host memory" : "device memory"; }

// Below this, one thread touches everything: an OpenMP region would cost more than the first touch saves.
constexpr std::size_t parallel_touch_bytes = std::size_t{1} << 20;
constexpr std::size_t page = 4096;
constexpr std::size_t large_page = std::size_t{1} << 21;

// Zeroes contiguous ranges of whole pages, thread t the t-th range, as batch loops will read the memory.
void first_touch(char* memory, std::size_t bytes) {
  if (bytes < parallel_touch_bytes) {
    std::memset(memory, 0, bytes);
    return;
  }
  for_batch_chunks(index_t((bytes + page - 1) / page), [&](index_t first_page, index_t last_page) {
    const std::size_t first = std::size_t(first_page) * page;
    std::memset(memory + first, 0, std::min(std::size_t(last_page) * page, bytes) - first);
  });
}

// Pages of 2 MiB for allocations of several of them, if the system has them on request: fewer TLB misses (Zen 3,
// operators that stream D, p = 4: mass 1.15, diffusion 1.05 times as fast).
void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: failure is harmless
#endif
}

// The physical memory. Systems overcommit, and kill a process that uses more.
std::size_t memory_of_machine() {
  struct sysinfo about {};
  if (::sysinfo(&about) != 0) return SIZE_MAX;
  return (std::size_t(about.totalram) + std::size_t(about.totalswap)) * about.mem_unit;
}

void* allocate_host(std::size_t bytes) {
  const bool large = bytes >= 2 * large_page;
  const std::size_t alignment = large ? large_page : host_alignment;
  if (bytes > SIZE_MAX - alignment || (large && bytes > memory_of_machine()))
    throw error("allocate: " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr)
    throw error("allocate: no " + std::to_string(bytes) + " bytes of host memory", status::out_of_memory);
  if (large) {
    ask_for_large_pages(memory, rounded);
    try {
      detail::place_by_policy(memory, rounded);
    } catch (...) {
      std::free(memory);
      throw;
    }
  }
  first_touch(static_cast<char*>(memory), bytes);
  return memory;
}

void free_host(void* memory) {
  const std::size_t bytes = malloc_usable_size(memory);
  if (bytes >= 2 * large_page) detail::forget_policy(memory, bytes);
  std::free(memory);
}

void check_alignment(space_kind space, std::size_t bytes, const void* memory) {
  const std::size_t alignment = space == space_kind::cpu ? host_alignment : device_alignment;
  const std::size_t off = std::size_t(reinterpret_cast<std::uintptr_t>(memory) % alignment);
  if (off != 0)
    throw error("allocate: the allocator that was set gave " + std::to_string(bytes) + " bytes of " + words_of(space) +
                " that begin " + std::to_string(off) + " bytes behind a multiple of " + std::to_string(alignment));
}

void* allocate_from(const allocator& users, space_kind space, std::size_t bytes) {
  void* memory = users.allocate(space, bytes);
  if (memory == nullptr)
    throw error("allocate: the allocator that was set has no " + std::to_string(bytes) + " bytes of " + words_of(space),
                status::out_of_memory);
  try {
    check_alignment(space, bytes, memory);
    if (space == space_kind::cpu)
      first_touch(static_cast<char*>(memory), bytes);
    else
      device::clear(memory, bytes);
  } catch (...) {
    users.deallocate(space, memory);
    throw;
  }
  return memory;
}

void* allocate_own(space_kind space, std::size_t bytes) {
  return space == space_kind::cpu ? allocate_host(bytes) : device::allocate(bytes);
}

void give_back(space_kind space, void* memory) {
  if (current().users.deallocate != nullptr)
    current().users.deallocate(space, memory);
  else if (space == space_kind::cpu)
    free_host(memory);
  else
    device::deallocate(memory);
}

}  // namespace

void* allocate(space_kind space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  change_live(1);  // from here on the allocator cannot change
  try {
    const allocator& users = current().users;
    // Without a GPU the library's own allocator has the error text.
    const bool own = users.allocate == nullptr || (space == space_kind::gpu && !device::available());
    void* memory = own ? allocate_own(space, bytes) : allocate_from(users, space, bytes);
    ++allocations;
    return memory;
  } catch (...) {
    change_live(-1);
    throw;
  }
}

void deallocate(space_kind space, void* memory) noexcept {
  if (memory == nullptr) return;
  try {
    give_back(space, memory);
  } catch (...) {  // from an allocator that must not throw: there is no way to handle it
  }
  change_live(-1);
}

space_kind space_of(const void* memory) {
  return memory != nullptr && device::is_device_pointer(memory) ? space_kind::gpu : space_kind::cpu;
}

void copy_memory(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const bool to_gpu = space_of(to) == space_kind::gpu, from_gpu = space_of(from) == space_kind::gpu;
  if (!to_gpu && !from_gpu) {
    std::memmove(to, from, bytes);
    return;
  }
  using device::direction;
  device::copy(to, from, bytes,
               !to_gpu    ? direction::device_to_host
               : from_gpu ? direction::device_to_device
                          : direction::host_to_device);
}

std::size_t allocation_count() noexcept { return allocations; }
std::size_t live_allocations() noexcept { return change_live(0); }

void set_allocator(allocator from) {
  if ((from.allocate == nullptr) != (from.deallocate == nullptr))
    throw error(std::string("set_allocator: ") + (from.allocate == nullptr ? "allocate" : "deallocate") +
                    " is missing, and the other function is given",
                status::null_pointer);
  const std::lock_guard<std::mutex> lock(current().mutex);
  if (current().live > 0)
    throw error("set_allocator: " + std::to_string(current().live) +
                " allocations are in use, which the previous allocator must free");
  std::swap(current().users, from);
}

}  // namespace tessera
