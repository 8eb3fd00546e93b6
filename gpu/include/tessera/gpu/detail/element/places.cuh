// SPDX-License-Identifier: BSD-3-Clause
// First and last step of the kernels of symmetric element matrices: D is copied to shared memory, and each entry of M
// is copied from its position in shared memory, which a table gives.
#pragma once

#include <tessera/gpu/detail/element/matrix_arguments.hpp>
#include <tessera/gpu/detail/element/pair_layout.hpp>

namespace tessera::device {

/// The table lists the positions of the entries that a block writes, in their order, and has shifted copies of this
/// list: copy s is shifted by s positions, so that the positions of 16 bytes of entries are one load, whatever the
/// alignment of the first entry. at_once: pieces of 16 bytes that a thread has in flight.
template <class T, class Stores, int threads, int at_once = 4>
class placed_entries {
  static constexpr int per_piece = 16 / int(sizeof(T)), per_line = 128 / int(sizeof(T));
  struct alignas(16) piece {
    T at[per_piece];
  };
  struct alignas(2 * per_piece) places_of_piece {
    unsigned short at[per_piece];
  };

 public:
  /// Writes `count` entries from `to` on, from the first `count` positions of `places`; the stores of neighbouring
  /// threads are coalesced to whole lines of 128 bytes.
  static void store(T* to, int count, const entry_places& places, const T* staged, int thread) {
    // Counted from the multiple of 128 bytes before the first one.
    const int begin = int(reinterpret_cast<unsigned long long>(to) % 128 / sizeof(T)), end = begin + count;
    const int off = begin % per_piece, before = begin - off;
    T* const line = to - begin;
    const unsigned short* const own = places.at + index_t(places.pitch) * off;
    for (int first = thread * per_piece; first < end; first += threads * per_piece * at_once) {
      places_of_piece from[at_once];
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int at = first + n * threads * per_piece;
        if (whole(at, begin, end)) from[n] = *reinterpret_cast<const places_of_piece*>(own + (at - before));
      }
#pragma unroll
      for (int n = 0; n < at_once; ++n) {
        const int at = first + n * threads * per_piece;
        if (!whole(at, begin, end)) continue;
        piece now;
#pragma unroll
        for (int i = 0; i < per_piece; ++i) now.at[i] = staged[from[n].at[i]];
        Stores::store(line + at, now.at);
      }
    }
    // The entries at both ends, whose 16 bytes are not all entries of this block.
    const int head = least(off > 0 ? before + per_piece : begin, end), tail = larger(end / per_piece * per_piece, head);
    const bool of_tail = thread >= per_piece;
    const int at = of_tail ? tail + thread - per_piece : begin + thread;
    if (at < (of_tail ? end : head)) line[at] = staged[own[at - before]];
  }

 private:
  static constexpr bool whole(int at, int begin, int end) { return at >= begin && at + per_piece <= end; }
  static constexpr int least(int a, int b) { return a < b ? a : b; }
  static constexpr int larger(int a, int b) { return a > b ? a : b; }
};

/// Writes the matrices of a block, or, where matrices are sliced, the columns of slice `slice` of one matrix.
template <class T, class Stores, int threads, int at_once = 4, class Arguments>
void store_matrices(const Arguments& a, const pair_layout& slices, index_t first, int slice, const T* staged,
                    int thread) {
  const index_t rest = a.count - first, start = slices.start_of(slice), elements = slices.by.elements;
  if (rest <= 0) return;
  const index_t entries = slices.entries_of_matrix();
  const index_t count =
      slices.by.sliced ? slices.start_of(slice + 1) - start : (rest < elements ? rest : elements) * entries;
  entry_places places = a.places;
  if (slices.by.sliced) places.at += slices.places_of(slice);
  placed_entries<T, Stores, threads, at_once>::store(a.M + first * entries + start, int(count), places, staged, thread);
}

/// The same for whole matrices, one entry at a time: it needs no shifted copies of the table and no branches. A thread
/// has `at_once` entries in flight, and the positions of the next `at_once`.
template <class T, class Stores, int threads, int at_once>
class single_entries {
  static constexpr int turn = at_once * threads;

 public:
  static void store(T* to, int count, const unsigned short* places, const T* staged, int thread) {
    // Neighbouring threads write whole lines of 128 bytes.
    const int begin = int(reinterpret_cast<unsigned long long>(to) % 128 / sizeof(T));
    int at = thread >= begin ? thread - begin : thread - begin + threads;
    to += at;
    places += at;
    const int last_whole = count - 1 - (turn - threads);
    constexpr auto all = [](int) { return true; };
    unsigned short now[at_once];
    if (at <= last_whole) take(now, places, all);
    for (; at <= last_whole; at += turn) {
      places += turn;
      unsigned short next[at_once] = {};
      if (at + turn <= last_whole) take(next, places, all);
      put(to, now, staged, all);
#pragma unroll
      for (int n = 0; n < at_once; ++n) now[n] = next[n];
      to += turn;
    }
    const auto is_there = [&](int n) { return at + n * threads < count; };
    take(now, places, is_there);
    put(to, now, staged, is_there);
  }

 private:
  template <class IsThere>
  static void take(unsigned short (&to)[at_once], const unsigned short* from, const IsThere& is_there) {
#pragma unroll
    for (int n = 0; n < at_once; ++n) to[n] = is_there(n) ? from[n * threads] : 0;
  }
  template <class IsThere>
  static void put(T* to, const unsigned short (&from)[at_once], const T* staged, const IsThere& is_there) {
    T now[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n) now[n] = staged[from[n]];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (is_there(n)) Stores::store(to + n * threads, now[n]);
  }
};

template <class T, class Stores, int threads, int at_once, class Arguments>
void store_singly(const Arguments& a, const pair_layout& whole, index_t first, const T* staged, int thread) {
  const index_t rest = a.count - first, elements = whole.by.elements;
  if (rest <= 0) return;
  const index_t entries = whole.entries_of_matrix();
  single_entries<T, Stores, threads, at_once>::store(
      a.M + first * entries, int((rest < elements ? rest : elements) * entries), a.places.at, staged, thread);
}

/// Copies D of a block's elements to shared memory. A thread has up to 26 entries in flight, which is what registers
/// allow, and takes as few rounds as that allows.
template <class Stored, int elements, int of_element, int pitch, int threads, class Arguments, class T>
void put_data_of_block(const Arguments& a, index_t first, T* to, int thread) {
  constexpr int all = elements * of_element, most = 26, of_thread = (all + threads - 1) / threads;
  constexpr int turns = (of_thread + most - 1) / most, at_once = of_thread <= 8 ? 8 : (of_thread + turns - 1) / turns;
  const Stored* const from = static_cast<const Stored*>(a.D) + (a.first + first) * of_element;
  const index_t rest = (a.count - first) * of_element;
  for (int begin = thread; begin < all; begin += threads * at_once) {
    Stored now[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (const int at = begin + n * threads; at < all && at < rest) now[n] = from[at];
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (const int at = begin + n * threads; at < all && at < rest)
        to[at / of_element * pitch + at % of_element] = T(now[n]);
  }
}

}  // namespace tessera::device
