// SPDX-License-Identifier: BSD-3-Clause
// Memory in large pages where the system has them. Small pages lie elsewhere in every process, and with them the lines
// that meet in a set of a cache: the same kernel over the same operands then takes longer in one run than in the next.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <tessera/error.hpp>

namespace tessera::tune {

class large_pages {
 public:
  explicit large_pages(std::size_t bytes)
      : bytes_((bytes + page - 1) / page * page), memory_(static_cast<std::byte*>(std::aligned_alloc(page, bytes_))) {
    if (!memory_) throw error("no " + std::to_string(bytes_) + " bytes of memory", status::out_of_memory);
#if defined(__linux__)
    // Where the system refuses, the memory is what it would have been.
    madvise(memory_.get(), bytes_, MADV_HUGEPAGE);
#endif
  }

  /// The next `bytes` of it.
  std::byte* take(std::size_t bytes) {
    if (bytes > bytes_ - taken_) throw error("large_pages: more taken than there is", status::internal);
    return memory_.get() + std::exchange(taken_, taken_ + bytes);
  }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;

  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::size_t bytes_, taken_ = 0;
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace tessera::tune
