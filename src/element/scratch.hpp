// SPDX-License-Identifier: BSD-3-Clause
// Memory that a thread keeps for the blocks that it works on: grown when a larger one is met, never shared.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include <tessera/core/types.hpp>

namespace tessera::detail {

/// Rounded up so that what follows is aligned to any vector.
constexpr index_t aligned(index_t entries) { return (entries + 15) / 16 * 16; }

class thread_scratch {
 public:
  /// Aligned to a page, at least `bytes`, what is in it being of no use to anyone.
  static void* of(std::size_t bytes) {
    static thread_local thread_scratch mine;
    if (bytes > mine.bytes_) {
      mine.memory_.reset();
      mine.bytes_ = 0;
      mine.memory_.reset(::operator new(bytes, alignment));
      mine.bytes_ = bytes;
    }
    return mine.memory_.get();
  }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct release {
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<void, release> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace tessera::detail
