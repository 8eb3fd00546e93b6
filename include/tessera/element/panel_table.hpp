// SPDX-License-Identifier: BSD-3-Clause
// A dense table of any size as kernels read it: panel by panel of a few rows, each column by column.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Most rows of a panel: sums that the registers of any instruction set hold.
inline constexpr index_t most_panel_rows = 12;

/// Rows of the next panel where `left` rows are: as few panels as can be, about equally long.
[[gnu::always_inline]] constexpr index_t panel_rows(index_t left) {
  const index_t panels = (left + most_panel_rows - 1) / most_panel_rows;
  return (left + panels - 1) / panels;
}
constexpr index_t panels_of(index_t rows) { return (rows + most_panel_rows - 1) / most_panel_rows; }

/// T (m,n), for y = T x. The panel of R rows that begins with row r0 stands at n r0, entry (r,i) of it at r + R i.
template <class T>
struct panel_table {
  const T* entries = nullptr;
  index_t m = 0, n = 0;
};

}  // namespace tessera
