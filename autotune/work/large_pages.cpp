// SPDX-License-Identifier: BSD-3-Clause
// Requests large pages; if the system has none, ordinary memory is used.
#include "work/large_pages.hpp"

#include <sys/mman.h>

#include <string>
#include <utility>

#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

constexpr std::size_t page = std::size_t{2} << 20;

}  // namespace

large_pages::large_pages(std::size_t bytes)
    : bytes_((bytes + page - 1) / page * page), memory_(static_cast<std::byte*>(std::aligned_alloc(page, bytes_))) {
  if (!memory_) throw error("no " + std::to_string(bytes_) + " bytes of memory", status::out_of_memory);
  madvise(memory_.get(), bytes_, MADV_HUGEPAGE);
}

std::byte* large_pages::take(std::size_t bytes) {
  if (bytes > bytes_ - taken_)
    throw error("large_pages: " + std::to_string(bytes) + " bytes wanted, " + std::to_string(bytes_ - taken_) + " left",
                status::internal);
  return memory_.get() + std::exchange(taken_, taken_ + bytes);
}

}  // namespace tessera::tune
