// SPDX-License-Identifier: BSD-3-Clause
// The order in which pairs of many operands are contracted: a pure function of letters and extents.
#pragma once

#include <compare>
#include <vector>

#include "letters.hpp"

namespace tessera::detail {

/// What an order depends on. No input has a letter that neither another input nor the output has.
struct network_sizes {
  std::vector<letter_set> inputs;
  letter_set out = 0;
  double extent[letter_count];  // of the batch index at least 1
  double entry_bytes = 1;

  double size(letter_set letters) const;
};

/// Operations first, then bytes of intermediates.
struct network_cost {
  double flops = 0, bytes = 0;

  friend network_cost operator+(const network_cost& a, const network_cost& b) {
    return {a.flops + b.flops, a.bytes + b.bytes};
  }
  friend auto operator<=>(const network_cost&, const network_cost&) = default;
};

/// A multiplication for each entry of the loop nest over `letters`, and an addition where the result has fewer.
double flops_of_pair(const network_sizes& sizes, letter_set letters, letter_set result);

/// Whether a pair with these letters can be one plan: of max_rank letters at most in the result, and summed over.
bool fits_a_plan(letter_set letters, letter_set result);

/// Two operands, by number: inputs first, then the results of earlier pairs.
struct network_pair {
  int first = 0, second = 0;
  letter_set letters = 0, result = 0;
};

struct network_order {
  std::vector<network_pair> pairs;  // one less than there are inputs; empty: no order fits plans
  network_cost cost;                // of the last result no bytes
};

/// The cheapest order of all. Its cost grows as 3 to the power of the number of inputs.
network_order exact_order(const network_sizes& sizes);

/// The better one of two orders made pair by pair: by the fewest operations, and by the smallest growth of what is in
/// memory.
network_order greedy_order(const network_sizes& sizes);

/// An order at least as good: parts of eight operands get their exact orders, as long as that helps.
network_order improved_order(const network_sizes& sizes, const network_order& from);

}  // namespace tessera::detail
