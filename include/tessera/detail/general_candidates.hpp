// SPDX-License-Identifier: BSD-3-Clause
// Tiles for a general contraction on a GPU, best first by a model of their cost: COGENT's enumeration and pruning.
#pragma once

#include <vector>

#include <tessera/detail/general_cost.hpp>

namespace tessera::detail {

struct general_candidate {
  general_tile tile;
  general_costs costs;
};

struct general_candidates {
  std::vector<general_candidate> found;  // cheapest first
  // Every combination of boxes, of warps, and of the sides for rows and columns; those that rules leave out, before
  // anybody looks whether they fit. Of the others: those whose block does not fit the GPU, and those that do and that
  // the model rates slow.
  double enumerated = 0, by_rules = 0, by_hardware = 0, by_model = 0;
  double tried() const { return enumerated - by_rules; }
};

/// Tiles whose modelled time is at most 1.5 times the best one's; at least one for every form, of extents from 1 on.
/// Each has as many stages and as many splits as the model likes best. Of boxes that the model can hardly tell apart
/// one is kept. Empty only for a GPU on which no block fits.
general_candidates candidates_of(const general_form& form, const gpu_rates& gpu, const general_kind& kind = {});

/// The cheapest `count` of them, those to measure, each with other numbers of rows, columns and summed entries.
std::vector<general_candidate> different_ones(const general_candidates& from, const general_form& form,
                                              std::size_t count);

}  // namespace tessera::detail
