// SPDX-License-Identifier: BSD-3-Clause
// Moving a block's share of an operand, one contiguous piece, between global and shared memory: by the copy engine, or
// by every thread.
#pragma once

#include <tessera/gpu/bulk.cuh>

namespace tessera::device {

// clang-format off
/// An asynchronous copy of 16 bytes into shared memory; before sm_80 by a load and a store.
__device__ inline void copy_piece(void* shared, const void* global) {
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(ptx::address(shared)), "l"(global) : "memory");), (
    *static_cast<int4*>(shared) = *static_cast<const int4*>(global);))
}
/// Before the block's barrier: this thread's copies have landed.
__device__ inline void wait_for_pieces() {
  NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.wait_all;" ::: "memory");))
}
// clang-format on

/// How shares are moved.
template <bool Phased, bool Loads, int Threads>
struct mover {
  static constexpr bool phased = Phased, loads = Loads;
  static constexpr int threads = Threads;
  __device__ static bool by_engine() { return !Loads && has_bulk_copy(); }
};

/// A share of `Entries` entries, fewer in the last block. Where Phased, it starts anywhere, and as far inside a 16-byte
/// piece in shared memory as in global memory; else it starts on a piece.
template <class T, int Entries, class Mover>
struct share {
  static constexpr int piece = 16 / int(sizeof(T));

  T* global;
  int phase = 0, count;  // entries
  bool last;             // maybe less than a piece of the operand lies behind this share

  __device__ share(T* from, int entries, bool is_last)
      : global(from), count(is_last ? entries : Entries), last(is_last) {
    if constexpr (Mover::phased) phase = int(reinterpret_cast<unsigned long long>(from) % 16 / sizeof(T));
  }

  /// Bytes that the copy engine brings.
  __device__ int bytes_on_the_way() const { return Mover::by_engine() ? brought() * int(sizeof(T)) : 0; }

  /// Called by every thread. The share is there after wait_for_pieces(), a barrier of the block, and, for what the copy
  /// engine brings, `arrived.wait()`. Brings whole pieces, with the neighbours' entries in the first and the last one;
  /// the last share's last piece, which may go beyond the operand's memory, comes entry by entry.
  template <class Entry>
  __device__ void load(Entry* shared, const arrival& arrived) const {
    Entry* const to = shared - phase;
    const T* const from = global - phase;
    if (Mover::by_engine()) {
      if (threadIdx.x == 0 && brought() > 0)
        ptx::bulk_load(to, from, brought() * int(sizeof(T)), arrived.barrier);
    } else {
      for (int i = int(threadIdx.x) * piece; i < brought(); i += Mover::threads * piece) copy_piece(to + i, from + i);
    }
    if (last)
      for (int i = max(brought(), phase) + int(threadIdx.x); i < phase + count; i += Mover::threads) to[i] = from[i];
  }

  /// Every thread calls this between its last write to the share and the barrier before `store`.
  __device__ void before_store() const {
    if (Mover::by_engine()) ptx::writes_before_bulk();
  }
  /// Called by every thread, once, as the block's last access to its shared memory. What shares its piece with neighbours
  /// goes entry by entry.
  __device__ void store(const T* shared) const {
    const int head = min(count, (piece - phase) % piece), body = (count - head) / piece * piece;
    if (Mover::by_engine()) {
      if (threadIdx.x == 0 && body > 0) ptx::bulk_store(global + head, shared + head, body * int(sizeof(T)));
    } else {
      for (int i = int(threadIdx.x) * piece; i < body; i += Mover::threads * piece)
        *reinterpret_cast<int4*>(global + head + i) = *reinterpret_cast<const int4*>(shared + head + i);
    }
    if (Mover::phased || last || Entries % piece != 0)
      for (int i = int(threadIdx.x); i < count - body; i += Mover::threads) {
        const int at = i < head ? i : i + body;
        global[at] = shared[at];
      }
    if (Mover::by_engine() && threadIdx.x == 0) ptx::bulk_store_has_read();  // this memory is another block's next
  }

 private:
  // Entries, from the first one's piece on, that come as pieces.
  __device__ int brought() const {
    return last ? (phase + count) / piece * piece : (phase + Entries + piece - 1) / piece * piece;
  }
};

}  // namespace tessera::device
