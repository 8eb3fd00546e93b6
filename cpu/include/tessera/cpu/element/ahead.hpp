// SPDX-License-Identifier: BSD-3-Clause
// Asking for a later block's data, a few lines of memory at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Memory that is asked for a little at each step. No branch depends on where the lines begin: places no more than a
/// line apart are asked for, so that a line is asked for again where steps are shorter than it.
struct memory_ahead {
  const char* next = nullptr;
  index_t bytes = 0;  // a step goes on by
  int places = 0;     // and asks for

  memory_ahead() = default;
  /// All `size` bytes from `from` on, in about `steps` steps.
  memory_ahead(const char* from, index_t size, index_t steps)
      : next(from), bytes((size + steps - 1) / steps), places(int((bytes + 63) / 64)) {}

  // Into the second level: the first has no room, and keeps fewer requests.
  [[gnu::always_inline]] void step() {
    for (int i = 0; i < places; ++i) __builtin_prefetch(next + 64 * i, 0, 2);
    next += bytes;
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
