// SPDX-License-Identifier: BSD-3-Clause
// A memory limit for fuzzed code: what asks for more gets std::bad_alloc, as on a machine that has no more.
#include "allocation.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include <tessera/tessera.h>

namespace {

std::atomic<bool> limited{false};

void* allocated(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if ((limited && bytes > fuzz::most_bytes) || posix_memalign(&memory, alignment, bytes == 0 ? 1 : bytes) != 0)
    return nullptr;
  return memory;
}

void* allocated_or_thrown(std::size_t bytes, std::size_t alignment) {
  if (void* memory = allocated(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

fuzz::memory_limit::memory_limit() {
  static const tessera_allocator own{[](tessera_space space, std::size_t bytes, void*) {
                                       return space == TESSERA_CPU ? allocated(bytes, 64) : nullptr;
                                     },
                                     [](tessera_space, void* memory, void*) { std::free(memory); }, nullptr};
  static const tessera_status set = tessera_set_allocator(&own);
  limited = set == TESSERA_OK;
}
fuzz::memory_limit::~memory_limit() { limited = false; }

// The sanitizer's own operator new ends the process where there is no memory. std::vector and std::string call these.
void* operator new(std::size_t bytes) { return allocated_or_thrown(bytes, usual); }
void* operator new[](std::size_t bytes) { return allocated_or_thrown(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t a) { return allocated_or_thrown(bytes, std::size_t(a)); }
void* operator new[](std::size_t bytes, std::align_val_t a) { return allocated_or_thrown(bytes, std::size_t(a)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocated(bytes, usual); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocated(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocated(bytes, std::size_t(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocated(bytes, std::size_t(a));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
