// SPDX-License-Identifier: BSD-3-Clause
// Shared memory of a block whose x, y and D are copied in whole pieces: counted by the rules, used by the kernel.
#pragma once

namespace tessera {

/// Bytes from one multiple of 16 to another.
constexpr int whole_sixteens(int bytes) { return (bytes + 15) / 16 * 16; }

/// Bytes for `count` numbers that begin anywhere between two multiples of 16.
constexpr int piece_bytes(int count, int number_bytes) {
  return whole_sixteens(count * number_bytes + 16 - number_bytes);
}

/// Of the barriers that x and D arrive at.
constexpr int arrival_bytes(int batches) { return 16 * batches; }

}  // namespace tessera
