// SPDX-License-Identifier: BSD-3-Clause
// The forms of packed products in words, and back.
#include <tessera/lies_text.hpp>

namespace tessera {

namespace {

std::string lie_words(const char* operand, lie l) {
  if (l == lie::by_cols) return "";
  return std::string(", ") + operand + (is_shared(l) ? " shared" : "") + (is_by_rows(l) ? " by rows" : "");
}

constexpr lie all_lies[] = {lie::by_cols, lie::by_rows, lie::shared_by_cols, lie::shared_by_rows};

}  // namespace

std::string form_text(const packed_lies& lies) {
  return "packed" + lie_words("A", lies.left) + lie_words("B", lies.right) + lie_words("C", lies.out);
}

std::optional<packed_lies> lies_from(std::string_view form) {
  for (const lie left : all_lies)
    for (const lie right : all_lies)
      for (const lie out : {lie::by_cols, lie::by_rows})
        if (const packed_lies lies{left, right, out}; form == form_text(lies)) return lies;
  return std::nullopt;
}

}  // namespace tessera
