// SPDX-License-Identifier: BSD-3-Clause
// How many entries of tables stay in registers while many lines are contracted.
#pragma once

namespace tessera::simd {

/// What a line's sums, numbers that it keeps, and a pair of its entries with a product leave.
template <class Isa>
constexpr int spare_registers(int sums, int kept = 0) {
  return Isa::registers - sums - kept - 3;
}

/// What a table that has some of `registers` leaves of them.
template <int registers, class Table>
constexpr int rest_of() {
  if constexpr (requires { Table::kept; })
    return registers - Table::kept;
  else
    return 0;
}

}  // namespace tessera::simd
