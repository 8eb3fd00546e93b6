// SPDX-License-Identifier: BSD-3-Clause
// The loop over blocks of elements, on all threads: of applications, matrices, diagonals and geometry.
#pragma once

#include <algorithm>

#include <tessera/cpu/detail/element/block.hpp>
#include <tessera/element/element_set.hpp>

#include "scratch.hpp"

namespace tessera::detail {

/// The elements that share a vector.
struct lane_elements {
  // Only lanes that exist are initialised. If all were, g++ would clear them by `rep stos`, which waits for the
  // non-temporal stores of the block before (Zen 5, mass, p = 1: 100 of 190 ns a block).
  index_t element[most_lanes];
  unsigned active = 0;  // bit w: lane w has an element of its own; the others repeat the first active one's
  index_t block = -1;   // lane w is element w + lanes block; -1 for elements of a list
};

/// The elements of a range or a list, in blocks of one element a lane. Those of a range are the blocks that D is stored
/// in, so that the first and the last one may have inactive lanes.
class element_blocks {
 public:
  element_blocks(const element_set& which, index_t lanes) : which_(which), lanes_(lanes) {
    first_ = which.listed ? 0 : which.first / lanes;
    const index_t end = which.listed ? index_t(which.list.size()) : which.last;
    count_ = end / lanes + (end % lanes != 0 ? 1 : 0) - first_;
  }

  index_t count() const { return count_; }
  index_t lanes() const { return lanes_; }
  bool are_listed() const { return which_.listed; }
  /// The number of block b among all blocks of the operator's elements; not for a list.
  index_t number(index_t b) const { return first_ + b; }
  unsigned all_lanes() const { return unsigned((1ull << lanes_) - 1); }

  /// Inlined, and with one return, so that nothing is copied: most blocks are whole, and copying so many numbers that
  /// were just written one by one takes as long as a part of a small kernel.
  [[gnu::always_inline]] lane_elements operator[](index_t b) const {
    lane_elements result;
    const index_t e0 = (first_ + b) * lanes_;
    if (!which_.listed && e0 >= which_.first && e0 + lanes_ <= which_.last) {
      for (index_t w = 0; w < lanes_; ++w) result.element[w] = e0 + w;
      result.active = all_lanes();
    } else {
      set_some_lanes(e0, result);
    }
    if (!which_.listed) result.block = first_ + b;
    return result;
  }

 private:
  // Lanes from entry e0 of a list or element e0 of a range on, some of which may be inactive.
  [[gnu::noinline]] void set_some_lanes(index_t e0, lane_elements& to) const {
    const index_t first = which_.listed ? e0 : std::max(e0, which_.first);
    const index_t last = which_.listed ? index_t(which_.list.size()) : which_.last;
    for (index_t w = 0; w < lanes_; ++w) {
      const bool active = e0 + w >= first && e0 + w < last;
      if (active) to.active |= 1u << w;
      const index_t e = active ? e0 + w : first;
      to.element[w] = which_.listed ? which_.list[std::size_t(e)] : e;
    }
  }

  element_set which_;
  index_t lanes_, first_, count_;
};

/// The blocks [begin, end) that one thread works on, with scratch memory of its own.
template <class T>
struct block_chunk {
  const element_blocks& blocks;
  index_t begin, end;
  T* scratch;

  /// f(elements, b) for each block.
  template <class F>
  [[gnu::always_inline]] void each(const F& f) const {
    for (index_t b = begin; b < end; ++b) f(blocks[b], b);
  }
};

/// f(chunk) for every thread; the scratch memory of a chunk has `entries` numbers, aligned to a page. `serial`: one
/// chunk, in the calling thread.
template <class T, class F>
void for_block_chunks(const element_blocks& blocks, index_t entries, bool serial, const F& f) {
  for_chunks_with_scratch<T>(blocks.count(), entries, serial, [&](index_t begin, index_t end, T* scratch) {
    f(block_chunk<T>{blocks, begin, end, scratch});
  });
}

}  // namespace tessera::detail
