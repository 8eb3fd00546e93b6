// SPDX-License-Identifier: BSD-3-Clause
// Asking for a later block's data, a few lines of memory at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Two pieces of memory, first the one and then the other, that are asked for a little at each step. Places no more
/// than a line apart are asked for, so that none is missed wherever lines begin; one is asked for again where steps are
/// shorter than it. Spread over a kernel the requests cost little and hide the memory's latency behind its arithmetic;
/// in one place they would wait for one another.
struct read_ahead {
  const char* next = nullptr;
  index_t bytes = 0;      // a step goes on by
  int places = 0;         // and asks for
  index_t left = no_end;  // bytes of the piece
  const char* second = nullptr;

  read_ahead() = default;
  /// All of both, in about `steps` steps, one more than would do if they were one piece. A piece of no bytes is none.
  read_ahead(const char* first, index_t first_size, const char* then, index_t then_size, index_t steps)
      : next(first_size > 0 ? first : then),
        bytes(share_of(first_size + then_size, steps > 1 ? steps - 1 : 1)),
        places(int((bytes + 63) / 64)),
        left(first_size > 0 ? first_size : no_end),
        second(then_size > 0 ? then : first + first_size) {}

  // Into the second level: the first has no room, and keeps fewer requests.
  [[gnu::always_inline]] void step() {
    for (int i = 0; i < places; ++i) __builtin_prefetch(next + 64 * i, 0, 2);
    next += bytes;
    left -= bytes;
    if (left <= 0) [[unlikely]] {
      next = second;
      left = no_end;
    }
  }

 private:
  static constexpr index_t share_of(index_t size, index_t steps) { return (size + steps - 1) / steps; }
  static constexpr index_t no_end = index_t(1) << 60;
};

}  // namespace tessera
