// SPDX-License-Identifier: BSD-3-Clause
// Blocks from the lowest to the highest entry of a layout.
#include "element_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace fuzz {

namespace {

constexpr std::int64_t most_entries = 1 << 15;

}  // namespace

std::optional<std::int64_t> vector_shape::place(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r) const {
  const tessera_element_layout& l = layout;
  const wide number = wide(e) - l.first;
  if (l.lanes < 1 || number < 0) return std::nullopt;
  const wide at = wide(l.entry) * i + wide(l.component) * c + wide(l.element) * (number % l.lanes) +
                  l.block * (number / l.lanes) + wide(side) * r;
  if (at > INT64_MAX / 8 || at < INT64_MIN / 8) return std::nullopt;
  return std::int64_t(at);
}

tessera_element_layout conventional(std::int64_t entries, std::int64_t components) {
  return {1, entries, 0, 1, entries * components, 0};
}

bool says_nothing(const tessera_element_layout& l) {
  return l.entry == 0 && l.component == 0 && l.element == 0 && l.lanes == 0 && l.block == 0 && l.first == 0;
}

tessera_element_layout layout_from(bytes& from, std::int64_t entries, std::int64_t components, std::int64_t elements) {
  tessera_element_layout l = conventional(entries, components);
  static constexpr int widths[] = {2, 4, 8, 16, 3};
  switch (from.below(8)) {
    case 4: l = {1, entries * elements, 0, 1, entries, 0}; break;
    case 5: l = {components, 1, 0, 1, entries * components, 0}; break;
    case 6: {
      const int w = from.one_of(widths);
      l = {w, w * entries, 1, w, w * entries * components, 0};
      break;
    }
    case 7: l = {1, from.below(32), from.below(32), 1 + from.below(8), from.below(64), 0}; break;
    default: break;
  }
  if (!from.one_in(4)) return l;
  std::int64_t* const fields[] = {&l.entry, &l.component, &l.element, &l.lanes, &l.block, &l.first};
  std::int64_t& field = *fields[from.below(6)];
  switch (from.below(4)) {
    case 0: field = -field; break;
    case 1: field += from.below(16) - 4; break;
    case 2: field = from.below(16) - 8; break;
    default: field = from.absurd(); break;
  }
  return l;
}

vector_memory::vector_memory(const vector_shape& shape, bool in_float) : shape_(shape), bytes_(in_float ? 4 : 8) {
  std::int64_t highest = 0;
  bool first = true;
  if (shape.sides < 0) return;
  const std::int64_t all = std::int64_t(shape.elements.size()) * shape.entries * shape.components * shape.sides;
  if (all > most_entries) return;
  for (const std::int64_t e : shape.elements)
    for (const std::int64_t i : {std::int64_t{0}, shape.entries - 1})
      for (const std::int64_t c : {std::int64_t{0}, shape.components - 1})
        for (const std::int64_t r : {std::int64_t{0}, shape.sides - 1}) {
          if (all == 0) continue;
          const auto place = shape.place(i, c, e, r);
          if (!place) return;
          lowest_ = first ? *place : std::min(lowest_, *place);
          highest = first ? *place : std::max(highest, *place);
          first = false;
        }
  const std::int64_t entries = first ? 0 : highest - lowest_ + 1;
  if (entries > most_entries) return;
  if (std::abs(lowest_) > INT32_MAX) return;  // no pointer goes there
  size_ = std::size_t(entries * bytes_);
  memory_.reset(static_cast<char*>(std::malloc(size_ > 0 ? size_ : 1)));
  if (memory_ == nullptr) throw std::bad_alloc();
}

void vector_memory::release::operator()(char* memory) const { std::free(memory); }

double vector_memory::get_at(std::size_t at) const {
  float in_float = 0;
  double value = 0;
  if (bytes_ == 8) {
    std::memcpy(&value, memory_.get() + at, 8);
    return value;
  }
  std::memcpy(&in_float, memory_.get() + at, 4);
  return double(in_float);
}

void vector_memory::set_at(std::size_t at, double value) {
  const float in_float = float(value);
  if (bytes_ == 8)
    std::memcpy(memory_.get() + at, &value, 8);
  else
    std::memcpy(memory_.get() + at, &in_float, 4);
}

double vector_memory::get(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r) const {
  return get_at(at(*shape_.place(i, c, e, r)));
}
void vector_memory::set(std::int64_t i, std::int64_t c, std::int64_t e, std::int64_t r, double value) {
  set_at(at(*shape_.place(i, c, e, r)), value);
}

void vector_memory::fill(unsigned seed) {
  for (std::size_t i = 0; i < size_ / std::size_t(bytes_); ++i) {
    const unsigned some = unsigned(i) * 2654435761u + seed * 40503u;
    set_at(i * std::size_t(bytes_), double(some >> 16 & 7) - 3);
  }
}

std::vector<std::int64_t> vector_memory::places() const {
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> elements = shape_.elements;
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  for (std::int64_t r = 0; r < shape_.sides; ++r)
    for (const std::int64_t e : elements)
      for (std::int64_t c = 0; c < shape_.components; ++c)
        for (std::int64_t i = 0; i < shape_.entries; ++i) all.push_back(*shape_.place(i, c, e, r));
  std::ranges::sort(all);
  return all;
}

std::vector<char> vector_memory::with_entries(std::vector<char> other) const {
  for (const std::int64_t place : places())
    std::copy_n(memory_.get() + at(place), bytes_, other.begin() + std::ptrdiff_t(at(place)));
  return other;
}

bool vector_memory::entries_meet() const {
  const std::vector<std::int64_t> all = places();
  return std::ranges::adjacent_find(all) != all.end();
}

}  // namespace fuzz
