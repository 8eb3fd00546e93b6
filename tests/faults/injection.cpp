// SPDX-License-Identifier: BSD-3-Clause
// The counters behind injected failures, and an allocator that asks them.
#include "injection.hpp"

#include <atomic>
#include <cstdlib>

namespace tessera::faults {

namespace {

std::atomic<bool> armed{false};
std::atomic<long> asked{0}, refused{0}, writes{0};
long failing = 0;
kind failing_how = kind::once;

void* allocate_for(std::size_t bytes) {
  if (refuses()) return nullptr;
  constexpr std::size_t alignment = host_alignment;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

}  // namespace

void arm(long k, kind how) {
  failing = k;
  failing_how = how;
  asked = refused = writes = 0;
  armed = true;
}

counted disarm() {
  armed = false;
  return {asked, refused, writes};
}

bool refuses() {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const long number = ++asked;
  const bool fails = failing > 0 && (number == failing || (failing_how == kind::from_there_on && number > failing));
  if (fails) ++refused;
  return fails;
}

void note_write() {
  if (armed && refused == 0) ++writes;
}

allocator failing_allocator() {
  return {[](space_kind, std::size_t bytes) { return allocate_for(bytes); },
          [](space_kind, void* memory) { std::free(memory); }};
}

tessera_allocator failing_c_allocator() {
  return {[](tessera_space, std::size_t bytes, void*) { return allocate_for(bytes); },
          [](tessera_space, void* memory, void*) { std::free(memory); }, nullptr};
}

}  // namespace tessera::faults
