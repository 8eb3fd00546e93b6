// SPDX-License-Identifier: BSD-3-Clause
// Parts of a field in the words of record files.
#include <tessera/detail/element/element_record.hpp>

namespace tessera {

std::string point_shape_text(const point_shape& s) {
  std::string text = s.components > 1 ? std::to_string(s.components) : "";
  if (s.value) text += text.empty() ? "value" : " value";
  if (s.gradient) text += text.empty() ? "gradient" : " gradient";
  return text;
}

std::optional<point_shape> point_shape_from(std::string_view text) {
  point_shape s;
  if (!text.empty() && text.front() >= '2' && text.front() <= '9') {
    s.components = text.front() - '0';
    if (text.size() < 2 || text[1] != ' ') return std::nullopt;
    text.remove_prefix(2);
  }
  s.value = text.starts_with("value");
  s.gradient = text.ends_with("gradient");
  if (text != "value" && text != "gradient" && text != "value gradient") return std::nullopt;
  return s;
}

}  // namespace tessera
