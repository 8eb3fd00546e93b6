// SPDX-License-Identifier: BSD-3-Clause
// The forms of packed products as text, and parsed from it.
#include <tessera/detail/packed_layouts_text.hpp>

namespace tessera {

namespace {

std::string layout_words(const char* operand, packed_layout l) {
  if (l == packed_layout::by_cols) return "";
  return std::string(", ") + operand + (is_shared(l) ? " shared" : "") + (is_by_rows(l) ? " by rows" : "");
}

constexpr packed_layout all_layouts[] = {packed_layout::by_cols, packed_layout::by_rows, packed_layout::shared_by_cols,
                                         packed_layout::shared_by_rows};

}  // namespace

std::string form_text(const packed_layouts& layouts) {
  return "packed" + layout_words("A", layouts.left) + layout_words("B", layouts.right) + layout_words("C", layouts.out);
}

std::optional<packed_layouts> layouts_from(std::string_view form) {
  for (const packed_layout left : all_layouts)
    for (const packed_layout right : all_layouts)
      for (const packed_layout out : {packed_layout::by_cols, packed_layout::by_rows})
        if (const packed_layouts layouts{left, right, out}; form == form_text(layouts)) return layouts;
  return std::nullopt;
}

}  // namespace tessera
