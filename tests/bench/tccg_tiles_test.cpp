// SPDX-License-Identifier: BSD-3-Clause
// Tiles that differ in one field: which they are, and on a GPU that each computes the row.
#include "tccg_tiles.hpp"

#include <algorithm>
#include <iterator>

#include <tessera/detail/general_tuning.hpp>

#include "tccg_case.hpp"
#include "tccg_rows.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/jit.hpp"

namespace bench = tessera::bench;
using tessera::detail::general_by;
using tessera::detail::general_tile;

namespace {

bool is_same(const general_tile& a, const general_tile& b) {
  return a.exchanged == b.exchanged && a.warps_down == b.warps_down && a.warps_across == b.warps_across &&
         a.stages == b.stages && a.splits == b.splits && a.panel == b.panel &&
         std::equal(std::begin(a.rows), std::end(a.rows), std::begin(b.rows)) &&
         std::equal(std::begin(a.cols), std::end(a.cols), std::begin(b.cols)) &&
         std::equal(std::begin(a.inner), std::end(a.inner), std::begin(b.inner));
}

bench::workload small_row(int id, const bench::options& o) { return tccg_case(bench::tccg_rows[id - 1], 0.3, o); }

}  // namespace

TEST_CASE("varied tiles: each differs in one field from the others, and one is the tile") {
  general_tile tile;
  tile.rows[0] = 64, tile.cols[0] = 32, tile.inner[0] = 8;
  tile.warps_down = 4, tile.stages = 3, tile.splits = 2, tile.panel = 8;
  CHECK(bench::things_to_vary().size() == 4);
  for (const std::string thing : bench::things_to_vary()) {
    const auto tiles = bench::varied(tile, thing);
    const auto names = bench::names_of_tiles(thing);
    INFO(thing);
    CHECK(tiles.size() >= 2);
    REQUIRE(tiles.size() == names.size());
    int own = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      CHECK(tiles[i].name == names[i]);
      own += int(is_same(tiles[i].tile, tile));
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(is_same(tiles[i].tile, tiles[j].tile));
      general_tile back = tiles[i].tile;
      if (thing == "stages") back.stages = tile.stages;
      if (thing == "splits") back.splits = tile.splits;
      if (thing == "panel") back.panel = tile.panel;
      if (thing == "side") back.exchanged = tile.exchanged;
      CHECK(is_same(back, tile));
    }
    CHECK(own == 1);
  }
  CHECK(bench::varied(tile, "colour").empty());
}

TEST_CASE("varied tiles: form and kind are those of plans") {
  bench::options o;
  o.type = tessera::product_types(tessera::scalar_type::f32);
  CHECK(kind_of(small_row(12, o)).by == general_by::fma);
  o.precision = bench::product_precision::tf32;
  CHECK(kind_of(small_row(12, o)).by == general_by::mma_tf32);
  o.precision = bench::product_precision::tf32x3;
  CHECK(kind_of(small_row(12, o)).by == general_by::mma_3xtf32);
  o.type = tessera::product_types(tessera::scalar_type::f64);
  const bench::workload work = small_row(20, o);
  CHECK(kind_of(work).by == general_by::mma_f64);
  const tessera::general_form form = form_of(work);
  CHECK((form.rows.count == 2 && form.cols.count == 2 && form.inner.count == 2 && form.batch.count == 0));
}

TEST_CASE("varied tiles: what they do not go with") {
  using tessera::testing::check_failure;
  bench::options o;
  CHECK_NOTHROW(check_vary(o));
  o.vary = "stages";
  o.target_name = "best";
  check_failure(tessera::status::invalid_argument, {"--vary stages", "--target cuda"}, [&] { check_vary(o); });
  o.target_name = "cuda";
  CHECK_NOTHROW(check_vary(o));
  o.beta = 1;
  check_failure(tessera::status::invalid_argument, {"--vary stages", "--beta"}, [&] { check_vary(o); });
}

TEST_CASE("varied tiles: every one computes the row", "[gpu][nvrtc]") {
  if (tessera::testing::absent()) return;
  bench::options o;
  o.target_name = "cuda";
  o.type = tessera::product_types(tessera::scalar_type::f64);
  bench::setting s;
  s.on = tessera::target::cuda;
  for (const std::string thing : bench::things_to_vary()) {
    o.vary = thing;
    s.with = o;
    bench::workload work = small_row(13, o);
    const std::vector<tessera::operand> operands = place(work, s);
    int left_out = 0;
    const auto ways = ways_of_tiles(work, operands, s, [&](const std::string&) { ++left_out; });
    INFO(thing);
    CHECK(int(ways.size()) + left_out == int(bench::names_of_tiles(thing).size()));
    CHECK(ways.size() >= 2);
    for (const bench::way& w : ways) {
      work.out().fill_nan();
      w.run();
      INFO(w.name << ": " << w.describe);
      CHECK(w.compare().correct());
    }
  }
}
