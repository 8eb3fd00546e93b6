// SPDX-License-Identifier: BSD-3-Clause
// The order in which a warp on tensor cores sums over k: the one with the fewest bank conflicts.
#pragma once

#include <tessera/detail/packed_plan.hpp>

namespace tessera::device {

/// The order of k: a multiplication takes four of them, one from each of a warp's quarters, `apart` from each other.
struct order_of_k {
  int k, apart;

  /// Steps that take four k in this order; the rest is taken consecutively.
  constexpr int strided() const { return (k + 3) / (4 * apart) * apart; }
  constexpr int steps() const { return strided() + (k > 4 * strided() ? (k - 4 * strided() + 3) / 4 : 0); }
  constexpr int at(int step, int quarter) const {
    if (step >= strided()) return 4 * step + quarter;
    return step / apart * 4 * apart + quarter * apart + step % apart;
  }
};

/// The shared memory transactions of one access by 16 lanes (8 lanes, if each reads two entries): accesses to different
/// entries of a bank are serialised. Entries of 8 bytes; lane 4 g + q reads at g by_group + q by_quarter.
constexpr int accesses_of(int by_group, int by_quarter, int vector) {
  const int banks = 16 / vector, groups = 4 / vector;
  int in_bank[16] = {}, most = 0;
  for (int g = 0; g < groups; ++g)
    for (int q = 0; q < 4; ++q) {
      bool is_new = true;
      const int entry = (g * by_group + q * by_quarter) / vector;
      for (int other = 0; other < g * 4 + q; ++other)
        is_new = is_new && (other / 4 * by_group + other % 4 * by_quarter) / vector != entry;
      if (is_new && ++in_bank[entry % banks] > most) most = in_bank[entry % banks];
    }
  return most;
}

/// The order in which operands are read with the fewest bank conflicts, by warps that take `row_accesses` vectors of
/// rows and `col_accesses` columns a step.
constexpr order_of_k order_for(int k, const packed_tiles& left, int row_accesses, int vector, const packed_tiles& right,
                               int col_accesses) {
  order_of_k best{k, 1};
  int least = 0;
  for (int apart = 1; apart <= 4; apart *= 2) {
    const int accesses = row_accesses * vector * accesses_of(vector * left.row, apart * left.col, vector) +
                         col_accesses * accesses_of(right.col, apart * right.row, 1);
    if (least == 0 || accesses < least) best.apart = apart, least = accesses;
  }
  return best;
}

}  // namespace tessera::device
