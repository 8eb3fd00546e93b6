// SPDX-License-Identifier: BSD-3-Clause
// Pieces of about the same size: first of loop steps, which are the farthest from each other, then of columns and rows.
#include "pieces.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::detail {

namespace {

// About a millisecond of a core: a thread that waits for the last piece loses little, and none is too small to pack
// its operands. As many as 64 processors share evenly.
constexpr double piece_flops = 4e6;
constexpr double most_pieces = 1024;
// Rows are packed by whole vectors, and two threads should not write to one line of a cache; a piece of few rows and
// columns packs more than it computes.
constexpr index_t grain_of_piece = 16;

// The extent of a piece where `extent` is divided into at most `pieces`.
index_t divided(index_t extent, index_t pieces, index_t grain = grain_of_piece) {
  if (extent <= grain || pieces <= 1) return extent;
  const index_t part = (extent + pieces - 1) / pieces;
  return std::min(extent, (part + grain - 1) / grain * grain);
}

// Of columns, where pieces are as square as possible: they then pack the least.
index_t square_pieces(index_t m, index_t n, index_t wanted) {
  if (wanted <= 1) return 1;
  return std::min(wanted, index_t(std::ceil(std::sqrt(double(wanted) * double(n) / double(m)))));
}

index_t pieces_in(index_t extent, index_t part) { return part > 0 ? (extent + part - 1) / part : 1; }

}  // namespace

piece_grid pieces_of(index_t m, index_t n, const run_time_map& loops, double flops, const divisible& what) {
  piece_grid grid{.rows = m, .cols = n, .digits = loops.loop_rank};
  index_t wanted = index_t(std::min(most_pieces, flops / piece_flops)), above = 1;
  // With that much arithmetic no extent is 0.
  for (; wanted > 1 && grid.digits > 0 && loops.loop_extent[grid.digits - 1] <= wanted / above; --grid.digits)
    above *= loops.loop_extent[grid.digits - 1];
  if (grid.digits > 0) {
    grid.whole = loops.loop_extent[grid.digits - 1];
    grid.extent = divided(grid.whole, wanted / above, 1);
    grid.digit_pieces = pieces_in(grid.whole, grid.extent);
    for (int d = 0; d + 1 < grid.digits; ++d) grid.below *= loops.loop_extent[d];
  }
  wanted /= above * grid.digit_pieces;
  if (what.cols) grid.cols = divided(n, what.rows ? square_pieces(m, n, wanted) : wanted);
  grid.col_pieces = pieces_in(n, grid.cols);
  if (what.rows) grid.rows = divided(m, wanted / grid.col_pieces);
  grid.row_pieces = pieces_in(m, grid.rows);
  grid.count = grid.row_pieces * grid.col_pieces * grid.digit_pieces * above;
  return grid;
}

}  // namespace tessera::detail
