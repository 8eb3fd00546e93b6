// SPDX-License-Identifier: BSD-3-Clause
// Lists of small contractions of mixed shapes, each over operands of its own: a block-sparse matrix times a vector.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

int main() {
  using namespace tessera;
  // snippet executor
  // Rows of 3 and columns of 2, 4, 2, 4, ...: blocks of two shapes, of which every third is there.
  struct place {
    index_t i, j;
  };
  const index_t rows = 6;
  const std::vector<index_t> width{2, 4, 2, 4, 2, 4};
  std::vector<place> present;
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = i % 3; j < 6; j += 3) present.push_back({i, j});

  // Blocks, x and y keep their own memory; x_j is shared by all blocks of its column, y_i is a sum over those of its
  // row.
  std::vector<std::vector<double>> blocks, x, y(rows, std::vector<double>(3));
  for (const place& p : present) blocks.emplace_back(3 * width[p.j], 0.5);
  for (index_t j = 0; j < 6; ++j) x.emplace_back(width[j], 2.0);

  std::vector<executor_item> items;
  for (std::size_t b = 0; b < present.size(); ++b) {
    const auto [i, j] = present[b];
    items.push_back(make_item(contraction("ij,j->i", add), view(blocks[b].data(), of_size(3, width[j])),
                              view(x[j].data(), of_size(width[j])), view(y[i].data(), of_size(3))));
  }

  // Made once: checked, sorted by shape, and terms of one sum put into rounds that keep their order. Run many times.
  const executor all(items);
  all.run();
  std::cout << all.describe() << '\n';
  // end snippet
  const bool right = std::all_of(y.begin(), y.end(), [](const auto& v) { return v[0] == 6 && v[2] == 6; });
  return right && all.shapes() == 2 && all.rounds() == 2 ? 0 : 1;
}
