// SPDX-License-Identifier: BSD-3-Clause
// Loops as in a user's code around contract<> on static views, and around a plan, compiled for this machine.
#pragma once

#include <vector>

#include <tessera/plan.hpp>

namespace tessera::bench {

/// Entries one after the other in memory, visited in `groups` groups of `at_once` entries.
struct grouped_entries {
  const void* a = nullptr;  // of a contraction: the table, the same for all
  const void* b = nullptr;
  void* c = nullptr;
  index_t groups = 1, at_once = 1;
};

/// A square product of n = size, or a table along the middle index of a cube of order p = size with p + 2 points.
struct inline_row {
  bool square = true;
  int size = 1;
  void (*one_by_one)(const grouped_entries& in);                    // contract<> for each entry
  void (*by_batch)(const grouped_entries& in);                      // contract<> for each group
  void (*by_plan)(const grouped_entries& in, const plan& planned);  // a run for each group
};

inline constexpr int largest_inline_square = 16, largest_inline_order = 4;

const std::vector<inline_row>& inline_rows_f64();
const std::vector<inline_row>& inline_rows_f32();

}  // namespace tessera::bench
