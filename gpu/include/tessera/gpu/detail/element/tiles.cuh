// SPDX-License-Identifier: BSD-3-Clause
// Tiles of a symmetric element matrix are written, each from the places of its numbers in shared memory.
#pragma once

#include <tessera/gpu/detail/element/matrix_arguments.hpp>

namespace tessera::device {

/// A tile has d² rows and columns of an element's d³, for a pair (i,j) of functions of the last direction; pairs other
/// than (i,i) have one on each side of the diagonal. The table holds the places of a tile's entries in their order,
/// then those of the tile across, then the functions of all pairs. Pieces of 16 bytes: a thread's are the same of all
/// tiles, so their places stay in registers.
template <class T, class Stores, int d, int threads>
class tiled_entries {
  static constexpr int square = d * d, rows = d * square, all = square * square / 2;
  static constexpr int each = (all + threads - 1) / threads, lanes = (all + each - 1) / each;
  static_assert(square % 2 == 0 && sizeof(T) == 8, "a tile's columns are whole pieces");

  struct alignas(2 * sizeof(unsigned short)) two_places {
    unsigned short at[2];
  };
  struct alignas(16) piece {
    T at[2];
  };
  /// Where a matrix is no multiple of 16 bytes away.
  struct entry_stores {
    static void store(T* to, const T* from) {
      to[0] = from[0];
      to[1] = from[1];
    }
  };

 public:
  /// Pairs first, first + 1, ..., staged `pitch` entries apart.
  static void store(T* matrix, const entry_places& places, int first, int pairs, const T* staged, int pitch,
                    int thread) {
    if (reinterpret_cast<unsigned long long>(matrix) % 16 == 0)
      store_by<Stores>(matrix, places, first, pairs, staged, pitch, thread);
    else
      store_by<entry_stores>(matrix, places, first, pairs, staged, pitch, thread);
  }

 private:
  template <class Writer>
  static void store_by(T* matrix, const entry_places& table, int first, int pairs, const T* staged, int pitch,
                       int thread) {
    if (thread >= lanes) return;
    const two_places* const places = reinterpret_cast<const two_places*>(table.at);
    const two_places* const functions = places + 2 * all + first;
    int to[each];
    two_places own[each], across[each];
#pragma unroll
    for (int m = 0; m < each; ++m) {
      const int at = thread + lanes * m;
      if (at >= all) continue;
      to[m] = 2 * (at % (square / 2)) + rows * (at / (square / 2));
      own[m] = places[at];
      across[m] = places[all + at];
    }
#pragma unroll 1
    for (int pair = 0; pair < pairs; ++pair) {
      const T* const from = staged + pitch * pair;
      const int i = functions[pair].at[0], j = functions[pair].at[1];
      const auto put = [&](const two_places(&at)[each], int row, int column) {
        T* const tile = matrix + square * (row + rows * column);
#pragma unroll
        for (int m = 0; m < each; ++m) {
          if (thread + lanes * m >= all) continue;
          const piece now{{from[at[m].at[0]], from[at[m].at[1]]}};
          Writer::store(tile + to[m], now.at);
        }
      };
      put(own, i, j);
      if (i != j) put(across, j, i);
    }
  }
};

}  // namespace tessera::device
