// SPDX-License-Identifier: BSD-3-Clause
// operator_call: a call of another implementation of operators between L-vectors.
#pragma once

#include <cstdint>
#include <span>

#include "peers/element_call.hpp"

namespace tessera::bench {

/// y = G^T B^T D B G x on a box of elements: as an element_call whose x and y are L-vectors, D in the order of the
/// list.
struct operator_call {
  element_call element;
  index_t size = 0;                       // of x and y; number c of a component is behind all those of c - 1
  const std::int32_t* offsets = nullptr;  // of node i of element e at [i + n e]
  std::span<const int> cells;             // of the box, 2 or 3
  const index_t* cell = nullptr;          // of element e: its number in the box, first direction fastest
};

}  // namespace tessera::bench
