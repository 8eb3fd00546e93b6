// SPDX-License-Identifier: BSD-3-Clause
// Prefetches the data of a later block, a few cache lines at a time, while this block is computed.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Prefetches two pieces of memory, one after the other, a little at each step of a kernel. Spread over a kernel the
/// prefetches cost little, and the memory's latency is hidden behind its arithmetic; in one place they would wait for
/// one another. Prefetched addresses are no more than a cache line apart, so that no line is missed wherever lines
/// begin; where a step is shorter than a line, a line is prefetched again. A core may drop prefetches while it has as
/// many on their way as it can follow (Zen 4: nothing but prefetches passes 215 GB/s by a memory of 30), so each line
/// may be prefetched several times.
struct prefetcher {
  const char* next = nullptr;
  index_t step_bytes = 0;  // from one step to the next
  int lines = 0;           // that a step prefetches
  index_t left = no_end;   // bytes of the piece
  const char* second = nullptr;
  bool to_l1 = false;  // else to L2
  int repeats = 1;     // of each line, `apart` bytes from one to the next

  prefetcher() = default;
  /// All of both, `a_step` bytes a step. A piece of no bytes is none.
  prefetcher(const char* first, index_t first_size, const char* then, index_t then_size, index_t a_step,
             bool into_l1 = false, int times = 1)
      : next(first_size > 0 ? first : then),
        step_bytes(a_step),
        lines(int((a_step + 63) / 64)),
        left(first_size > 0 ? first_size : no_end),
        second(then_size > 0 ? then : first + first_size),
        to_l1(into_l1),
        repeats(times) {}

  /// Bytes a step for `size` of two pieces in about `steps`, one more than would do if they were one.
  static constexpr index_t step_for(index_t size, index_t steps) {
    return steps > 2 ? (size + steps - 2) / (steps - 1) : size;
  }

  /// Copied number by number. The caller has just written them one by one: read as vectors they could not be forwarded
  /// from its stores, and the read would wait for all non-temporal stores before.
  [[gnu::always_inline]] static prefetcher copy_of(const prefetcher& from) {
    prefetcher r;
    r.next = scalar(from.next);
    r.step_bytes = scalar(from.step_bytes);
    r.lines = scalar(from.lines);
    r.left = scalar(from.left);
    r.second = scalar(from.second);
    r.to_l1 = scalar(from.to_l1);
    r.repeats = scalar(from.repeats);
    return r;
  }

  [[gnu::always_inline]] void step() {
    for (int r = 0; r < repeats; ++r) {
      const char* const at = next - r * apart;
      if (to_l1)
        for (int i = 0; i < lines; ++i) __builtin_prefetch(at + 64 * i, 0, 3);
      else
        for (int i = 0; i < lines; ++i) __builtin_prefetch(at + 64 * i, 0, 2);
    }
    next += step_bytes;
    left -= step_bytes;
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
