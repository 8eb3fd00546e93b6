// SPDX-License-Identifier: BSD-3-Clause
// The rows of the TCCG benchmark as facts of packed operands.
#pragma once

#include <tessera/core/lower.hpp>

#include "bench/tccg_rows.hpp"

namespace tessera::testing {

using bench::einsum_of, bench::tccg_row, bench::tccg_rows;

/// Packed, in the places of the row's einsum.
struct row_facts {
  operand_facts at[max_inputs + 1];
};
inline row_facts packed_facts(const tccg_row& row) {
  const einsum e = parse_einsum(einsum_of(row).c_str());
  row_facts result;
  for (const int o : {0, 1, output}) {
    operand_facts& facts = result.at[o];
    facts.rank = e.operand[o].rank;
    index_t stride = 1;
    for (int d = 0; d < facts.rank; ++d) {
      facts.extent[d] = row.extents[e.operand[o].letter[d] - 'a'];
      facts.stride[d] = stride;
      stride *= facts.extent[d];
    }
  }
  return result;
}

}  // namespace tessera::testing
