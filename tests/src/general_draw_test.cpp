// SPDX-License-Identifier: BSD-3-Clause
// Tiles drawn at random: they fit, differ, and are a fair sample.
#include <tessera/detail/general_draw.hpp>

#include <map>
#include <set>
#include <string>

#include <tessera/detail/general_candidates.hpp>
#include <tessera/detail/general_records.hpp>

#include "testing/catch.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;
using detail::drawn_tiles;
using detail::general_tile;

namespace {

general_form row_form(int id) {
  const tccg_row& row = tccg_rows[id - 1];
  return lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
}

}  // namespace

TEST_CASE("general draws: tiles of every row fit, and none comes twice") {
  for (const tccg_row& row : tccg_rows) {
    const general_form form = row_form(row.id);
    const drawn_tiles drawn = draw_tiles(form, {}, detail::rates_of_h200, 40, 1);
    INFO("row " << row.id << ": " << drawn.draws << " draws, " << drawn.fitting << " fit");
    REQUIRE(drawn.found.size() == 40);
    CHECK(drawn.fitting >= 40);
    CHECK(drawn.fitting < drawn.draws);
    std::set<std::string> texts;
    bool fits = true;
    for (const general_tile& tile : drawn.found) {
      texts.insert(text_of(tile, form));
      fits = fits && why_no_tile(tile, form).empty() &&
             blocks_together(work_of(tile, form), {}, detail::rates_of_h200) > 0;
    }
    CHECK(texts.size() == 40);
    CHECK(fits);
    CHECK(detail::number_of_combinations(form) == candidates_of(form, detail::rates_of_h200).enumerated);
  }
}

TEST_CASE("general draws: the same seed draws the same tiles, another one others") {
  const general_form form = row_form(12);
  const auto texts = [&](std::size_t count, std::uint64_t seed) {
    std::vector<std::string> all;
    for (const general_tile& tile : draw_tiles(form, {}, detail::rates_of_h200, count, seed).found)
      all.push_back(text_of(tile, form));
    return all;
  };
  const std::vector<std::string> few = texts(5, 1), many = texts(50, 1);
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(texts(5, 2) != few);
}

TEST_CASE("general draws: every box of a digit is as likely") {
  // A sum of 8 has the boxes 1, 2, 3, 4, 6 and 8, and with rows and columns so few all of them fit.
  general_form form;
  form.rows = {1, {{2, 1, 0, 1}}};
  form.cols = {1, {{2, 0, 1, 2}}};
  form.inner = {1, {{8, 2, 2, 0}}};
  std::map<int, int> of_box;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed)
    ++of_box[draw_tiles(form, {}, detail::rates_of_h200, 1, seed).found.at(0).inner[0]];
  REQUIRE(of_box.size() == 6);
  for (const auto& [box, count] : of_box) {
    INFO("box " << box << ": " << count << " of 3000");
    CHECK((count > 400 && count < 600));  // 500 and four deviations of 20
  }
}

TEST_CASE("general draws: a space that is used up ends the draws") {
  general_form form;
  form.rows = {1, {{1, 1, 0, 1}}};
  const drawn_tiles drawn = draw_tiles(form, {}, detail::rates_of_h200, 100000, 1);
  CHECK(drawn.found.size() == 36);  // 18 arrangements of warps, on either side
  CHECK(double(drawn.found.size()) == detail::number_of_combinations(form));
}
