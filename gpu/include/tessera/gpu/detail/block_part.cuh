// SPDX-License-Identifier: BSD-3-Clause
// Copies of a block's part of an operand between global and shared memory: as a chunk, by bulk copies (the copy engine)
// or by all threads; line by line; or one matrix for all products through L1.
#pragma once

#include <tessera/core/sector.hpp>
#include <tessera/gpu/detail/bulk.cuh>

namespace tessera::device {

// clang-format off
/// An asynchronous copy of 16 bytes into shared memory; before sm_80 by a load and a store.
__device__ inline void copy_piece(void* shared, const void* global) {
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(ptx::address(shared)), "l"(global) : "memory");), (
    *static_cast<int4*>(shared) = *static_cast<const int4*>(global);))
}
/// The same of one entry.
template <class Entry>
__device__ void copy_entry(Entry* shared, const Entry* global) {
  if constexpr (sizeof(Entry) == 4 || sizeof(Entry) == 8) {
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                   :: "r"(ptx::address(shared)), "l"(global), "n"(sizeof(Entry)) : "memory");), (
      *shared = *global;))
  } else {
    *shared = *global;
  }
}
/// Before the block's barrier: waits for this thread's copies.
__device__ inline void wait_for_pieces() {
  NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.wait_all;" ::: "memory");))
}
// clang-format on

/// The most entries in a sector.
inline constexpr int most_in_a_sector = 16;

/// How the parts are copied.
template <bool Phased, bool Loads, int Threads>
struct mover {
  static constexpr bool phased = Phased, loads = Loads;
  static constexpr int threads = Threads;
  __device__ static bool by_engine() { return !Loads && has_bulk_copy(); }
};

/// A part of `Entries` entries, fewer in the last block. If Phased, it has any alignment, and its offset inside a
/// sector is the same in its region of shared memory as in global memory; else it is aligned to a piece of 16 bytes.
template <class T, int Entries, class Mover>
struct block_part {
  static constexpr int piece = 16 / int(sizeof(T)), sector = sector_bytes / int(sizeof(T));
  static constexpr int unit = Mover::phased ? sector : piece;
  static_assert(sector <= most_in_a_sector);

  T* global;
  int phase = 0, count;  // entries
  bool at_edge;          // less than a sector of the operand may be before or behind this part

  __device__ block_part(T* from, int entries, bool edge)
      : global(from), count(edge ? entries : Entries), at_edge(edge) {
    if constexpr (Mover::phased) phase = int(reinterpret_cast<unsigned long long>(from) % sector_bytes / sizeof(T));
  }

  /// Bytes that arrive by bulk copy.
  __device__ int bytes_on_the_way() const { return Mover::by_engine() ? brought() * int(sizeof(T)) : 0; }

  /// Called by every thread. The part has arrived after wait_for_pieces(), a barrier of the block, and, for bulk
  /// copies, `arrived.wait()`. Copies whole sectors, with the neighbours' entries in the first and the last one; at an
  /// operand's edge, where there may be no neighbours, whole pieces, and the rest entry by entry.
  template <class Entry>
  __device__ void load(Entry* shared, const arrival& arrived) const {
    const int first = at_edge ? head<piece>() : -phase;
    if (Mover::by_engine()) {
      if (threadIdx.x == 0 && brought() > 0)
        ptx::bulk_load(shared + first, global + first, brought() * int(sizeof(T)), arrived.barrier);
    } else {
      for (int i = int(threadIdx.x) * piece; i < brought(); i += Mover::threads * piece)
        copy_piece(shared + first + i, global + first + i);
    }
    if (at_edge) for_edges<piece>([&](int i) { copy_entry(shared + i, global + i); });
  }

  /// Entries before the part in its first piece.
  __device__ int past_piece() const { return phase % piece; }

  /// Called by every thread after the part has arrived: moves it to the start of its first piece, so that adjacent
  /// entries can be read in one access. A barrier must follow.
  template <class Entry>
  __device__ void move_to_start(Entry* piece_start) const {
    constexpr int flight = 8;
    const int by = past_piece();
    if (by == 0) return;
    for (int first = int(threadIdx.x); first - int(threadIdx.x) < count; first += flight * Mover::threads) {
      Entry value[flight];
#pragma unroll
      for (int i = 0; i < flight; ++i)
        if (first + i * Mover::threads < count) value[i] = piece_start[by + first + i * Mover::threads];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < flight; ++i)
        if (first + i * Mover::threads < count) piece_start[first + i * Mover::threads] = value[i];
    }
  }

  /// Every thread calls this between its last write to the part and the barrier before `store`.
  __device__ void before_store() const {
    if (Mover::by_engine()) ptx::writes_before_bulk();
  }
  /// Called by every thread, once, as the block's last access to its shared memory. Entries in a sector (in a piece, if
  /// nothing is phased) with neighbours' entries are stored one by one.
  __device__ void store(const T* shared) const {
    const int first = head<unit>(), body = in_whole<unit>();
    if (Mover::by_engine()) {
      if (threadIdx.x == 0 && body > 0) ptx::bulk_store(global + first, shared + first, body * int(sizeof(T)));
    } else {
      for (int i = int(threadIdx.x) * piece; i < body; i += Mover::threads * piece)
        *reinterpret_cast<int4*>(global + first + i) = *reinterpret_cast<const int4*>(shared + first + i);
    }
    if (Mover::phased || at_edge) for_edges<unit>([&](int i) { global[i] = shared[i]; });
    if (Mover::by_engine() && threadIdx.x == 0) ptx::bulk_store_has_read();  // another block gets this memory next
  }

 private:
  // Entries before the first whole piece or sector, and entries in whole ones.
  template <int size>
  __device__ int head() const {
    return min(count, (size - phase % size) % size);
  }
  template <int size>
  __device__ int in_whole() const {
    return (count - head<size>()) / size * size;
  }
  // Entries that are copied as pieces.
  __device__ int brought() const { return at_edge ? in_whole<piece>() : (phase + Entries + unit - 1) / unit * unit; }
  template <int size, class Move>
  __device__ void for_edges(Move move) const {
    for (int i = int(threadIdx.x); i < count - in_whole<size>(); i += Mover::threads)
      move(i < head<size>() ? i : i + in_whole<size>());
  }
};

/// The same line by line, each of whole pieces, `Pitch` entries apart in shared memory. Called by every thread, which
/// copies: bulk copies are slow for many small requests.
template <int Along, int Pitch, class Mover, class T, class Entry>
__device__ void load_lines(Entry* shared, const T* global, int lines) {
  constexpr int piece = 16 / int(sizeof(T)), pieces = Along / piece;
  for (int i = int(threadIdx.x); i < lines * pieces; i += Mover::threads)
    copy_piece(shared + i / pieces * Pitch + i % pieces * piece, global + i * piece);
}

/// One matrix for all products: plain loads, which hit L1 from a multiprocessor's second block on.
template <int Along, int Lines, int Pitch, class Mover, class T, class Entry>
__device__ void load_through_cache(Entry* shared, const T* global) {
  constexpr int flight = 8, step = Mover::threads, all = Along * Lines;
  for (int first = int(threadIdx.x); first < all; first += flight * step) {
    Entry value[flight];
#pragma unroll
    for (int i = 0; i < flight; ++i)
      if (first + i * step < all) value[i] = global[first + i * step];
#pragma unroll
    for (int i = 0; i < flight; ++i) {
      const int at = first + i * step, line = at / Along;
      if (at < all) shared[line * Pitch + at - line * Along] = value[i];
    }
  }
}

}  // namespace tessera::device
