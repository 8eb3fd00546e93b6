// SPDX-License-Identifier: BSD-3-Clause
// A dense table of any size as kernels read it: panel by panel of a few rows, each column by column.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Most rows of a panel: sums that the registers of any instruction set hold.
inline constexpr index_t most_panel_rows = 12;

/// How many are taken next where `left` are left and no more than `most` go: in as few parts as can be, about equal.
[[gnu::always_inline]] constexpr index_t next_part(index_t left, index_t most) {
  const index_t parts = (left + most - 1) / most;
  return (left + parts - 1) / parts;
}
/// Rows of the next panel.
[[gnu::always_inline]] constexpr index_t panel_rows(index_t left) { return next_part(left, most_panel_rows); }
constexpr index_t panels_of(index_t rows) { return (rows + most_panel_rows - 1) / most_panel_rows; }

/// T (m,n), for y = T x. The panel of R rows that begins with row r0 is at n r0, entry (r,i) of it at r + R i.
template <class T>
struct panel_table {
  const T* entries = nullptr;
  index_t m = 0, n = 0;
};

}  // namespace tessera
