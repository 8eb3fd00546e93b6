// SPDX-License-Identifier: BSD-3-Clause
// A box of elements as a code would have it: the order of its elements, and the numbers of their nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tessera/core/types.hpp>

namespace tessera::bench {

enum class numbering {
  box,   ///< elements and nodes direction by direction
  mesh,  ///< elements in random order; nodes vertex by vertex, edge by edge, ..., neighbours close to each other
  random
};

/// Throws naming the valid ones.
numbering numbering_from(const std::string& text);
const char* name_of(numbering how);

struct box_numbers {
  std::vector<int> cells;             // 2 or 3
  std::vector<index_t> cell;          // of element e: its number in the box, first direction fastest
  std::vector<std::int32_t> offsets;  // number of node i of element e at i + n e
  index_t nodes = 0;

  index_t elements() const { return index_t(cell.size()); }
};

/// The same each time.
box_numbers number_box(const std::vector<int>& cells, int order, numbering how);

/// Nearly a square or cube, with approximately that many nodes.
std::vector<int> cells_for(double nodes, int order, int dim);

/// "100k,5M": numbers with k for thousands and M for millions. Throws quoting the invalid part.
std::vector<index_t> parse_unknowns(const std::string& text);

}  // namespace tessera::bench
