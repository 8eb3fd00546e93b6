// SPDX-License-Identifier: BSD-3-Clause
// The one place where Tessera allocates: aligned, first-touched host memory and device memory, with a count of both.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include <tessera/space.hpp>

namespace tessera {

/// Host memory is aligned to this many bytes.
inline constexpr std::size_t host_alignment = 64;
/// Device memory is aligned to this many bytes.
inline constexpr std::size_t device_alignment = 256;

/// Zeroed memory of `bytes` bytes. Host pages are first touched by the OpenMP threads in the same contiguous ranges
/// into which kernels split a batch. Throws status::out_of_memory naming the bytes, status::no_device without a GPU.
void* allocate(space_kind space, std::size_t bytes);
void deallocate(space_kind space, void* memory) noexcept;

/// Where memory is: gpu for device memory and managed memory, else cpu.
space_kind space_of(const void* memory);
/// Between memory of either space; complete on return. Work in streams that are not stream 0 must be complete.
void copy_memory(void* to, const void* from, std::size_t bytes);

/// Allocations made so far in this process (tests count them: a batch is one).
std::size_t allocation_count() noexcept;
/// Allocations that were not freed yet.
std::size_t live_allocations() noexcept;

/// A user's allocator, for example a memory pool. Both functions may be called by any thread.
struct allocator {
  /// `bytes` bytes, never 0, aligned to host_alignment or device_alignment, which is checked, and free for use by any
  /// thread and stream; null if there is no memory left. It need not be zeroed: `allocate` does that.
  std::function<void*(space_kind space, std::size_t bytes)> allocate{};
  /// Must not throw; exceptions are swallowed.
  std::function<void(space_kind space, void* memory)> deallocate{};
};

/// From now on `allocate` takes all memory from there; {} restores the library's own allocator. The CPU's scratch
/// memory, one block per thread, and page-locked staging memory always come from the library's. Throws, and changes
/// nothing, while allocations of the previous allocator are alive, or if one of the two functions is missing.
void set_allocator(allocator from);

namespace detail {

struct release_memory {
  space_kind space = space_kind::cpu;
  void operator()(void* memory) const noexcept { deallocate(space, memory); }
};

}  // namespace detail

/// Owns what `allocate` returned. Moved from, it is empty.
class buffer {
 public:
  buffer() = default;
  buffer(buffer&& other) noexcept : memory_(std::move(other.memory_)), bytes_(std::exchange(other.bytes_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  buffer(space_kind space, std::size_t bytes) : memory_(allocate(space, bytes), {space}), bytes_(bytes) {}

  void* data() const noexcept { return memory_.get(); }
  std::size_t bytes() const noexcept { return bytes_; }
  space_kind space() const noexcept { return memory_.get_deleter().space; }

 private:
  std::unique_ptr<void, detail::release_memory> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace tessera
