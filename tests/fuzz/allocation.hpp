// SPDX-License-Identifier: BSD-3-Clause
// The memory limit of fuzzed code: of each allocation by operator new or by the library, while an object of it lives.
#pragma once

#include <cstddef>

namespace fuzz {

inline constexpr std::size_t most_bytes = std::size_t{1} << 22;

class memory_limit {
 public:
  memory_limit();
  ~memory_limit();
  memory_limit(const memory_limit&) = delete;
};

}  // namespace fuzz
