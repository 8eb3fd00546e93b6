// SPDX-License-Identifier: BSD-3-Clause
// Tells inner elements from outer ones, and numbers what these have.
#include "split_elements.hpp"

#include <tessera/error.hpp>

#include <algorithm>
#include <string>

namespace tessera::fem::detail {

namespace {

[[noreturn]] void refuse_numbers(const std::string& why, status code = status::invalid_argument) {
  throw error("distributed_operator: " + why, code);
}

void check_numbers(const restriction& r, const owned_numbers& n) {
  if (n.owned < 0 || n.owned > r.size())
    refuse_numbers(std::to_string(n.owned) + " owned numbers of a restriction of " + std::to_string(r.size()),
                   status::shape_mismatch);
  if (r.components() > 1 && r.component_stride() != 1)
    refuse_numbers("components by a stride of " + std::to_string(r.component_stride()) +
                   "; those of a node are to follow each other");
  std::vector<bool> is_sent(std::size_t(n.owned));
  for (const index_t k : n.sent) {
    if (k < 0 || k >= n.owned)
      refuse_numbers("sent number " + std::to_string(k) + " is not one of " + std::to_string(n.owned) + " owned ones");
    if (is_sent[std::size_t(k)]) refuse_numbers("number " + std::to_string(k) + " is sent twice");
    is_sent[std::size_t(k)] = true;
  }
}

index_t number_of(index_t offset) { return offset < 0 ? -1 - offset : offset; }

// The restriction of some elements, with number `becomes(k)` for number k, and so many.
template <class Becomes>
restriction restriction_of(const restriction& r, const std::vector<index_t>& elements, index_t size,
                           const Becomes& becomes) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(elements.size() * std::size_t(r.entries()));
  for (const index_t e : elements)
    for (index_t i = 0; i < r.entries(); ++i) {
      const index_t given = r.offset(i, e), number = becomes(number_of(given));
      offsets.push_back(given < 0 ? -1 - number : number);
    }
  std::vector<index_t> constrained;
  for (const index_t k : r.constrained())
    if (const index_t number = becomes(k); number >= 0) constrained.push_back(number);
  return restriction({.elements = index_t(elements.size()),
                      .entries = r.entries(),
                      .components = r.components(),
                      .size = size,
                      .offsets64 = offsets.data(),
                      .component_stride = r.component_stride(),
                      .negative = r.has_signs() ? negative_offset::sign : negative_offset::refused,
                      .constrained = constrained});
}

}  // namespace

split_elements::split_elements(const restriction& r, const owned_numbers& numbers) : of_inner(r), of_outer(r) {
  check_numbers(r, numbers);
  std::vector<index_t> place(std::size_t(numbers.owned), -1);  // among `between`
  for (index_t e = 0; e < r.elements(); ++e) {
    bool is_inner = true;
    for (index_t i = 0; i < r.entries(); ++i)
      is_inner = is_inner && number_of(r.offset(i, e)) + r.components() <= numbers.owned;
    (is_inner ? inner : outer).push_back(e);
    for (index_t i = 0; i < r.entries() && !is_inner; ++i)
      for (index_t k = number_of(r.offset(i, e)), c = 0; c < r.components() && k + c < numbers.owned; ++c)
        place[std::size_t(k + c)] = 0;
  }
  for (index_t k = 0; k < numbers.owned; ++k)
    if (place[std::size_t(k)] == 0) {
      place[std::size_t(k)] = index_t(between.size());
      between.push_back(k);
    }
  of_inner = restriction_of(r, inner, numbers.owned, [&](index_t k) { return k < numbers.owned ? k : -1; });
  of_outer = restriction_of(r, outer, r.size() - numbers.owned + index_t(between.size()), [&](index_t k) {
    return k < numbers.owned ? place[std::size_t(k)] : k - numbers.owned + index_t(between.size());
  });
}

}  // namespace tessera::fem::detail
