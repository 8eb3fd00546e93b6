// SPDX-License-Identifier: BSD-3-Clause
// Every global operator new and delete of this executable: counted, and failing where `refuses` says so.
#include "injection.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> live{0};

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (tessera::faults::refuses()) return nullptr;
  if (bytes == 0) bytes = 1;
  void* const memory = alignment <= alignof(std::max_align_t)
                           ? std::malloc(bytes)
                           : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory != nullptr) ++live;
  return memory;
}
void* take_or_throw(std::size_t bytes, std::size_t alignment = 1) {
  void* const memory = take(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  --live;
  std::free(memory);
}
std::size_t number(std::align_val_t alignment) { return std::size_t(alignment); }

}  // namespace

long tessera::faults::live_objects() { return live; }

void* operator new(std::size_t bytes) { return take_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return take_or_throw(bytes); }
void* operator new(std::size_t bytes, std::align_val_t a) { return take_or_throw(bytes, number(a)); }
void* operator new[](std::size_t bytes, std::align_val_t a) { return take_or_throw(bytes, number(a)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return take(bytes, number(a));
}
void* operator new[](std::size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return take(bytes, number(a));
}

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
