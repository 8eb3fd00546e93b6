// SPDX-License-Identifier: BSD-3-Clause
// A tile in words, for describe() and for lists of candidates.
#include <tessera/detail/general_tile.hpp>

namespace tessera::detail {

namespace {

std::string text_of_box(const int (&box)[max_rank], const general_digits& of) {
  std::string text;
  for (int i = 0; i < of.count; ++i) text += (i > 0 ? "x" : "") + std::to_string(box[i]);
  return of.count == 0 ? "1" : text;
}

}  // namespace

std::string text_of(const general_tile& tile, const general_form& of) {
  std::string text = "rows " + text_of_box(tile.rows, of.rows) + ", columns " + text_of_box(tile.cols, of.cols) +
                     ", sum " + text_of_box(tile.inner, of.inner) + (tile.exchanged ? ", exchanged, " : ", ") +
                     std::to_string(tile.warps_down) + "x" + std::to_string(tile.warps_across) + " warps, " +
                     std::to_string(tile.stages) + " stages";
  if (tile.splits > 1) text += ", " + std::to_string(tile.splits) + (tile.has_parts() ? " parts" : " splits");
  if (tile.panel > 0) text += ", panels of " + std::to_string(tile.panel);
  return text;
}

}  // namespace tessera::detail
