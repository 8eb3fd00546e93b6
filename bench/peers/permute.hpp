// SPDX-License-Identifier: BSD-3-Clause
// A packed tensor with its letters in another order.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench {

/// A tensor's letters, nearest first, and their extents.
struct lettered {
  std::string letters;
  std::vector<index_t> extents;

  index_t extent(char letter) const { return extents[letters.find(letter)]; }
  index_t stride(char letter) const {
    index_t stride = 1;
    for (std::size_t d = 0; letters[d] != letter; ++d) stride *= extents[d];
    return stride;
  }
  index_t entries() const {
    index_t all = 1;
    for (index_t e : extents) all *= e;
    return all;
  }
  lettered in_order(const std::string& other) const {
    lettered made{other, {}};
    for (char letter : other) made.extents.push_back(extent(letter));
    return made;
  }
};

/// put(to[i], from[j]) for every entry, where the tensor `from_is` has its letters in the order `order` in `to`. Tiles
/// of the letters that are nearest in either keep both in cache.
template <class T, class Put>
void permute(T* to, const std::string& order, const T* from, const lettered& from_is, int threads, const Put& put) {
  constexpr index_t tile = 32;
  const lettered to_is = from_is.in_order(order);
  const char row = order.front(), col = from_is.letters.front();  // of a tile: nearest in `to`, nearest in `from`
  struct digit {
    index_t extent, to, from;
  };
  std::vector<digit> outer;
  index_t count = 1;
  for (char letter : order) {
    if (letter == row || letter == col) continue;
    outer.push_back({from_is.extent(letter), to_is.stride(letter), from_is.stride(letter)});
    count *= outer.back().extent;
  }
  const index_t rows = from_is.extent(row), cols = row == col ? 1 : from_is.extent(col);
  const index_t row_from = from_is.stride(row), col_to = row == col ? 0 : to_is.stride(col);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (index_t step = 0; step < count; ++step) {
    index_t at_to = 0, at_from = 0, rest = step;
    for (const digit& d : outer) {
      at_to += rest % d.extent * d.to;
      at_from += rest % d.extent * d.from;
      rest /= d.extent;
    }
    for (index_t c0 = 0; c0 < cols; c0 += tile)
      for (index_t r0 = 0; r0 < rows; r0 += row == col ? rows : tile)
        for (index_t c = c0; c < std::min(c0 + tile, cols); ++c)
          for (index_t r = r0; r < (row == col ? rows : std::min(r0 + tile, rows)); ++r)
            put(to[at_to + r + c * col_to], from[at_from + r * row_from + c]);
  }
}

}  // namespace tessera::bench
