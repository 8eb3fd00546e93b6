// SPDX-License-Identifier: BSD-3-Clause
// A chain in the form of one kernel: einsums with one more letter, that of the element, and the address of every
// operand.
#pragma once

#include <string>
#include <vector>

#include <tessera/core/chain.hpp>
#include <tessera/scalar.hpp>

namespace tessera::device {

/// An operand of one element, and the entries from one element to the next; 0 if all elements share it.
struct chain_operand {
  operand_facts facts;  // of one element
  index_t apart = 0;
  int number = -1;  // among the chain's tables (shared) or streams (not shared)

  constexpr bool is_shared() const { return apart == 0; }
  /// With the elements as the last dimension.
  constexpr operand_facts of_elements(index_t elements) const {
    operand_facts all = facts;
    if (is_shared()) return all;
    all.extent[all.rank] = elements;
    all.stride[all.rank++] = apart;
    return all;
  }
  constexpr index_t entries() const {
    index_t product = 1;
    for (int d = 0; d < facts.rank; ++d) product *= facts.extent[d];
    return product;
  }
  /// Bytes of shared memory of one element.
  constexpr index_t span() const {
    index_t last = 0;
    for (int d = 0; d < facts.rank; ++d) last += (facts.extent[d] - 1) * facts.stride[d];
    return last + 1;
  }
};

struct fused_step {
  std::string text;  // the contraction of one element; with the product merged into it
  einsum e;          // with the element's letter
  chain_operand inputs[max_inputs - 1];
  chain_operand result;  // in shared memory
  /// The next step, if it is an entry-by-entry product: applied to the sums when they are stored.
  bool weighted = false;
  chain_operand weights;
};

/// Everything that determines the kernel. Two chains with equal texts use one kernel.
struct chain_form {
  scalar_type type = scalar_type::f64;
  chain_operand in, out;  // in global memory
  chain_operand brought;  // `in`, packed in shared memory
  std::vector<fused_step> steps;
  std::vector<chain_operand> tables;  // shared inputs, each once
  int streams = 0;                    // batched ones

  /// The operand that step i reads from shared memory.
  const chain_operand& chained(std::size_t i) const { return i == 0 ? brought : steps[i - 1].result; }
  /// A table in shared memory: its lines are aligned to 16 bytes, so that a thread reads several entries at a time.
  chain_operand table_in_shared(const chain_operand& table) const;
  index_t table_entries() const;
  /// The most entries of one element in the two halves of shared memory; results alternate, the input is in the first.
  index_t half(int which) const;
};

/// "kj,abj->abk; kj,ajc->akc": the contractions of one element.
std::string name_of_chain(const chain_form& form);

/// The einsum with the element's letter, for all operands: "kj,abjz->abkz".
std::string text_of_modes(const einsum& e);

}  // namespace tessera::device
