// SPDX-License-Identifier: BSD-3-Clause
// Elements in patches for a GPU: what a block of threads computes, step by step, and how it finds numbers of L-vectors.
//
// Elements of a step have no number in common, except for shared ones. A number that only one patch has, an interior
// one, is added to in y itself, step by step: its first element writes it. Each entry of a shared number has a place
// of its own, and a second kernel adds these. Both go by one order of elements, which knows neither patches nor parts:
// each number of y is the sum of the same terms in the same order, whatever they are.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tessera/gpu/detail/element/number_codes.hpp>

#include "patches.hpp"
#include "restriction_state.hpp"

namespace tessera::detail {

/// Codes of 32 bits where they are enough.
struct code_list {
  std::vector<std::uint32_t> narrow;
  std::vector<std::uint64_t> wide;

  bool is_wide() const { return !wide.empty(); }
};

/// The codes of a restriction, entry i of the element at position k of the order at i + entries (c + lists k), where
/// components that are constrained differently have a list each, else all one (c = 0).
struct number_codes {
  code_list codes;
  int lists = 1;
};

/// Sums of shared numbers, those of as many terms one after the other: term t of number s in [first, last) is at
/// terms[term + s - first + t (last - first)].
struct shared_sums {
  struct group {
    index_t count = 0, first = 0, last = 0, term = 0;
  };
  std::vector<group> groups;
  std::vector<index_t> numbers;
  std::vector<index_t> terms;  // places
  int components = 1;          // numbers are those of component 0; 1: each component's numbers are listed
};

struct patch_steps : element_patches {
  std::vector<index_t> first_element;  // position of each step's first; the last entry is the number of elements
  std::vector<index_t> first_step;     // of each patch; the last entry is the number of steps
  number_codes x, y;                   // x is empty where both have the same restriction
  std::vector<index_t> outer;          // number of component 0 of each place
  shared_sums sums;
  std::vector<index_t> untouched;  // numbers of no element, without constrained ones
};

/// Patches of `request`, steps of at most `step` elements.
std::shared_ptr<patch_steps> steps_of(const patch_request& request, index_t step);

}  // namespace tessera::detail
