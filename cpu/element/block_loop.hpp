// SPDX-License-Identifier: BSD-3-Clause
// Goes over elements first, first + 1, ... block by block, on all threads: what matrices and diagonals have in common.
#pragma once

#include <tessera/cpu/parallel.hpp>

#include "block_source.hpp"
#include "scratch.hpp"

namespace tessera::detail {

/// Elements [first, first + count) in the blocks that D has them in.
struct element_blocks {
  index_t first, last, lanes, first_block, count;

  element_blocks(index_t first_element, index_t elements, index_t lanes_of_D)
      : first(first_element),
        last(first_element + elements),
        lanes(lanes_of_D),
        first_block(first_element / lanes_of_D),
        count((last + lanes - 1) / lanes - first_block) {}
};

/// Some of these, which one thread has: block(which, D, next) for each, `next` being the block whose D is needed after
/// this one, -1 behind the last.
template <class T>
struct block_chunk {
  const element_blocks& of;
  const block_source<T>& D;
  index_t begin, end;
  T* scratch;    // of the caller's
  T* D_scratch;  // of D's own

  template <class F>
  void each(const F& block) const {
    for (index_t b = of.first_block + begin; b < of.first_block + end; ++b) {
      const lane_elements which = lanes_of_block(b, of.lanes, of.first, of.last);
      block(which, D.block(which, D_scratch), b + 1 < of.first_block + end ? b + 1 : -1);
    }
  }
};

/// f(chunk) for every thread; a chunk has `entries` numbers of scratch memory.
template <class T, class F>
void for_block_chunks(const element_blocks& blocks, const block_source<T>& D, index_t entries, bool serial,
                      const F& f) {
  const index_t own = aligned(entries);
  for_chunks_with_scratch<T>(blocks.count, own + D.scratch(), serial, [&](index_t begin, index_t end, T* scratch) {
    f(block_chunk<T>{blocks, D, begin, end, scratch, scratch + own});
  });
}

}  // namespace tessera::detail
