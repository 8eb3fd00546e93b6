// SPDX-License-Identifier: BSD-3-Clause
// The kernel with everything at run time for few rows or columns: matrix-vector and dot products. A thread has one sum,
// or a part of it. An ordinary constexpr program between barriers, so that tests run it on the host.
#pragma once

#include <tessera/gpu/detail/general/any_tiles.cuh>

namespace tessera::device {

/// 2^lanes_log outputs by 256 threads, which split the sums: thread s of an output has terms s, s + threads, ..., and
/// parts are added in pairs. `Block` as for any_tile_program.
template <class S, class Target>
struct any_sum_program {
  static constexpr int at_once = 4;  // terms on their way
  static constexpr int blocks =
      is_complex<S> ? 2 : 3;  // of a multiprocessor, for whose number of registers it compiles

  struct shared_memory {
    alignas(16) S sums[any_threads];
  };
  struct thread {
    int number;
    any_place at;  // of the output; its rows' in left, its columns' in right
    bool inside;
    S sum;
  };

  const any_work& work;
  shared_memory& shared;

  constexpr int lanes() const { return 1 << work.lanes_log; }

  constexpr void place(thread& t, index_t tile) {
    const index_t product = work.tiles_down.quotient(tile, work.wide);
    const index_t outputs = work.rows.size * work.cols.size;
    const index_t own = (tile - product * work.tiles_down.by) * lanes() + (t.number & (lanes() - 1));
    t.inside = own < outputs;
    const index_t output = t.inside ? own : outputs - 1;
    // Neighbours are side by side in the output.
    const index_t col = work.tiles_across.quotient(output, work.wide), row = output - col * work.tiles_across.by;
    const any_place a = work.rows.place(row, work.wide), b = work.cols.place(col, work.wide),
                    c = work.batch.place(product, work.wide);
    t.at = {a.left + c.left, b.right + c.right, a.out + b.out + c.out, a.addend + b.addend + c.addend};
  }

  constexpr void add_terms(thread& t) {
    const index_t slices = any_threads >> work.lanes_log, first = t.number >> work.lanes_log;
    const char* const left = work.left + t.at.left;
    const char* const right = work.right + t.at.right;
    t.sum = neutral();
    for (index_t k = first; k < work.inner.size; k += at_once * slices) {
      const char *from_left[at_once], *from_right[at_once];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const index_t now = k + i * slices;
        const any_place place = work.inner.place(now < work.inner.size ? now : k, work.wide);
        from_left[i] = left + place.left;
        from_right[i] = right + place.right;
      }
      any_bits<S> bits_left[at_once], bits_right[at_once];
      load(work.left_type, from_left, bits_left);
      load(work.right_type, from_right, bits_right);
      S a[at_once], b[at_once];
      left_entries<Target>(work, bits_left, a);
      right_entries<Target>(work, bits_right, b);
      with_operations<S>(work.functions.pair, [&](auto pair) {
#pragma unroll
        for (int i = 0; i < at_once; ++i)
          if (k + i * slices < work.inner.size) pair.add_term(t.sum, a[i], b[i]);
      });
    }
  }
  constexpr S neutral() const {
    return with_operations<S>(work.functions.pair, [](auto pair) { return pair.template neutral<S>(); });
  }

  constexpr void add_parts(const thread& t, int step) {
    if (t.number >= step) return;
    S& sum = shared.sums[t.number];
    const S other = shared.sums[t.number + step];
    sum = with_operations<S>(work.functions.pair, [&](auto pair) { return pair.add(sum, other); });
  }
  constexpr void finish(const thread& t) {
    if (t.number >= lanes() || !t.inside) return;
    S sum[] = {shared.sums[t.number]};
    const index_t addend[] = {t.at.addend};
    char* const out[] = {work.out + t.at.out};
    put_results<Target>(work, sum, addend, out);
  }

  /// Tiles first, first + step and so on.
  template <class Block>
  constexpr void run(Block& block, index_t first, index_t step) {
    for (index_t tile = first; tile < work.tiles; tile += step) {
      block.run([&](thread& t) {
        place(t, tile);
        add_terms(t);
        shared.sums[t.number] = t.sum;
      });
      block.wait();
      for (int parts = any_threads / 2; parts >= lanes(); parts /= 2) {
        block.run([&](const thread& t) { add_parts(t, parts); });
        block.wait();
      }
      block.run([&](const thread& t) { finish(t); });
      block.wait();
    }
  }
};

}  // namespace tessera::device
