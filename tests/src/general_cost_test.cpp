// SPDX-License-Identifier: BSD-3-Clause
// Counted transactions against a list of every box's entries, for thousands of random small tensors; costs of tiles.
#include <tessera/detail/general_cost.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;
using tessera::detail::boxed_digit;
using tessera::detail::boxed_digits;
using tessera::detail::general_tile;

namespace {

// The blocks of one box: its addresses, cut where one does not follow the one before.
index_t walked_in_box(const boxed_digits& tensor, const std::vector<index_t>& first, int entries, index_t base) {
  std::set<index_t> addresses{base};
  for (int i = 0; i < tensor.count; ++i) {
    const boxed_digit& d = tensor.at[i];
    std::set<index_t> more;
    const index_t begin = first[std::size_t(i)], end = std::min(d.extent, begin + d.box);
    for (const index_t at : addresses)
      for (index_t x = begin; x < end; ++x) more.insert(at + x * d.stride);
    addresses = std::move(more);
  }
  const auto block_of = [&](index_t at) { return (at + 1'000'000 * entries) / entries; };
  index_t blocks = 0;
  for (auto at = addresses.begin(); at != addresses.end(); ++at) {
    const bool follows = at != addresses.begin() && *std::prev(at) == *at - 1;
    blocks += int(!follows || block_of(*at) != block_of(*at - 1));
  }
  return blocks;
}

index_t walked(const boxed_digits& tensor, int entries, index_t base) {
  std::vector<std::vector<index_t>> boxes{{}};
  for (int i = 0; i < tensor.count; ++i) {
    std::vector<std::vector<index_t>> more;
    for (const auto& box : boxes)
      for (index_t x = 0; x < tensor.at[i].extent; x += tensor.at[i].box) {
        more.push_back(box);
        more.back().push_back(x);
      }
    boxes = std::move(more);
  }
  index_t blocks = 0;
  for (const auto& box : boxes) blocks += walked_in_box(tensor, box, entries, base);
  return blocks;
}

std::string as_text(const boxed_digits& tensor) {
  std::string text;
  for (int i = 0; i < tensor.count; ++i)
    text += std::to_string(tensor.at[i].extent) + " by " + std::to_string(tensor.at[i].stride) + " in " +
            std::to_string(tensor.at[i].box) + "; ";
  return text;
}

}  // namespace

TEST_CASE("general cost: transactions are those of a list of entries") {
  std::mt19937 random(3);
  const auto below = [&](index_t end) { return index_t(random() % unsigned(end)); };
  int with_edges = 0, gapped = 0, negative = 0;
  for (int round = 0; round < 6000; ++round) {
    std::vector<boxed_digit> drawn;
    index_t stride = below(5) == 0 ? 2 + below(3) : 1, entries_of_tensor = 1;
    for (index_t rank = below(5); rank > 0; --rank) {
      boxed_digit d;
      d.extent = 1 + below(9);
      if (entries_of_tensor * d.extent > 1500) break;
      entries_of_tensor *= d.extent;
      d.box = below(3) == 0 ? d.extent : 1 + below(d.extent);
      d.stride = below(15) == 0 ? 0 : stride;
      with_edges += int(d.extent % d.box != 0);
      stride *= d.extent;
      if (below(4) == 0) stride += below(7), ++gapped;
      if (below(5) == 0) d.stride = -d.stride, ++negative;
      drawn.push_back(d);
    }
    std::shuffle(drawn.begin(), drawn.end(), random);
    boxed_digits tensor;
    for (const boxed_digit& d : drawn) tensor.add(d.extent, d.stride, d.box);
    const int sizes[] = {1, 2, 4, 8, 16, 5, 64};
    const int entries = sizes[below(7)];
    const index_t base = below(2) == 0 ? 0 : below(100);
    INFO(as_text(tensor) << entries << " entries, base " << base);
    REQUIRE(transactions(tensor, entries, base) == walked(tensor, entries, base));
  }
  CHECK(with_edges > 1000);
  CHECK(gapped > 1000);
  CHECK(negative > 1000);
}

TEST_CASE("general cost: transactions of large tensors and of none") {
  boxed_digits matrix;
  matrix.add(5136, 1, 144);
  matrix.add(5136, 5136, 16);
  // 35 boxes of 144 entries in each column, and one of 96: whole sectors, whole lines.
  CHECK(transactions(matrix, 4) == index_t(5136) * 5136 / 4);
  CHECK(transactions(matrix, 16) == index_t(5136) * 5136 / 16);
  CHECK(transactions(matrix, 4, 2) == index_t(5136) * (35 * 37 + 25));
  CHECK(run_of(matrix) == 144);

  CHECK(transactions(boxed_digits{}, 4) == 1);
  matrix.add(0, 1, 1);
  CHECK(transactions(matrix, 4) == 0);
}

TEST_CASE("general cost: runs go through whole digits") {
  boxed_digits tensor;
  tensor.add(24, 1, 24);
  tensor.add(10, 48, 10);
  CHECK(run_of(tensor) == 24);
  tensor.add(2, 24, 2);
  CHECK(run_of(tensor) == 480);
  tensor.at[1].box = 3;
  CHECK(run_of(tensor) == 144);
  tensor.at[0].stride = -1;
  CHECK(run_of(tensor) == 144);
  tensor.at[0].box = 6;
  CHECK(run_of(tensor) == 6);
}

namespace {

general_form form_of_row(int id) {
  const tccg_row& row = tccg_rows[id - 1];
  return lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
}

// 128 x 144 entries of row 12, "ac,cb->ab" of extents 5136, 5120 and 5136.
general_tile square_tile() {
  general_tile tile;
  tile.rows[0] = 128;
  tile.cols[0] = 144;
  tile.inner[0] = 16;
  tile.warps_down = 4;
  tile.warps_across = 2;
  return tile;
}

}  // namespace

TEST_CASE("general cost: what a tile works on") {
  const general_form form = form_of_row(12);
  const auto work = work_of(square_tile(), form);
  CHECK(work.tiles == 41 * 36);
  CHECK(work.steps == 321);
  CHECK(work.left_repeats == 36);
  CHECK(work.right_repeats == 41);
  CHECK(work.left.sectors == index_t(5136) * 5136 / 4);
  CHECK(work.left.lines == index_t(5136) * 5136 / 16);
  CHECK(work.right.sectors == index_t(5136) * 5120 / 4);
  CHECK(work.out.lines == index_t(5136) / 16 * 5120);
  CHECK(work.down() == 128);
  CHECK(work.across() == 144);
  // 32 x 72 accumulators a warp; fragments 4 + 9, twice two registers; 4 + 9 places; others.
  CHECK(registers_of(work) == 32 * 72 / 16 + 2 * 2 * (4 + 9) + (4 + 9) + 44);
  CHECK(shared_bytes_of(work) == 3 * 37602);
  CHECK(blocks_together(work, {}, detail::rates_of_h200) == 1);

  general_tile exchanged = square_tile();
  exchanged.exchanged = true;
  const auto turned = work_of(exchanged, form);
  CHECK(turned.box_down == 144);
  CHECK(turned.down() == 192);
  CHECK(turned.across() == 128);
}

TEST_CASE("general cost: a warp's threads have as square a part of the box as can be") {
  using tessera::detail::general_by, tessera::detail::unit_of;
  const auto shape = [](int down, int warps_down, int across, int warps_across) {
    const auto unit = unit_of(general_by::fma, down, warps_down, across, warps_across);
    return std::pair(unit.down, unit.across);
  };
  CHECK(shape(96, 1, 48, 1) == std::pair(8, 4));    // 12 x 12 sums
  CHECK(shape(48, 1, 96, 1) == std::pair(4, 8));    // the same
  CHECK(shape(24, 1, 512, 4) == std::pair(2, 16));  // 12 x 8
  CHECK(shape(512, 4, 24, 1) == std::pair(16, 2));  // 8 x 12
  CHECK(shape(1, 1, 96, 1) == std::pair(2, 16));    // 1 x 2
  for (const general_by by : {general_by::mma_f64, general_by::mma_16}) {
    const auto unit = unit_of(by, 24, 1, 512, 4);
    CHECK(std::pair(unit.down, unit.across) == std::pair(16, 8));
  }
}

TEST_CASE("general cost: sectors that are written in parts cost more than whole ones") {
  using tessera::detail::general_by, tessera::detail::general_kind;
  const general_kind half{.left = scalar_type::f16,
                          .right = scalar_type::f16,
                          .out = scalar_type::f16,
                          .sum = scalar_type::f32,
                          .by = general_by::mma_16};
  // Row 31: 24 entries of 2 bytes are nearest in the output, in boxes of 16, or whole.
  const general_form form = form_of_row(31);
  const auto cost_by = [&](int a, int d) {
    general_tile tile;
    tile.rows[0] = a, tile.rows[1] = d, tile.cols[0] = 8, tile.cols[1] = 8, tile.inner[0] = 24;
    tile.exchanged = true;
    tile.warps_down = 1, tile.warps_across = 8;
    return cost_of(tile, form, detail::rates_of_h200, half);
  };
  CHECK(cost_by(16, 24).dram > 3 * cost_by(24, 16).dram);
  CHECK(cost_by(24, 16).seconds < 40e-6);
}

TEST_CASE("general cost: parts of a tile's time") {
  const auto& gpu = detail::rates_of_h200;
  const general_form form = form_of_row(12);
  general_tile tile = square_tile();
  tile.cols[0] = 160;
  CHECK(cost_of(tile, form, gpu).seconds > 1e9);  // too many registers

  tile.cols[0] = 96;
  const auto costs = cost_of(tile, form, gpu);
  // 41 x 54 tiles: 17 on the busiest of 132 multiprocessors, one at a time.
  const double padded_work = 2.0 * 41 * 128 * 54 * 96 * 5136;
  CHECK(costs.mma == Approx(padded_work / gpu.flops / 0.98663).epsilon(1e-4));
  CHECK(costs.dram > 8.0 * (5136.0 * 5136 + 2 * 5136.0 * 5120) / gpu.dram);
  CHECK(costs.seconds > costs.mma);
  CHECK(costs.seconds < costs.mma + costs.l2 + costs.dram + costs.shared + 1e-3);

  // Edges, warps that leave a scheduler idle, and more boxes of the sum cost time.
  general_tile other = tile;
  other.rows[0] = 127;
  CHECK(cost_of(other, form, gpu).seconds > costs.seconds);
  other = tile;
  other.warps_down = 3;
  CHECK(cost_of(other, form, gpu).mma > 1.3 * costs.mma);
  other = tile;
  other.inner[0] = 4;
  CHECK(cost_of(other, form, gpu).seconds > costs.seconds);
  other = tile;
  other.stages = 8;
  CHECK(cost_of(other, form, gpu).seconds > 1e9);  // too much shared memory
}

TEST_CASE("general cost: blocks that share a sum fill the GPU") {
  // Row 13 has 15 tiles of 64 x 104 and a sum of 92352.
  const general_form form = form_of_row(13);
  general_tile tile;
  tile.rows[0] = 64;
  tile.cols[0] = 104;
  tile.inner[0] = 8;
  tile.inner[1] = 8;
  tile.warps_down = 4;
  tile.stages = 2;
  const double alone = cost_of(tile, form, detail::rates_of_h200).seconds;
  tile.splits = 8;
  CHECK(cost_of(tile, form, detail::rates_of_h200).seconds < 0.3 * alone);
}

TEST_CASE("general cost: writes are scattered where neighbours in the output run apart") {
  // Row 35: a of the columns is nearest in the output, then b of the rows.
  const general_form form = form_of_row(35);
  general_tile tile;
  const int rows[] = {1, 24, 4}, cols[] = {24, 1, 8};
  for (int i = 0; i < 3; ++i) tile.rows[i] = rows[i], tile.cols[i] = cols[i];
  tile.inner[0] = 12;
  CHECK(!work_of(tile, form).is_scattered);
  tile.exchanged = true;
  CHECK(work_of(tile, form).is_scattered);
  // With b whole, c of the columns is the one that follows.
  tile.rows[0] = 16;
  CHECK(!work_of(tile, form).is_scattered);
  // One tile is all of the output.
  general_tile whole;
  for (int i = 0; i < 3; ++i) whole.rows[i] = int(form.rows.at[i].extent), whole.cols[i] = int(form.cols.at[i].extent);
  whole.inner[0] = 12;
  CHECK(!work_of(whole, form).is_scattered);
  whole.exchanged = true;
  CHECK(!work_of(whole, form).is_scattered);
}

TEST_CASE("general tile: text") {
  const general_form form = form_of_row(35);
  general_tile tile;
  for (int i = 0; i < 3; ++i) tile.rows[i] = 2 + i, tile.cols[i] = 5 + i;
  tile.inner[0] = 8;
  CHECK(text_of(tile, form) == "rows 2x3x4, columns 5x6x7, sum 8, 2x2 warps, 3 stages");
  tile.exchanged = true;
  tile.splits = 4;
  CHECK(text_of(tile, form) == "rows 2x3x4, columns 5x6x7, sum 8, exchanged, 2x2 warps, 3 stages, 4 splits");
  CHECK(text_of(tile, {}) == "rows 1, columns 1, sum 1, exchanged, 2x2 warps, 3 stages, 4 splits");
}
