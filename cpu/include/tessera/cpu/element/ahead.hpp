// SPDX-License-Identifier: BSD-3-Clause
// Asking for a later block's data, a few lines of memory at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Memory that is asked for line by line: each step asks for `lines` more of those in [next, end).
struct memory_ahead {
  const char* next = nullptr;
  const char* end = nullptr;
  int lines = 0;

  /// The lines a step for `bytes` in about `steps` steps.
  static int lines_for(index_t bytes, index_t steps) { return int((bytes + 64 * steps - 1) / (64 * steps)); }

  // Into the second level: the first has no room, and keeps fewer requests.
  [[gnu::always_inline]] void step() {
    for (int l = 0; l < lines && next < end; ++l, next += 64) __builtin_prefetch(next, 0, 2);
  }
};

/// Spread evenly over a kernel the requests cost nothing and hide the memory's latency behind its arithmetic; in one
/// place, they would wait for one another.
struct read_ahead {
  memory_ahead D{}, x{};

  [[gnu::always_inline]] void step() {
    D.step();
    x.step();
  }
};

}  // namespace tessera
