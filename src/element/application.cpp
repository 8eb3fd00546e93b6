// SPDX-License-Identifier: BSD-3-Clause
// Applications: checks the elements, the layouts of x and y, and that y is apart from x or in its place; then the
// backend runs it.
#include <algorithm>
#include <string>
#include <vector>

#include <tessera/element/evaluation.hpp>
#include <tessera/error.hpp>

#include "backend.hpp"
#include "layout_check.hpp"
#include "output_check.hpp"
#include "point_source.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void refuse_application(const std::string& why, status code = status::invalid_argument) {
  throw error("evaluation::apply: " + why, code);
}

template <class T>
void check_data(const evaluation_state<T>& s, const point_source<T>& D) {
  if (s.on->space() != D.space())
    refuse_application(std::string("D is in ") + name_of(D.space()) + " memory, and the operator is not",
                       status::wrong_space);
  if (D.block_entries() != s.entries() || D.lanes() != s.on->lanes())
    refuse_application("D is of another operator: " + std::to_string(D.block_entries()) +
                           " numbers an element in blocks of " + std::to_string(D.lanes()) + " elements, not " +
                           std::to_string(s.entries()) + " in blocks of " + std::to_string(s.on->lanes()),
                       status::shape_mismatch);
}

/// Elements [first, last) that are applied to, all of them or some.
struct element_range {
  index_t first = 0, last = 0;
};

element_range range_of(const element_set& which, index_t elements) {
  if (!which.listed) {
    if (which.first < 0 || which.last < which.first || which.last > elements)
      refuse_application("elements " + std::to_string(which.first) + " to " + std::to_string(which.last) + " of " +
                         std::to_string(elements));
    return {which.first, which.last};
  }
  element_range range{elements, 0};
  for (const index_t e : which.list) {
    if (e < 0 || e >= elements) refuse_application("element " + std::to_string(e) + " of " + std::to_string(elements));
    range = {std::min(range.first, e), std::max(range.last, e + 1)};
  }
  return range;
}

// An element that is twice in a list: its first two positions.
void refuse_repeated(std::span<const index_t> list, index_t e, const char* why) {
  const auto first = std::find(list.begin(), list.end(), e), second = std::find(first + 1, list.end(), e);
  refuse_application("element " + std::to_string(e) + " is twice in the list, at " +
                     std::to_string(first - list.begin()) + " and " + std::to_string(second - list.begin()) + ", and " +
                     why);
}

void check_each_once(std::span<const index_t> list, const element_range& range, const char* why) {
  const auto ascends = [&] {
    return std::adjacent_find(list.begin(), list.end(), [](index_t a, index_t b) { return a >= b; }) == list.end();
  };
  if (list.empty() || ascends()) return;
  // With a bit for each element, unless the list is a small part of them.
  if (range.last - range.first <= 64 * index_t(list.size())) {
    std::vector<bool> seen(std::size_t(range.last - range.first));
    for (const index_t e : list) {
      if (seen[std::size_t(e - range.first)]) refuse_repeated(list, e, why);
      seen[std::size_t(e - range.first)] = true;
    }
    return;
  }
  std::vector<index_t> sorted(list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse_repeated(list, *twice, why);
}

bool same_places(const vector_entries& x, const vector_entries& y) {
  const element_layout &a = x.layout, &b = y.layout;
  return x.size == y.size && x.components == y.components && a.entry == b.entry && a.component == b.component &&
         (a.lanes == 1 || a.element == b.element) && a.lanes == b.lanes && a.block == b.block && a.first == b.first &&
         (x.sides == 1 || x.side == y.side);
}

template <class T>
void check_y(const evaluation_state<T>& s, const element_set& which, const application<T>& a, const vector_entries& x,
             const vector_entries& y) {
  const element_range range{x.first, x.last};
  if (!are_distinct(y, sizeof(T)))
    refuse_application("two entries of y have one address, by entry " + std::to_string(a.y_layout.entry) +
                           ", component " + std::to_string(a.y_layout.component) + ", element " +
                           std::to_string(a.y_layout.element) + ", lanes " + std::to_string(a.y_layout.lanes) +
                           ", block " + std::to_string(a.y_layout.block) +
                           (a.sides > 1 ? ", side " + std::to_string(a.y_side) : ""),
                       status::overlap);
  // A list in device memory is not read here.
  const bool known = which.listed && s.on->space() == space_kind::cpu;
  if (known && a.add) check_each_once(which.list, range, "y is added to");
  if (a.x == a.y && same_places(x, y)) {
    if (!s.on->can_replace_x())
      refuse_application("y in the place of x: kernels of dense tables do not promise to read all of an element first",
                         status::overlap);
    if (known) check_each_once(which.list, range, "y is in the place of x");
    return;
  }
  if (vectors_meet(x, a.x, y, a.y, sizeof(T)))
    refuse_application("x and y overlap; in place, both begin at one address and have one layout", status::overlap);
}

// The application with its layouts filled in. Throws naming elements, layouts and vectors that cannot be.
template <class T>
application<T> checked_application(const evaluation_state<T>& s, const element_set& which, const application<T>& given,
                                   const point_source<T>& D) {
  application<T> a = given;
  const index_t y_components = index_t(s.repeats()) * s.test_parts;
  a.x_layout = filled_in(a.x_layout, s.trial_size(), s.components);
  a.y_layout = filled_in(a.y_layout, s.test_size(), y_components);
  if (a.sides < 1) refuse_application(std::to_string(a.sides) + " right hand sides; there is at least one");
  // A list in device memory may name any element that both vectors have.
  const bool unknown = which.listed && s.on->space() == space_kind::gpu;
  const element_range range =
      unknown ? element_range{std::min(D.elements(), std::max<index_t>({a.x_layout.first, a.y_layout.first, 0})),
                              which.size() > 0 ? D.elements() : 0}
              : range_of(which, D.elements());
  if (which.size() > 0 && (a.x == nullptr || a.y == nullptr))
    refuse_application(std::string(a.x == nullptr ? "x" : "y") + " is a null pointer", status::null_pointer);
  check_data(s, D);
  const vector_entries x{a.x_layout, s.trial_size(), s.components, range.first, range.last, a.sides, a.x_side};
  const vector_entries y{a.y_layout, s.test_size(), y_components, range.first, range.last, a.sides, a.y_side};
  check_places_of("evaluation::apply: x", x, sizeof(T));
  check_places_of("evaluation::apply: y", y, sizeof(T));
  if (a.x != nullptr) check_aligned("evaluation::apply: x", a.x);
  if (a.y != nullptr) check_aligned("evaluation::apply: y", a.y);
  if (y.is_empty()) return a;
  check_y(s, which, a, x, y);
  check_apart("evaluation::apply: y", y, a.y, D);
  return a;
}

}  // namespace

}  // namespace tessera::detail

namespace tessera {

template <class T>
void evaluation<T>::apply(const element_set& which, const application<T>& given, const point_data<T>& D) const {
  const application<T> a = detail::checked_application(*state_, which, given, *D.source_);
  if (which.size() == 0) return;
  state_->on->apply(which, a, *D.source_);
}

template void evaluation<float>::apply(const element_set&, const application<float>&, const point_data<float>&) const;
template void evaluation<double>::apply(const element_set&, const application<double>&,
                                        const point_data<double>&) const;

}  // namespace tessera
