// SPDX-License-Identifier: BSD-3-Clause
// A thread's memory for converted operands: allocated when a call needs more than those before.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace tessera::detail {

class image_memory {
 public:
  static constexpr std::size_t alignment = 64;

  /// Null if there is none.
  std::byte* get(std::size_t bytes) {
    if (bytes > size_) {
      memory_.reset(new (std::align_val_t(alignment), std::nothrow) std::byte[bytes]);
      size_ = memory_ == nullptr ? 0 : bytes;
    }
    return memory_.get();
  }
  /// Gives back more than 8 MiB.
  void shrink() {
    if (size_ <= kept) return;
    memory_.reset();
    size_ = 0;
  }

 private:
  static constexpr std::size_t kept = std::size_t(8) << 20;
  struct deleter {
    void operator()(std::byte* memory) const { operator delete[](memory, std::align_val_t(alignment)); }
  };

  std::unique_ptr<std::byte[], deleter> memory_;
  std::size_t size_ = 0;
};

}  // namespace tessera::detail
