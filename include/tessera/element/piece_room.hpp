// SPDX-License-Identifier: BSD-3-Clause
// Shared memory that a GPU's block needs for x, y and D in one piece: counted by the rules, laid out by the kernel.
#pragma once

namespace tessera {

/// Bytes from one multiple of 16 to another.
constexpr int whole_sixteens(int bytes) { return (bytes + 15) / 16 * 16; }

/// Bytes for `count` numbers that begin anywhere between two multiples of 16.
constexpr int piece_room(int count, int number_bytes) {
  return whole_sixteens(count * number_bytes + 16 - number_bytes);
}

/// Of barriers by which a block learns that x and D have arrived.
constexpr int arrival_bytes(int batches) { return 16 * batches; }

}  // namespace tessera
