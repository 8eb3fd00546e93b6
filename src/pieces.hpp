// SPDX-License-Identifier: BSD-3-Clause
// A large contraction in pieces: parts of its output, each of them a problem that a thread runs by itself.
#pragma once

#include <tessera/detail/problem.hpp>

namespace tessera::detail {

/// How the output of a batch entry is divided: its rows, its columns and its loop steps, never the sum. A piece has the
/// fastest `digits` loop digits, of the last of them `extent` steps; slower digits are single steps.
struct piece_grid {
  index_t count = 1;  // pieces of a batch entry
  index_t rows = 0, cols = 0;
  index_t row_pieces = 1, col_pieces = 1, digit_pieces = 1;
  int digits = 0;
  index_t extent = 1;
  index_t whole = 1;  // of the digit that is divided
  index_t below = 1;  // steps of the digits below it
};

/// What of a problem may be divided.
struct divisible {
  bool rows = true, cols = true;
};

/// For a problem with such loop digits and so much arithmetic in a batch entry. It depends on sizes alone, neither on
/// the number of threads nor on that of batch entries: kernels sum in an order that may depend on sizes, and results
/// have the same bits however many threads run the pieces.
piece_grid pieces_of(index_t m, index_t n, const run_time_map& loops, double flops, const divisible& what);

/// Piece `number` of a problem, in the order of rows, columns and loop steps. Tables of offsets are entered further on;
/// a loop digit of them is divided like any other, since the steps of a piece follow each other.
template <class Problem>
Problem piece_of(const Problem& p, const piece_grid& grid, index_t number) {
  const auto next = [&](index_t pieces) {
    const index_t at = number % pieces;
    number /= pieces;
    return at;
  };
  const index_t row = next(grid.row_pieces) * grid.rows, col = next(grid.col_pieces) * grid.cols;
  const index_t at = next(grid.digit_pieces) * grid.extent;
  const index_t extent = grid.extent < grid.whole - at ? grid.extent : grid.whole - at;
  const index_t step = (number * grid.whole + at) * grid.below;
  Problem piece = p;
  piece.m = grid.rows < p.m - row ? grid.rows : p.m - row;
  piece.n = grid.cols < p.n - col ? grid.cols : p.n - col;
  piece.loops = grid.below * extent;
  const auto move = [&](auto& f, index_t to_row, index_t to_col) {
    run_time_map& map = f.map;
    if (map.table != nullptr)
      map.table += (step * map.cols + to_col) * map.rows + to_row;
    else
      f.data += map.row_offset(to_row) + map.col_offset(to_col) + map.loop(step);
    map.loop_rank = grid.digits;
    if (grid.digits > 0) map.loop_extent[grid.digits - 1] = extent;
  };
  const bool is_pointwise = p.form == canonical::pointwise;
  for (int f = 0; f < p.left_factors; ++f) move(piece.left[f], row, 0);
  for (int f = 0; f < p.right_factors; ++f) move(piece.right[f], is_pointwise ? row : 0, is_pointwise ? 0 : col);
  move(piece.out, row, col);
  return piece;
}

}  // namespace tessera::detail
