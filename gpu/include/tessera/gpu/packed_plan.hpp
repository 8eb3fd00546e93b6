// SPDX-License-Identifier: BSD-3-Clause
// What a packed kernel's block keeps in shared memory, for the kernel and for those who launch it.
#pragma once

#include <tessera/core/lie.hpp>
#include <tessera/core/types.hpp>

namespace tessera::device {

/// The matrices of one operand in shared memory.
struct packed_tiles {
  int each, entries;   // of a matrix, of all
  int row, col, copy;  // distances of rows, columns and matrices

  constexpr packed_tiles(lie lies, int rows, int cols, int group)
      : each(rows * cols),
        entries(is_shared(lies) ? each : group * each),
        row(is_by_rows(lies) ? cols : 1),
        col(is_by_rows(lies) ? 1 : rows),
        copy(is_shared(lies) ? 0 : each) {}
};

/// Sizes of a packed product, and how its operands lie.
struct packed_sizes {
  int m, n, k;
  packed_lies lies = {};
};

/// Whether all blocks' shares start on 16-byte pieces where the operands do.
constexpr bool starts_on_pieces(const packed_sizes& s, int word, int matrices) {
  const auto are_pieces = [&](lie lies, int entries) { return is_shared(lies) || matrices * entries * word % 16 == 0; };
  return are_pieces(s.lies.left, s.m * s.k) && are_pieces(s.lies.right, s.k * s.n) && are_pieces(s.lies.out, s.m * s.n);
}

/// Two properties of a launch that are compiled in: whether it adds to the result, and whether shares of operands start
/// anywhere, not only on 16-byte pieces.
struct packed_variant {
  bool adds, phased;
};

/// `inside`: an operand starts inside a piece.
constexpr bool serves(const packed_variant& v, bool adds, bool inside) {
  return v.adds == adds && (v.phased || !inside);
}

/// A block's shared memory, in bytes from its start: C, A, B, what threads of ragged tiles read behind B, the barrier.
/// C lies before A, so that nobody reads, for nothing, what another writes; or, `over_a`, it takes A's place in the
/// end.
struct packed_plan {
  packed_tiles out_tiles, left_tiles, right_tiles;
  int out = 0, left, right, barrier, bytes;

  /// Tuning: gpu_gemm_tuning, or a type with its members.
  template <class Tuning>
  constexpr packed_plan(const packed_sizes& s, int word, const Tuning& t, bool phased)
      : out_tiles(s.lies.out, s.m, s.n, t.matrices),
        left_tiles(s.lies.left, s.m, s.k, t.matrices),
        right_tiles(s.lies.right, s.k, s.n, t.matrices) {
    const auto pieces = [](int size) { return (size + 15) / 16 * 16; };
    const auto region = [&](const packed_tiles& tiles) { return pieces(tiles.entries * word) + (phased ? 16 : 0); };
    const auto ragged = [](int size, int tile) { return (size + tile - 1) / tile * tile - size; };
    const int slack = ragged(s.m, t.tile_rows) * left_tiles.row + ragged(s.n, t.tile_cols) * right_tiles.col;
    const int c = region(out_tiles), a = region(left_tiles);
    left = t.over_a ? 0 : c;
    right = left + (t.over_a && c > a ? c : a);
    barrier = right + region(right_tiles) + pieces(slack * word);
    bytes = barrier + 16;
  }
};

}  // namespace tessera::device
