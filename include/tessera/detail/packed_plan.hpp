// SPDX-License-Identifier: BSD-3-Clause
// The layout of shared memory of a packed kernel's block, for the kernel and its launch.
#pragma once

#include <tessera/core/packed_layout.hpp>
#include <tessera/core/sector.hpp>
#include <tessera/core/types.hpp>
#include <tessera/detail/gpu_tuning.hpp>

namespace tessera::device {

/// How an operand comes into shared memory: the part of each block as one chunk, or line by line with padding between
/// the lines; or one matrix for all products through L1, where an earlier block of the multiprocessor may have left it.
enum class staging { chunk, lines, through_cache };

/// How the lanes of a warp step through an operand: along its lines, from line to line, or both, four of them from line
/// to line (tensor cores).
enum class lanes_step { along, across, both };

/// The matrices of one operand in shared memory.
struct packed_tiles {
  staging by;
  int each;            // entries of a matrix
  int along, lines;    // contiguous entries, and the number of such lines in a matrix
  int pitch;           // from line to line
  int row, col, copy;  // distances of rows, columns and matrices
  int entries;         // of all matrices, with the padding between lines

  /// `word`: bytes of an entry. `phased`: operands may have any alignment.
  constexpr packed_tiles(packed_layout layouts, int rows, int cols, int group, int word, lanes_step step, bool phased)
      : by(staging_of(layouts, along_of(layouts, rows, cols), word, step, phased)),
        each(rows * cols),
        along(along_of(layouts, rows, cols)),
        lines(each / along),
        pitch(along + (by != staging::chunk ? padding_of(along, word, step) : 0)),
        row(is_by_rows(layouts) ? pitch : 1),
        col(is_by_rows(layouts) ? 1 : pitch),
        copy(is_shared(layouts) ? 0 : pitch * lines),
        entries(pitch * lines * (is_shared(layouts) ? 1 : group)) {}

 private:
  static constexpr int along_of(packed_layout layouts, int rows, int cols) { return is_by_rows(layouts) ? cols : rows; }
  static constexpr staging staging_of(packed_layout layouts, int along, int word, lanes_step step, bool phased) {
    if (is_shared(layouts)) return staging::through_cache;
    return step != lanes_step::along && !phased && along * word % 64 == 0 ? staging::lines : staging::chunk;
  }
  // Lines that lanes step across should not start in the same bank. A line of whole pieces is padded to an odd number
  // of pieces, so that lanes can read pieces; other lines to an odd number of entries. Four lines and four entries of
  // each have no bank conflict if a line is an odd number of groups of four entries, or, by fours of k, an odd number
  // of entries.
  static constexpr int padding_of(int along, int word, lanes_step step) {
    const int piece = 16 / word;
    if (step == lanes_step::along) return 0;
    if (step == lanes_step::both) return along % 2 == 0 ? (12 - along % 8) % 8 : 0;
    if (along % piece == 0) return along / piece % 2 == 0 ? piece : 0;
    return along % 2 == 0 ? 1 : 0;
  }
};

/// Sizes of a packed product and the layouts of its operands.
struct packed_sizes {
  int m, n, k;
  packed_layouts layouts = {};
};

/// Bytes of an entry of A and B, and of C.
struct packed_words {
  int in, out;
  constexpr packed_words(int both) : in(both), out(both) {}
  constexpr packed_words(int of_inputs, int of_result) : in(of_inputs), out(of_result) {}
};

/// Whether the parts of all blocks are aligned to 16 bytes if the operands are.
constexpr bool starts_on_pieces(const packed_sizes& s, packed_words word, int matrices) {
  const auto are_pieces = [&](packed_layout layouts, int entries, int bytes) {
    return is_shared(layouts) || matrices * entries * bytes % 16 == 0;
  };
  return are_pieces(s.layouts.left, s.m * s.k, word.in) && are_pieces(s.layouts.right, s.k * s.n, word.in) &&
         are_pieces(s.layouts.out, s.m * s.n, word.out);
}

/// Two properties of a launch that are compiled in: whether it adds to the result, and whether the parts of operands
/// may have any alignment, not only 16 bytes.
struct packed_variant {
  bool adds, phased;
};

/// `inside`: an operand is not aligned to 16 bytes.
constexpr bool serves(const packed_variant& v, bool adds, bool inside) {
  return v.adds == adds && (v.phased || !inside);
}

/// A block's shared memory, in bytes from its start: C, A, B, what threads of partial tiles read behind them, the
/// barrier. C is in front of A, so that no thread reads (and discards) what another one writes; or it reuses the memory
/// of A at the end. If all products share A, it reuses that of B, the larger one, and A comes last.
struct packed_plan {
  packed_tiles out_tiles, left_tiles, right_tiles;
  int out = 0, left, right, barrier, bytes;

  /// Tuning: gpu_gemm_tuning, or a type with its members.
  template <class Tuning>
  constexpr packed_plan(const packed_sizes& s, packed_words word, const Tuning& t, packed_variant v)
      : out_tiles(s.layouts.out, s.m, s.n, t.matrices, word.out, lanes_step::along, v.phased),
        left_tiles(s.layouts.left, s.m, s.k, t.matrices, word.in, step_in(t, is_by_rows(s.layouts.left)), v.phased),
        right_tiles(s.layouts.right, s.k, s.n, t.matrices, word.in,
                    step_in(t, s.layouts.right == packed_layout::shared_by_cols), v.phased) {
    const auto pieces = [](int size) { return (size + 15) / 16 * 16; };
    const auto region = [&](const packed_tiles& tiles, int bytes_of_entry) {
      const int all = tiles.entries * bytes_of_entry;
      return v.phased && tiles.by != staging::through_cache ? bytes_in_sectors(all) : pieces(all);
    };
    const auto ragged = [](int size, int tile) { return (size + tile - 1) / tile * tile - size; };
    const int slack =
        t.tensor_cores ? 0 : ragged(s.m, t.tile_rows) * left_tiles.row + ragged(s.n, t.tile_cols) * right_tiles.col;
    const int c = region(out_tiles, word.out), a = region(left_tiles, word.in), b = region(right_tiles, word.in);
    const bool over = takes_place_of_input(t.over_a, v.adds), over_b = over && is_shared(s.layouts.left);
    const auto place_for_c_and = [&](int input) { return over ? (c > input ? c : input) : c + input; };
    left = over_b ? place_for_c_and(b) : over ? 0 : c;
    right = over_b ? 0 : place_for_c_and(a);
    barrier = (over_b ? left + a : right + b) + pieces(slack * word.in);
    bytes = barrier + 16;
  }

 private:
  template <class Tuning>
  static constexpr lanes_step step_in(const Tuning& t, bool across) {
    if (t.tensor_cores) return lanes_step::both;
    return across ? lanes_step::across : lanes_step::along;
  }
};

}  // namespace tessera::device
