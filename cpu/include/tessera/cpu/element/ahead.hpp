// SPDX-License-Identifier: BSD-3-Clause
// Asking for a later block's data, a few lines of memory at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Two pieces of memory, first the one and then the other, that are asked for a little at each step. Places no more
/// than a line apart are asked for, so that none is missed wherever lines begin; one is asked for again where steps are
/// shorter than it. Spread over a kernel the requests cost little and hide the memory's latency behind its arithmetic;
/// in one place they would wait for one another. A core may drop requests while as many as it can follow are on their
/// way (Zen 4: nothing but requests passes 215 GB/s by a memory of 30), so each line may be asked for several times.
struct read_ahead {
  const char* next = nullptr;
  index_t bytes = 0;      // a step goes on by
  int places = 0;         // and asks for
  index_t left = no_end;  // bytes of the piece
  const char* second = nullptr;
  bool near = false;  // into the first level, else into the second
  int asks = 1;       // for each line, `apart` from one to the next

  read_ahead() = default;
  /// All of both, `a_step` bytes a step. A piece of no bytes is none.
  read_ahead(const char* first, index_t first_size, const char* then, index_t then_size, index_t a_step,
             bool into_first_level = false, int times = 1)
      : next(first_size > 0 ? first : then),
        bytes(a_step),
        places(int((a_step + 63) / 64)),
        left(first_size > 0 ? first_size : no_end),
        second(then_size > 0 ? then : first + first_size),
        near(into_first_level),
        asks(times) {}

  /// Bytes a step for `size` of two pieces in about `steps`, one more than would do if they were one.
  static constexpr index_t share_of(index_t size, index_t steps) {
    return steps > 2 ? (size + steps - 2) / (steps - 1) : size;
  }

  /// Number by number: read as vectors they could not be forwarded from what has just written them one by one, and the
  /// read would wait for all that was sent past the caches before.
  [[gnu::always_inline]] static read_ahead copy_of(const read_ahead& from) {
    read_ahead r;
    r.next = scalar(from.next);
    r.bytes = scalar(from.bytes);
    r.places = scalar(from.places);
    r.left = scalar(from.left);
    r.second = scalar(from.second);
    r.near = scalar(from.near);
    r.asks = scalar(from.asks);
    return r;
  }

  [[gnu::always_inline]] void step() {
    for (int a = 0; a < asks; ++a) {
      const char* const at = next - a * apart;
      if (near)
        for (int i = 0; i < places; ++i) __builtin_prefetch(at + 64 * i, 0, 3);
      else
        for (int i = 0; i < places; ++i) __builtin_prefetch(at + 64 * i, 0, 2);
    }
    next += bytes;
    left -= bytes;
    if (left <= 0) [[unlikely]] {
      next = second;
      left = no_end;
    }
  }

 private:
  template <class V>
  [[gnu::always_inline]] static V scalar(V v) {
    asm("" : "+r"(v));
    return v;
  }
  static constexpr index_t no_end = index_t(1) << 60, apart = 1 << 10;
};

}  // namespace tessera
