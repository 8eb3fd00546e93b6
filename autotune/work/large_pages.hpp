// SPDX-License-Identifier: BSD-3-Clause
// Memory in large pages if the system has them. Small pages have other physical addresses in every process, and with
// them other conflicts in the sets of a cache: the time of the same kernel over the same operands then varies between
// runs.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace tessera::tune {

class large_pages {
 public:
  explicit large_pages(std::size_t bytes);

  /// The next `bytes` of it. Throws status::internal if fewer are left.
  std::byte* take(std::size_t bytes);

 private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::size_t bytes_, taken_ = 0;
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace tessera::tune
