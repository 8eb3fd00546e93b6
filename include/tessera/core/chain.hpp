// SPDX-License-Identifier: BSD-3-Clause
// Chains: contractions whose last input is the previous result. Lowering one also sizes its intermediates.
#pragma once

#include <tessera/core/lower.hpp>

namespace tessera {

/// Longest chain: the six contractions of a 3-D evaluation with the D step in their middle are seven; one more is
/// allowed.
inline constexpr int max_steps = 12;

/// Facts of the packed column-major result of `e`. Extents come from the inputs.
constexpr operand_facts result_facts(const einsum& e, const operand_facts (&facts)[max_inputs + 1]) {
  operand_facts result{.rank = e.out().rank};
  index_t stride = 1;
  for (int d = 0; d < result.rank; ++d) {
    for (int o = 0; o < e.inputs; ++o)
      if (const int at = e.operand[o].find(e.out().letter[d]); at >= 0) result.extent[d] = facts[o].extent[at];
    result.stride[d] = stride;
    // More entries than 63 bits can count are rejected later, whatever the strides.
    const index_t most = ~(index_t(1) << 63);
    stride = result.extent[d] > 0 && stride > most / result.extent[d] ? 1 : stride * result.extent[d];
  }
  return result;
}

/// One step before lowering: its einsum and the facts of the inputs in front of the chained one.
struct chain_link {
  einsum e;
  operand_facts inputs[max_inputs - 1];
};

struct lowered_chain {
  int steps = 0;
  lowered step[max_steps];
  operand_facts result[max_steps];  // of step i: packed intermediates, and the output's facts for the last one
  int failed_step = -1;             // the first step whose lowering has a fault
};

/// Lowers `count` links from an input with facts `in` to an output with facts `out`.
constexpr lowered_chain lower_chain(const chain_link* links, int count, const operand_facts& in,
                                    const operand_facts& out) {
  lowered_chain chain;
  chain.steps = count;
  operand_facts previous = in;
  for (int i = 0; i < count; ++i) {
    const einsum& e = links[i].e;
    operand_facts facts[max_inputs + 1];
    for (int o = 0; o + 1 < e.inputs; ++o) facts[o] = links[i].inputs[o];
    if (e.inputs > 0) facts[e.inputs - 1] = previous;
    facts[output] = i + 1 == count ? out : result_facts(e, facts);
    chain.step[i] = lower(e, facts);
    chain.result[i] = facts[output];
    if (chain.step[i].fault != lower_fault::none) {
      chain.failed_step = i;
      return chain;
    }
    previous = facts[output];
  }
  return chain;
}

}  // namespace tessera
