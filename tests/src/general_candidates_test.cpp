// SPDX-License-Identifier: BSD-3-Clause
// Candidates of every row of TCCG and of random contractions: they fit, are in order, and are never none.
#include <tessera/detail/general_candidates.hpp>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::general_candidate;
using tessera::detail::general_candidates;
using tessera::detail::general_tile;
using tessera::detail::general_work;
using tessera::detail::rates_of_h100;
using tessera::detail::rates_of_h200;
using tessera::detail::size_of_box;

namespace {

bool is_inside(const int (&box)[max_rank], const general_digits& of) {
  for (int i = 0; i < of.count; ++i)
    if (box[i] < 1 || box[i] > of.at[i].extent) return false;
  return true;
}

// work_of without traffic, which takes long for all tiles of all rows.
general_work sizes_of(const general_tile& tile, const general_form& form) {
  const int rows = size_of_box(tile.rows, form.rows), cols = size_of_box(tile.cols, form.cols);
  general_work work;
  work.box_down = tile.exchanged ? cols : rows;
  work.box_across = tile.exchanged ? rows : cols;
  work.box_inner = size_of_box(tile.inner, form.inner);
  work.warps_down = tile.warps_down;
  work.warps_across = tile.warps_across;
  work.stages = tile.stages;
  return work;
}

// The limits of an H100 and an H200 by themselves, not by what the search asks for. Empty if all hold.
std::string fault_of(const general_candidate& c, const general_form& form) {
  const general_tile& tile = c.tile;
  const general_work work = sizes_of(tile, form);
  const int warps = tile.warps_down * tile.warps_across;
  const auto is_any_of = [](int number, std::initializer_list<int> list) {
    return std::find(list.begin(), list.end(), number) != list.end();
  };
  std::string fault;
  if (!is_inside(tile.rows, form.rows) || !is_inside(tile.cols, form.cols) || !is_inside(tile.inner, form.inner))
    fault = "box";
  else if (!is_any_of(warps, {4, 8, 12, 16}) || tile.threads() != 32 * warps)
    fault = "warps";
  else if (tile.stages < 2 || tile.stages > 4 || !is_any_of(tile.splits, {1, 2, 4, 8}))
    fault = "stages or splits";
  else if (work.box_inner > 64 || work.down() * work.across() > 2400 * warps)
    fault = "size";
  else if (registers_of(work) > 255 || (registers_of(work) + 7) / 8 * 8 * tile.threads() > 65536)
    fault = "registers";
  else if (shared_bytes_of(work) > 227 * 1024)
    fault = "shared memory";
  else if (blocks_together(work, {}, rates_of_h100) < 1)
    fault = "blocks";
  return fault.empty() ? fault : fault + ": " + text_of(tile, form);
}

void require_sound(const general_candidates& all, const general_form& form) {
  REQUIRE(!all.found.empty());
  REQUIRE(all.enumerated == all.by_rules + all.by_hardware + all.by_model + double(all.found.size()));
  REQUIRE((all.by_rules >= 0 && all.by_model >= 0));
  REQUIRE(all.tried() == all.by_hardware + all.by_model + double(all.found.size()));
  std::string fault;
  double before = 0;
  bool in_order = true;
  for (const general_candidate& c : all.found) {
    if (fault.empty()) fault = fault_of(c, form);
    in_order = in_order && c.costs.seconds >= before;
    before = c.costs.seconds;
  }
  INFO(fault);
  REQUIRE(fault.empty());
  REQUIRE(in_order);
  REQUIRE(before <= 1.5 * all.found.front().costs.seconds);
  // From tables, or counted for one tile: the same.
  for (std::size_t i = 0; i < all.found.size(); i += 1 + all.found.size() / 20)
    REQUIRE(cost_of(all.found[i].tile, form, rates_of_h200).seconds == all.found[i].costs.seconds);
}

general_form packed_form(const std::string& text, const index_t* extent_of_letter) {
  const einsum e = parse_einsum(text.c_str());
  operand_facts facts[max_inputs + 1];
  for (const int o : {0, 1, output}) {
    facts[o].rank = e.operand[o].rank;
    index_t stride = 1;
    for (int d = 0; d < facts[o].rank; ++d) {
      facts[o].extent[d] = extent_of_letter[e.operand[o].letter[d] - 'a'];
      facts[o].stride[d] = stride;
      stride *= facts[o].extent[d];
    }
  }
  return lower_general(e, facts);
}

}  // namespace

TEST_CASE("general candidates: every row of TCCG") {
  int mostly_pruned = 0;
  for (const tccg_row& row : tccg_rows) {
    const general_form form = lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
    const general_candidates all = candidates_of(form, rates_of_h200);
    INFO("row " << row.id << ", " << row.text << ": " << all.enumerated << " tiles, " << all.by_rules
                << " left out by rules, " << all.by_hardware << " do not fit, " << all.by_model << " slow, "
                << all.found.size() << " left");
    require_sound(all, form);
    CHECK(all.found.size() >= 20);
    CHECK(all.by_hardware > 0);
    CHECK((all.by_rules > 0 && all.by_model > 0));
    mostly_pruned += int(double(all.found.size()) < 0.1 * all.enumerated);

    // No sum of these is so long, or output so small, except those of rows 13, 14 and 19.
    const bool is_long = row.id == 13 || row.id == 14 || row.id == 19;
    CHECK((all.found.front().tile.splits > 1) == is_long);

    const auto few = different_ones(all, form, 6);
    CHECK(few.size() == 6);
    CHECK(few.front().costs.seconds == all.found.front().costs.seconds);
  }
  CHECK(mostly_pruned == 48);
}

TEST_CASE("general candidates: whole sectors where the sizes allow them") {
  // Row 30, "eafd,fbec->abcd": e is nearest in the left input, f in the right one, a in the output.
  const tccg_row& row = tccg_rows[29];
  const general_form form = lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
  for (const general_candidate& c : candidates_of(form, rates_of_h200).found) {
    REQUIRE(run_of(left_of(c.tile, form)) >= 4);
    REQUIRE(run_of(right_of(c.tile, form)) >= 4);
    REQUIRE(run_of(out_of(c.tile, form)) >= 4);
  }
}

TEST_CASE("general candidates: no random tile is cheaper than the best one") {
  std::mt19937 random(7);
  const auto draw_box = [&](int(&box)[max_rank], const general_digits& of, int most) {
    int left = most;
    for (int i = 0; i < of.count; ++i) {
      box[i] = 1 + int(random() % unsigned(std::min<index_t>(of.at[i].extent, left)));
      if (random() % 2 == 0 && of.at[i].extent <= left) box[i] = int(of.at[i].extent);
      left /= box[i];
    }
  };
  for (const int id : {1, 12, 13, 19, 20, 30, 35}) {
    const tccg_row& row = tccg_rows[id - 1];
    const general_form form = lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
    const double best = candidates_of(form, rates_of_h200).found.front().costs.seconds;
    int fitting = 0;
    for (int round = 0; round < 8000; ++round) {
      general_tile tile;
      draw_box(tile.rows, form.rows, 256);
      draw_box(tile.cols, form.cols, 256);
      draw_box(tile.inner, form.inner, 64);
      tile.exchanged = random() % 2 == 0;
      tile.warps_down = 1 << random() % 3;
      tile.warps_across = 4 >> random() % 2;
      tile.stages = 2 + int(random() % 3);
      tile.splits = 1 << random() % 4;
      const general_candidate c{tile, cost_of(tile, form, rates_of_h200)};
      if (!fault_of(c, form).empty()) continue;
      ++fitting;
      INFO("row " << id << ", " << text_of(tile, form));
      REQUIRE(c.costs.seconds > 0.99 * best);
    }
    CHECK(fitting > 300);
  }
}

TEST_CASE("general candidates: tiny extents and empty lists have one") {
  const std::string texts[] = {"ak,kb->ab",   "ka,bk->ab",   "abk,kcd->acbd",    "ka,kb->ab",  "a,b->ab",
                               "ab,b->a",     "ab,ab->",     "ab,ab->ab",        "abk,bk->ab", "abk,kbc->abc",
                               "kal,lbk->ab", "abcd,dc->ab", "kabc,kdef->adbecf"};
  for (const std::string& text : texts)
    for (const index_t size : {1, 2, 3, 5, 17, 40}) {
      index_t extents[26];
      for (int i = 0; i < 26; ++i) extents[i] = std::max<index_t>(1, size - i % 2);
      const general_form form = packed_form(text, extents);
      INFO(text << ", extents " << size);
      require_sound(candidates_of(form, rates_of_h200), form);
    }
}

TEST_CASE("general candidates: random contractions have one") {
  std::mt19937 random(5);
  const auto below = [&](int end) { return int(random() % unsigned(end)); };
  for (int round = 0; round < 300; ++round) {
    const int count = 1 + below(7), largest = below(2) == 0 ? 3 : 40;
    index_t extents[26]{};
    std::string letters[3];
    for (int i = 0; i < count; ++i) {
      extents[i] = 1 + below(largest);
      const int missing = below(8);  // 6, 7: in every tensor
      for (int t = 0; t < 3; ++t)
        if (t != missing % 3 || missing > 5) letters[t] += char('a' + i);
    }
    for (std::string& text : letters) std::shuffle(text.begin(), text.end(), random);
    const std::string text = letters[0] + "," + letters[1] + "->" + letters[2];
    const general_form form = packed_form(text, extents);
    INFO(text);
    require_sound(candidates_of(form, rates_of_h200), form);
  }
}

TEST_CASE("general candidates: very many digits do not take long to search, and keep what is nearest") {
  // 7 digits of rows, the nearest one of the left input last in the output.
  index_t extents[26];
  std::fill_n(extents, 26, 16);
  const general_form form = packed_form("gafbecdk,k->abcdefg", extents);
  REQUIRE(form.rows.count >= 6);
  const general_candidates all = candidates_of(form, rates_of_h200);
  require_sound(all, form);
  const general_tile& best = all.found.front().tile;
  CHECK(run_of(left_of(best, form)) >= 4);
  CHECK(run_of(out_of(best, form)) >= 4);
}

TEST_CASE("general candidates: a GPU without shared memory has none") {
  const general_form form = packed_form("ak,kb->ab", std::vector<index_t>(26, 64).data());
  detail::gpu_rates gpu;
  gpu.shared_of_block = 0;
  const general_candidates all = candidates_of(form, gpu);
  CHECK(all.found.empty());
  CHECK(different_ones(all, form, 3).empty());
}
