// SPDX-License-Identifier: BSD-3-Clause
// Asking for the next block's data, a few lines of memory at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Each step asks for `lines` more of the lines from `next` on. Spread evenly over a kernel the requests cost nothing
/// and hide the memory's latency behind its arithmetic; in one place, they would wait for one another.
struct read_ahead {
  const char* next = nullptr;
  int lines = 0;

  [[gnu::always_inline]] void step() {
    for (int l = 0; l < lines; ++l, next += 64) __builtin_prefetch(next, 0, 2);
  }
};

}  // namespace tessera
