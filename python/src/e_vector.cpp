// SPDX-License-Identifier: BSD-3-Clause
// From extents and strides to the layout of an E-vector.
#include "e_vector.hpp"

namespace tessera::python {

namespace {

// Whether the indices from `first` on are those of entries.
bool are_entries(const array& a, int first, const e_vector_shape& s) {
  if (a.rank() - first == 1) return a.extent(first) == s.entries;
  if (s.edge == 0 || a.rank() - first != s.dim) return false;
  for (int d = first; d < a.rank(); ++d)
    if (a.extent(d) != s.edge) return false;
  return true;
}

[[noreturn]] void refuse_extents(const array& a, const e_vector_shape& s, const char* name) {
  const auto text = [&](bool component, bool by_direction) {
    std::vector<index_t> wanted{s.elements};
    if (component) wanted.push_back(s.components);
    if (by_direction)
      wanted.insert(wanted.end(), std::size_t(s.dim), s.edge);
    else
      wanted.push_back(s.entries);
    return extents_text(wanted);
  };
  const bool component = s.components > 1;
  std::string known = text(component, false);
  if (s.edge > 0 && s.dim > 1) known += " or " + text(component, true);
  refuse_value(std::string(name) + " has the shape " + extents_text(a) + ", not " + known + ": " +
               std::to_string(s.elements) + " elements" +
               (component ? ", " + std::to_string(s.components) + " components" : std::string()) + ", " +
               std::to_string(s.entries) + " entries");
}

void refuse_negative_strides(const array& a, const char* name) {
  for (int d = 0; d < a.rank(); ++d)
    if (a.stride(d) < 0 && a.extent(d) > 1)
      refuse_value(std::string(name) + " has the negative stride " + std::to_string(a.stride(d)) + " along dimension " +
                   std::to_string(d) + "; numpy.ascontiguousarray makes a copy without");
}

// The stride from entry to entry, the last index fastest.
index_t entry_stride(const array& a, int first, const char* name) {
  index_t stride = 1, count = 1;
  for (int d = a.rank(); d-- > first;) {
    if (a.extent(d) == 1) continue;
    if (count == 1) stride = a.stride(d);
    if (a.stride(d) != stride * count) {
      std::string strides;
      for (int i = first; i < a.rank(); ++i) strides += (strides.empty() ? "" : ", ") + std::to_string(a.stride(i));
      refuse_value(std::string(name) + ": its entries of an element have the strides " + strides +
                   ", which no single one describes; numpy.ascontiguousarray makes a copy that has one");
    }
    count *= a.extent(d);
  }
  return stride;
}

}  // namespace

std::vector<index_t> e_vector_shape::extents() const {
  if (components == 1) return {elements, entries};
  return {elements, components, entries};
}

std::vector<index_t> e_vector_view::extents_of(const e_vector_shape& s) const {
  if (is_flat) return {s.size()};
  std::vector<index_t> extents{s.elements};
  if (has_component || s.components > 1) extents.push_back(s.components);
  if (by_direction && s.edge > 0)
    extents.insert(extents.end(), std::size_t(s.dim), s.edge);
  else
    extents.push_back(s.entries);
  return extents;
}

e_vector_view view_of(const array& a, const e_vector_shape& s, const char* name) {
  e_vector_view v;
  // With one lane `element` has no meaning; 1 tells this layout from one that nothing was said about.
  v.layout.element = 1;
  if (a.rank() == 1 && a.extent(0) == s.size()) {
    refuse_negative_strides(a, name);
    const index_t entry = a.extent(0) > 1 ? a.stride(0) : 1;
    v.is_flat = true;
    v.layout.entry = entry;
    v.layout.component = entry * s.entries;
    v.layout.block = entry * s.entries * s.components;
    return v;
  }
  if (a.rank() < 2 || a.extent(0) != s.elements) refuse_extents(a, s, name);
  int first = 1;
  if (s.components != 1 || !are_entries(a, 1, s)) {
    if (a.rank() < 3 || a.extent(1) != s.components || !are_entries(a, 2, s)) refuse_extents(a, s, name);
    first = 2;
    v.has_component = true;
  }
  refuse_negative_strides(a, name);
  v.by_direction = a.rank() - first > 1;
  v.layout.entry = entry_stride(a, first, name);
  v.layout.component = v.has_component && s.components > 1 ? a.stride(1) : v.layout.entry * s.entries;
  v.layout.block = s.elements > 1 ? a.stride(0) : v.layout.entry * s.entries * s.components;
  return v;
}

std::string extents_text(const std::vector<index_t>& extents) {
  std::string text = "(";
  for (std::size_t d = 0; d < extents.size(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(extents[d]);
  return text + (extents.size() == 1 ? ",)" : ")");
}

std::string extents_text(const array& a) {
  std::vector<index_t> extents;
  extents.reserve(std::size_t(a.rank()));
  for (int d = 0; d < a.rank(); ++d) extents.push_back(a.extent(d));
  return extents_text(extents);
}

void refuse_value(const std::string& text) { throw nb::value_error(text.c_str()); }
void refuse_object(const std::string& text) { throw nb::type_error(text.c_str()); }

void check_kind(const array& a, const char* name, scalar_type type, space_kind space, bool written) {
  check_type(a, name, type);
  if (a.space() != space)
    refuse_value(std::string(name) + " is in memory of the " + name_of(a.space()) + ", not of the " + name_of(space));
  if (!written) return;
  if (!a.is_writable()) refuse_value(std::string(name) + " is read-only");
  for (int d = 0; d < a.rank(); ++d)
    if (a.extent(d) > 1 && a.stride(d) == 0)
      refuse_value(std::string(name) + " of the shape " + extents_text(a) + " has the stride 0 along dimension " +
                   std::to_string(d) + ": its entries share one address, and each needs its own to be written");
}

}  // namespace tessera::python
