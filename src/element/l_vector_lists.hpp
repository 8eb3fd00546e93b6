// SPDX-License-Identifier: BSD-3-Clause
// How a GPU's kernels find the entries of elements among the numbers of L-vectors, and what is added up afterwards.
//
// A kernel writes a number of y itself where no other entry has it, for an entry of which that is so in all elements:
// those inside of hexahedra. Each of the other entries of an element has a place for its term, and a second kernel adds
// these up by one order of elements, which does not know parts: each number of y is the sum of the same terms in the
// same order, whatever they are.
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

/// Sums of numbers, a warp of them with as many terms each: warp w adds terms[first[w]], ..., terms[first[w + 1] - 1],
/// of which lane l has every n-th from first[w] + l on, n lanes having a number.
struct shared_sums {
  static constexpr int warp = 32;

  std::vector<index_t> first;
  code_list numbers;   // of each lane; the last ones of a warp may be left out
  code_list terms;     // codes of places
  int components = 1;  // numbers are those of component 0; 1: each component's numbers are listed
};

/// Elements are patches of their own.
struct l_vector_lists : element_patches {
  number_codes x, y;        // x is empty where both have the same restriction
  std::vector<int> places;  // of entry i among the terms of its element; -1: its number is written in place
  int element_terms = 0;    // of a component
  shared_sums sums;
  std::vector<index_t> untouched;  // numbers of no element, without constrained ones
};

std::shared_ptr<l_vector_lists> l_vector_lists_of(const patch_request& request);

/// Of gather and transposed gather of conventional E-vectors, whose entries are the terms; component c's are
/// r.entries c behind. Constrained numbers are like the others.
std::shared_ptr<l_vector_lists> e_vector_lists_of(const restriction_state& r);

}  // namespace tessera::detail
