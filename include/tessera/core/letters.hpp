// SPDX-License-Identifier: BSD-3-Clause
// What the letters of a contraction determine without its sizes: which kernel contract<> instantiates.
#pragma once

#include <tessera/core/lower.hpp>

namespace tessera {

/// The form of `e`, and which inputs make which side. All extents are 1.
constexpr lowered lower_letters(const einsum& e) {
  operand_facts facts[max_inputs + 1];
  for (int o = 0; o <= max_inputs; ++o) {
    facts[o].rank = e.operand[o].rank;
    for (int d = 0; d < max_rank; ++d) facts[o].extent[d] = 1;
  }
  return lower(e, facts);
}

}  // namespace tessera
