// SPDX-License-Identifier: BSD-3-Clause
// Figure 2: the trailing update of a matrix in tiles, in index notation.
#include <tessera/tessera.hpp>

#include <algorithm>

using namespace tessera;

namespace {

bool update() {
  // snippet figure2
  // A matrix of 576 x 512 as 9 x 8 tiles of 64 x 64; make_tensor<double>(gpu, ...) puts it on the GPU.
  auto tiles = make_tensor<double>(of_size<64, 64, 9, 8>());
  std::fill(tiles.begin(), tiles.end(), 0.5);

  // Each tile but those of the first row and column loses the product of one of the first column and one of the first
  // row. k is summed. Ranges include both ends. What is read and what is written are different tiles: that is checked.
  using namespace tessera::index_names;
  const auto A = indexed(tiles);
  A(i, j, m(1, 8), n(1, 7)) -= A(i, k, m, 0) * A(k, j, 0, n);
  // end snippet
  return tiles(3, 5, 8, 7) == 0.5 - 64 * 0.25 && tiles(3, 5, 8, 0) == 0.5;
}

}  // namespace

int main() { return update() ? 0 : 1; }
