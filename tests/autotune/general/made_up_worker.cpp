// SPDX-License-Identifier: BSD-3-Clause
// Answers of the made-up worker.
#include "made_up_worker.hpp"

#include <tessera/detail/general_tuning.hpp>

#include "general/general_json.hpp"

namespace tessera::tune::testing {

using nlohmann::json;

made_up_worker::fault made_up_worker::fault_of(const json& tile) const {
  const auto found = faults_.find(general_tile_text(tile_in(ordered_json(tile), form_), form_));
  return found == faults_.end() ? fault::none : found->second;
}

worker_process::answer made_up_worker::ask(const json& request) {
  const std::string what = request.at("do");
  if (what == "general compile") {
    json made = json::array();
    for (const json& tile : request.at("tiles")) {
      ++compiled;
      const fault f = fault_of(tile);
      if (f == fault::kills_compiler) return {outcome::crashed, "SIGSEGV", {}};
      made.push_back({{"seconds", 0.5}, {"reason", f == fault::refused ? "NVRTC refuses it" : ""}});
    }
    return {outcome::ok, "", {{"how", "ok"}, {"made", made}}};
  }
  const json& tile = request.at("tile");
  const fault f = fault_of(tile);
  if (f == fault::crashes) return {outcome::ok, "", {{"how", "failed"}, {"reason", "illegal address"}}};
  if (what == "general check") {
    ++checked;
    if (f == fault::wrong)
      return {outcome::ok, "", {{"how", "wrong"}, {"reason", "entry 7 of the output is 1, not 2"}}};
    if (f == fault::first_to_be_compared) {
      // The first one compares with nothing; later its fault shows.
      const bool again = std::exchange(wrong_is_compared_with_, true);
      if (again) return {outcome::ok, "", {{"how", "wrong"}, {"reason", "entry 9 of the output is 3, not 4"}}};
      return {outcome::ok, "", {{"how", "ok"}, {"reason", ""}, {"other_was_wrong", false}}};
    }
    return {outcome::ok, "", {{"how", "ok"}, {"reason", ""}, {"other_was_wrong", wrong_is_compared_with_}}};
  }
  ++timed;
  return {outcome::ok,
          "",
          {{"how", "ok"}, {"seconds", seconds_of(tile_in(ordered_json(tile), form_))}, {"mhz", 1980}, {"watts", 600}}};
}

general_case square_case() {
  options o;
  o.einsum = "ik,kj->ij";
  o.extents = "i=512,j=512,k=512";
  return general_cases_from(o).at(0);
}

std::vector<detail::general_tile> tiles_of_square(const std::vector<int>& rows) {
  std::vector<detail::general_tile> tiles;
  for (const int box : rows) {
    detail::general_tile tile;
    tile.rows[0] = box;
    tile.cols[0] = 64;
    tile.inner[0] = 16;
    tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace tessera::tune::testing
