// SPDX-License-Identifier: BSD-3-Clause
// Memory in large pages where the system has them. Small pages lie elsewhere in every process, and with them the lines
// that meet in a set of a cache: the same kernel over the same operands then takes longer in one run than in the next.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace tessera::tune {

class large_pages {
 public:
  explicit large_pages(std::size_t bytes);

  /// The next `bytes` of it. Throws status::internal where there are not so many left.
  std::byte* take(std::size_t bytes);

 private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  std::size_t bytes_, taken_ = 0;
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace tessera::tune
