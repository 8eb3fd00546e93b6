// SPDX-License-Identifier: BSD-3-Clause
// E-vectors as boxes of strides: entries, components, elements of a vector of lanes, blocks, right hand sides.
#include "layout_check.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <tessera/detail/size_check.hpp>
#include <tessera/error.hpp>

#include "../strided_boxes.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void refuse_negative(const char* what, const vector_entries& v) {
  const element_layout& l = v.layout;
  const std::pair<const char*, index_t> strides[] = {{"entry", l.entry},     {"component", l.component},
                                                     {"element", l.element}, {"block", l.block},
                                                     {"first", l.first},     {"side", v.side}};
  const auto* const s = std::find_if(std::begin(strides), std::end(strides), [](auto& one) { return one.second < 0; });
  throw error(std::string(what) + ": a layout with the negative " + s->first + " " + std::to_string(s->second),
              status::invalid_argument);
}

// Blocks of elements that are whole, and those at the ends that are not.
struct boxes {
  std::array<strided_box, 3> of;
  int count = 0;
};

// Lanes [from, to) of `blocks` blocks from `block` on.
void add_box(boxes& all, const vector_entries& v, std::uintptr_t at, index_t bytes, index_t block, index_t blocks,
             index_t from, index_t to) {
  if (blocks <= 0 || from >= to) return;
  const element_layout& l = v.layout;
  strided_box& box = all.of[std::size_t(all.count++)];
  box.start = at + std::uintptr_t(bytes * (l.block * block + l.element * from));
  box.width = bytes;
  box.add(l.entry, v.size, bytes);
  box.add(l.component, v.components, bytes);
  box.add(l.element, to - from, bytes);
  box.add(l.block, blocks, bytes);
  box.add(v.side, v.sides, bytes);
}

boxes boxes_of(const vector_entries& v, std::uintptr_t at, index_t bytes) {
  boxes all;
  if (v.is_empty()) return all;
  const index_t first = v.first - v.layout.first, last = v.last - v.layout.first, lanes = v.layout.lanes;
  const index_t head = first / lanes, tail = last / lanes;  // the blocks that the ends are in
  if (head == tail) {
    add_box(all, v, at, bytes, head, 1, first % lanes, last % lanes);
    return all;
  }
  const index_t whole = head + (first % lanes != 0 ? 1 : 0);
  if (whole > head) add_box(all, v, at, bytes, head, 1, first % lanes, lanes);
  add_box(all, v, at, bytes, whole, tail - whole, 0, lanes);
  add_box(all, v, at, bytes, tail, 1, 0, last % lanes);
  return all;
}

// From the start of the first vector to the end of the last entry, in entries; all elements are taken for used.
index_t reach_of(const vector_entries& v) {
  const element_layout& l = v.layout;
  const index_t last = v.last - 1 - l.first, blocks = last / l.lanes;
  return l.entry * (v.size - 1) + l.component * (v.components - 1) + l.element * std::min(last, l.lanes - 1) +
         l.block * blocks + v.side * (v.sides - 1) + 1;
}

// True where each stride is beyond all smaller ones together, as in nearly all layouts.
bool strides_nest(const vector_entries& v) {
  const element_layout& l = v.layout;
  struct stride {
    index_t by, times;
  };
  const index_t elements = v.last - l.first;
  const stride all[] = {{l.entry, v.size},
                        {l.component, v.components},
                        {l.element, std::min(l.lanes, elements)},
                        {l.block, (elements - 1) / l.lanes + 1},
                        {v.side, v.sides}};
  stride sorted[std::size(all)];
  int count = 0;
  for (const stride& s : all) {
    if (s.times <= 1) continue;
    int at = count++;
    for (; at > 0 && sorted[at - 1].by > s.by; --at) sorted[at] = sorted[at - 1];
    sorted[at] = s;
  }
  index_t below = 0;
  for (int i = 0; i < count; ++i) {
    if (sorted[i].by <= below) return false;
    below += sorted[i].by * (sorted[i].times - 1);
  }
  return true;
}

}  // namespace

element_layout filled_in(const element_layout& given, index_t size, index_t components) {
  constexpr element_layout nothing;
  const bool says_nothing = given.entry == nothing.entry && given.component == nothing.component &&
                            given.element == nothing.element && given.lanes == nothing.lanes &&
                            given.block == nothing.block;
  return says_nothing ? element_layout::conventional(size, components).from(given.first) : given;
}

void check_places_of(const char* what, const vector_entries& v, std::size_t entry_bytes) {
  if (v.layout.lanes < 1)
    throw error(std::string(what) + ": a layout with " + std::to_string(v.layout.lanes) + " lanes",
                status::invalid_argument);
  const element_layout& l = v.layout;
  if ((l.entry | l.component | l.element | l.block | l.first | v.side) < 0) refuse_negative(what, v);
  if (v.is_empty()) return;
  if (v.layout.first > v.first)
    throw error(std::string(what) + ": the layout begins with element " + std::to_string(v.layout.first) +
                    ", and element " + std::to_string(v.first) + " is needed",
                status::invalid_argument);
  const index_t elements = v.last - v.layout.first, lanes = v.layout.lanes, most = most_bytes / index_t(entry_bytes);
  index_t all = 1;
  const auto reach = [&](index_t stride, index_t times, const char* name) {
    index_t more = 0;
    if (__builtin_mul_overflow(stride, times - 1, &more) || __builtin_add_overflow(all, more, &all) || all > most)
      throw error(std::string(what) + ": " + std::to_string(times) + " times the stride " + std::to_string(stride) +
                      " of " + name + " are more than a process can address",
                  status::overflow);
  };
  reach(v.layout.entry, v.size, "entries");
  reach(v.layout.component, v.components, "components");
  if (lanes > 1) reach(v.layout.element, std::min(lanes, elements), "elements");
  reach(v.layout.block, lanes > 1 ? (elements - 1) / lanes + 1 : elements, lanes > 1 ? "blocks" : "elements");
  reach(v.side, v.sides, "right hand sides");
}

bool are_distinct(const vector_entries& v, std::size_t entry_bytes) {
  if (v.is_empty() || strides_nest(v)) return true;
  const boxes all = boxes_of(v, 0, index_t(entry_bytes));
  for (int i = 0; i < all.count; ++i) {
    if (hits_itself(all.of[std::size_t(i)])) return false;
    for (int j = 0; j < i; ++j)
      if (meet(all.of[std::size_t(i)], all.of[std::size_t(j)])) return false;
  }
  return true;
}

bool vectors_meet(const vector_entries& x, const void* x_at, const vector_entries& y, const void* y_at,
                  std::size_t entry_bytes) {
  const auto address = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at); };
  if (x.is_empty() || y.is_empty()) return false;
  const auto end = [&](const vector_entries& v, const void* at) {
    return address(at) + std::uintptr_t(reach_of(v)) * entry_bytes;
  };
  if (end(x, x_at) <= address(y_at) || end(y, y_at) <= address(x_at)) return false;
  const boxes of_x = boxes_of(x, address(x_at), index_t(entry_bytes));
  const boxes of_y = boxes_of(y, address(y_at), index_t(entry_bytes));
  for (int i = 0; i < of_x.count; ++i)
    for (int j = 0; j < of_y.count; ++j)
      if (meet(of_x.of[std::size_t(i)], of_y.of[std::size_t(j)])) return true;
  return false;
}

}  // namespace tessera::detail
