// SPDX-License-Identifier: BSD-3-Clause
// What was measured of a contraction, how good the model was, and tables of both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tessera/detail/general_tuning.hpp>

#include "evaluator.hpp"
#include "general/general_case.hpp"
#include "search/random_report.hpp"
#include "search/recording.hpp"
#include "strategy.hpp"

namespace tessera::tune {

/// The measured limits of the GPU, bytes and flop/s; of a data sheet's multiples where a way has no chain to measure.
struct general_limits {
  double bandwidth = 0;   // of the best copy
  double matrix_f64 = 0;  // tensor cores
  double flops_f64 = 0, flops_f32 = 0;
};

/// The least time: all tensors moved once, or all flops at the limit of the instructions.
double bound_of(const general_case& c, const general_limits& limits);

struct measured_tile {
  detail::general_tile tile;
  double predicted = 0;  // seconds
  outcome how = outcome::ok;
  std::string reason;          // where not ok
  double seconds = 0;          // the median; 0: not measured
  double compile_seconds = 0;  // 0: in the journal, not compiled
  int rank = 0;                // its place by the model among all that are left, from 1; 0: drawn
};

struct general_result {
  general_case of;
  bool is_random = false;        // tiles are the model's first choice and drawn ones, else the model's
  general_proposals counts;      // without tiles
  double searching_seconds = 0;  // of the enumeration or the draws
  double compile_seconds = 0;    // wall-clock
  double bound = 0;              // seconds
  std::vector<measured_tile> tiles;
  int ranked = 0;   // so many are in the model's order: its first ones, the rest spread over all that are left
  int present = 0;  // the tile of the library today
  search_result found;
  conditions seen;
  std::optional<enough_draws> enough;   // when a random search ends early
  std::optional<random_report> rarity;  // of the drawn ones

  bool has_winner() const { return found.winner >= 0; }
  double fraction() const { return bound / found.median; }
};

/// Whether the tile is one of a random search's: neither the model's first choice nor that of a record.
bool is_drawn(const general_result& r, int tile);

/// Fills the tiles' outcomes from what a search measured.
void take_times(general_result& result);

/// How the model's order compares with the measured one; of a random search the drawn tiles' rank correlation only.
struct model_figures {
  int measured = 0;  // tiles that work
  int rank = 0;      // measured_tile::rank of the fastest tile; 0: none works
  double first = 0;  // the best time by that of the model's first choice; 0: that fails
  double ten = 0;    // by that of the best of its first ten, as far as they were measured
  double spearman = 0;
};
model_figures figures_of(const general_result& r);

/// A line for each result, geometric means below, and how rare good tiles are if they were drawn.
std::string table_of(const std::vector<general_result>& results, const std::string& device);

/// The place in the model's order, or "-".
std::string rank_text(const measured_tile& t);
/// Combinations before and after pruning, and the seconds that took.
std::string counts_text(const general_result& r);
/// The counts, and a line for each tile with the model's time; that of plans today has a star.
std::string model_text(const general_result& r);

/// For tessera-tune simulate.
recorded_space recorded_of(const general_result& r);

}  // namespace tessera::tune
