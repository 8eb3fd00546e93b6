// SPDX-License-Identifier: BSD-3-Clause
// From an order of pairs to steps: what each step contracts, in which layout its result is, and where in the workspace.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>

#include "order.hpp"

namespace tessera::detail {

/// One plan. Operands are numbered: inputs first, then the results of earlier steps; `ones` is a tensor of ones.
struct network_step {
  static constexpr int ones = -1;

  int first = 0, second = 0;
  std::string first_letters, second_letters, letters;  // of the operands and of the result
  double flops = 0;
  bool batched = false;  // its result differs between batch entries
  std::size_t at = 0;    // where in the workspace its result begins, in bytes; of the last step, the output, nothing

  std::string text() const { return first_letters + "," + second_letters + "->" + letters; }
};

/// The steps in the order in which they run: sums of letters that only one input has, then pairs, those that are the
/// same for all batch entries first. Of two operands that have to be made, the one whose making needs more workspace is
/// made first. `letters` are those of the operands, `sizes` those that `order` was found for.
std::vector<network_step> steps_of(const network_letters& letters, const network_sizes& sizes,
                                   const network_order& order);

/// Letters of input `o` that no other operand has, in their order; of the network's operands.
std::string lonely_letters(const network_letters& letters, std::size_t o);

/// Sets `at` of each step. bytes[i] is the size of step i's result, 0 for the last. Results that are needed at the same
/// time are apart; those that are the same for all batch entries stay until the end. Returns the bytes of all.
std::size_t place_results(std::vector<network_step>& steps, const std::vector<std::size_t>& bytes, int inputs,
                          std::size_t alignment);

}  // namespace tessera::detail
