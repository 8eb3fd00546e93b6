// SPDX-License-Identifier: BSD-3-Clause
// The kernel with everything at run time that works by tiles: parts of both operands are converted on the way to shared
// memory, and each thread has 4 x 4 sums. An ordinary constexpr program between barriers, so that tests run it on the
// host.
#pragma once

#include <tessera/gpu/detail/general/any_outputs.cuh>

namespace tessera::device {

/// A tile of Side x Side outputs. Threads beyond those of a tile split the sum. Shared memory has two stages of Box
/// entries of the sum: while one is multiplied, the next one is on its way in registers.
///
/// `Block` runs a part of the program in every thread: block.run(part), part(thread), and block.wait() is a barrier.
template <class S, class Target, int Side>
struct any_tile_program {
  static constexpr int each = 4;                                                       // rows and columns of a thread
  static constexpr int across = Side / each;                                           // threads, also down
  static constexpr int slices = any_threads / (across * across);                       // of the sum
  static constexpr int box = (sizeof(S) > 8 ? 512 : 1024) / Side;                      // entries of the sum in a stage
  static constexpr int together = int(16 / sizeof(S) < each ? 16 / sizeof(S) : each);  // read at once
  static constexpr int pitch = Side + together;
  static constexpr int loads = Side * box / any_threads;  // of an operand, of a thread
  static constexpr int chunk_cols = Side / 4, chunk_pitch = Side + 1;
  static constexpr int finished = Side * chunk_cols >= any_threads ? Side * chunk_cols / any_threads : 1;
  static constexpr int blocks =
      is_complex<S> ? 1 : 2;  // of a multiprocessor, for whose number of registers it compiles
  static_assert(slices * chunk_cols * chunk_pitch <= 4 * box * pitch);

  struct alignas(16) vector {
    S at[together];
  };
  struct inner_place {
    index_t left, right;
  };
  struct line_place {
    index_t in, out, addend;
  };
  struct product_place {
    index_t left, right, out, addend;
  };
  // Without initialisers, which shared memory must not have.
  struct shared_memory {
    alignas(16) S stages[4 * box * pitch];  // left, right, left, right; afterwards (slices, chunk_cols, chunk_pitch)
    inner_place inner[2][box];
    line_place rows[Side], cols[Side];
    product_place product;
  };
  struct thread {
    int number;
    S sums[each][each];
    any_bits<S> left[loads], right[loads];
  };

  // Threads of a slice in groups of 8 x 4, so that a warp reads few different entries.
  static constexpr int thread_row(int number) {
    if constexpr (across < 8)
      return number % across;
    else
      return number % 8 + number / 32 % (across / 8) * 8;
  }
  static constexpr int thread_col(int number) {
    if constexpr (across < 8)
      return number / across % across;
    else
      return number / 8 % 4 + number / 32 / (across / 8) * 4;
  }
  static constexpr int slice(int number) { return number / (across * across); }
  // Of a thread's sum i.
  static constexpr int line(int of_thread, int i) {
    return (i / together * across + of_thread) * together + i % together;
  }

  const any_work& work;
  shared_memory& shared;
  index_t row_tile = 0, col_tile = 0, product = 0;

  constexpr void choose(index_t tile) {
    const index_t rest = work.tiles_down.quotient(tile, work.wide);
    row_tile = tile - rest * work.tiles_down.by;
    product = work.tiles_across.quotient(rest, work.wide);
    col_tile = rest - product * work.tiles_across.by;
  }

  // Lines beyond the last one are read as that, and not written.
  constexpr void place_lines(int number) {
    if (number < 2 * Side) {
      const bool is_row = number < Side;
      const any_digits& digits = is_row ? work.rows : work.cols;
      const index_t line = (is_row ? row_tile : col_tile) * Side + number % Side;
      const any_place at = digits.place(line < digits.size ? line : digits.size - 1, work.wide);
      line_place* const lines = is_row ? shared.rows : shared.cols;
      lines[number % Side] = {is_row ? at.left : at.right, at.out, at.addend};
    } else if (number == 2 * Side) {
      const any_place at = work.batch.place(product, work.wide);
      shared.product = {at.left, at.right, at.out, at.addend};
    }
  }
  constexpr void place_inner(int number, index_t of_box) {
    const int at = number - (any_threads - box);
    if (at < 0) return;
    const index_t k = of_box * box + at;
    const any_place place = work.inner.place(k < work.inner.size ? k : 0, work.wide);
    shared.inner[of_box % 2][at] = {place.left, place.right};
  }

  // Lane after lane along the sum, or along lines.
  static constexpr int line_of(int entry, bool along_sum) { return along_sum ? entry / box : entry % Side; }
  static constexpr int inner_of(int entry, bool along_sum) { return along_sum ? entry % box : entry / Side; }

  constexpr void load_box(thread& t, index_t of_box) {
    const inner_place* const inner = shared.inner[of_box % 2];
    const char* from[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int entry = t.number + i * any_threads, k = inner_of(entry, work.left_along_sum);
      from[i] = work.left + (shared.product.left + shared.rows[line_of(entry, work.left_along_sum)].in + inner[k].left);
    }
    load(work.left_type, from, t.left);
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int entry = t.number + i * any_threads, k = inner_of(entry, work.right_along_sum);
      from[i] =
          work.right + (shared.product.right + shared.cols[line_of(entry, work.right_along_sum)].in + inner[k].right);
    }
    load(work.right_type, from, t.right);
  }
  constexpr S* stage(index_t of_box, int operand) { return shared.stages + (of_box % 2 * 2 + operand) * box * pitch; }
  constexpr void put_entries(int number, const S (&values)[loads], bool along_sum, index_t inside, const S& outside,
                             S* to) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int entry = number + i * any_threads, k = inner_of(entry, along_sum);
      to[k * pitch + line_of(entry, along_sum)] = k < inside ? values[i] : outside;
    }
  }
  constexpr void put_box(thread& t, index_t of_box) {
    const index_t inside = work.inner.size - of_box * box;
    S values[loads];
    left_entries<Target>(work, t.left, values);
    put_entries(t.number, values, work.left_along_sum, inside, neutral(), stage(of_box, 0));
    right_entries<Target>(work, t.right, values);
    const S outside =
        with_operations<S>(work.functions.pair, [](auto pair) { return pair.template outside_of_right<S>(); });
    put_entries(t.number, values, work.right_along_sum, inside, outside, stage(of_box, 1));
  }
  constexpr S neutral() const {
    return with_operations<S>(work.functions.pair, [](auto pair) { return pair.template neutral<S>(); });
  }
  constexpr void clear(thread& t) {
    const S first = neutral();
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < each; ++j) t.sums[i][j] = first;
  }

  static constexpr void read(const S* from, int of_thread, S (&to)[each]) {
#pragma unroll
    for (int i = 0; i < each; i += together) {
      const vector now = *reinterpret_cast<const vector*>(from + line(of_thread, i));
#pragma unroll
      for (int v = 0; v < together; ++v) to[i + v] = now.at[v];
    }
  }
  constexpr void multiply_box(thread& t, index_t of_box) {
    const int row = thread_row(t.number), col = thread_col(t.number), first = slice(t.number);
    const S *const left = stage(of_box, 0), *const right = stage(of_box, 1);
    with_operations<S>(work.functions.pair, [&](auto pair) {
#pragma unroll 4
      for (int step = 0; step < box / slices; ++step) {
        const int k = step * slices + first;
        S a[each], b[each];
        read(left + k * pitch, row, a);
        read(right + k * pitch, col, b);
#pragma unroll
        for (int i = 0; i < each; ++i)
#pragma unroll
          for (int j = 0; j < each; ++j) pair.add_term(t.sums[i][j], a[i], b[j]);
      }
    });
  }

  // A quarter of the tile's columns at a time.
  constexpr void put_sums(const thread& t, int chunk) {
    S* const to = shared.stages + slice(t.number) * chunk_cols * chunk_pitch;
#pragma unroll
    for (int j = 0; j < each; ++j) {
      const int col = line(thread_col(t.number), j) - chunk * chunk_cols;
      if (col < 0 || col >= chunk_cols) continue;
#pragma unroll
      for (int i = 0; i < each; ++i) to[col * chunk_pitch + line(thread_row(t.number), i)] = t.sums[i][j];
    }
  }
  constexpr void finish_sums(const thread& t, int chunk) {
    if (t.number >= Side * chunk_cols) return;
    S sums[finished];
    index_t addend[finished];
    char* out[finished];
#pragma unroll
    for (int i = 0; i < finished; ++i) {
      const int entry = t.number + i * any_threads;
      const int r = work.out_along_cols ? entry / chunk_cols : entry % Side,
                c = work.out_along_cols ? entry % chunk_cols : entry / Side;
      const S* const from = shared.stages + c * chunk_pitch + r;
      sums[i] = from[0];
      if constexpr (slices > 1)
        with_operations<S>(work.functions.pair, [&](auto pair) {
          for (int s = 1; s < slices; ++s) sums[i] = pair.add(sums[i], from[s * chunk_cols * chunk_pitch]);
        });
      const line_place &row = shared.rows[r], &col = shared.cols[chunk * chunk_cols + c];
      const bool inside =
          row_tile * Side + r < work.rows.size && col_tile * Side + chunk * chunk_cols + c < work.cols.size;
      out[i] = inside ? work.out + (shared.product.out + row.out + col.out) : nullptr;
      addend[i] = shared.product.addend + row.addend + col.addend;
    }
    put_results<Target>(work, sums, addend, out);
  }

  /// Tiles first, first + step and so on.
  template <class Block>
  constexpr void run(Block& block, index_t first, index_t step) {
    const index_t boxes = (work.inner.size + box - 1) / box;
    for (index_t tile = first; tile < work.tiles; tile += step) {
      choose(tile);
      block.run([&](thread& t) {
        place_lines(t.number);
        if (boxes > 0) place_inner(t.number, 0);
        clear(t);
      });
      block.wait();
      if (boxes > 0) block.run([&](thread& t) { load_box(t, 0); });
      for (index_t of_box = 0; of_box < boxes; ++of_box) {
        block.run([&](thread& t) {
          put_box(t, of_box);
          if (of_box + 1 < boxes) place_inner(t.number, of_box + 1);
        });
        block.wait();
        block.run([&](thread& t) {
          if (of_box + 1 < boxes) load_box(t, of_box + 1);
          multiply_box(t, of_box);
        });
      }
      for (int chunk = 0; chunk < 4; ++chunk) {
        block.wait();
        block.run([&](const thread& t) { put_sums(t, chunk); });
        block.wait();
        block.run([&](const thread& t) { finish_sums(t, chunk); });
      }
      block.wait();
    }
  }
};

}  // namespace tessera::device
