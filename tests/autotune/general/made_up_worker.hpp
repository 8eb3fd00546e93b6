// SPDX-License-Identifier: BSD-3-Clause
// A worker of the tests: it answers like one with a GPU, with times by a formula and the faults that it is told.
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include <tessera/detail/general_tuning.hpp>

#include "general/general_evaluator.hpp"

namespace tessera::tune::testing {

class made_up_worker {
 public:
  enum class fault { none, refused, kills_compiler, wrong, crashes, first_to_be_compared };

  explicit made_up_worker(general_form form) : form_(form) {}

  /// Of the tile with these texts; others have none.
  void give(const detail::general_tile& tile, fault f) { faults_[general_tile_text(tile, form_)] = f; }

  worker_process::answer ask(const nlohmann::json& request);
  general_asks asks() {
    return [this](const nlohmann::json& request, double) { return ask(request); };
  }
  std::function<void()> replacement() {
    return [this] { ++replaced; };
  }

  /// Seconds of a tile: fewer for larger boxes of rows.
  static double seconds_of(const detail::general_tile& tile) { return 1e-3 / (1 + tile.rows[0]); }

  int compiled = 0, checked = 0, timed = 0, replaced = 0;

 private:
  fault fault_of(const nlohmann::json& tile) const;

  general_form form_;
  std::map<std::string, fault> faults_;
  bool wrong_is_compared_with_ = false;
};

/// "ik,kj->ij" of 512 by 512 by 512 in double.
general_case square_case();
/// Tiles of it that differ in their box of rows.
std::vector<detail::general_tile> tiles_of_square(const std::vector<int>& rows);

}  // namespace tessera::tune::testing
