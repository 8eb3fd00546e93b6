// SPDX-License-Identifier: BSD-3-Clause
// What runs today: on a GPU of every form and size, and in all families by a file given at run time first.
#include <tessera/detail/gpu_records.hpp>
#include <tessera/detail/records.hpp>

#include <algorithm>

#include "command/tune_case.hpp"
#include "space/as_config.hpp"
#include "space/element_space.hpp"
#include "testing/catch.hpp"
#include "testing/given_records.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

class device_without_times final : public tuned_device {
 public:
  explicit device_without_times(target on) { gemm_ = gemm_family(on); }
  void warm_up(const std::vector<tuning_case>&, const std::vector<std::vector<config>>&) override {}
  std::unique_ptr<evaluator> evaluator_for(const tuning_case&, const std::vector<config>&) override { return nullptr; }
};

std::optional<config> present_of(const tuning_case& c) {
  const space s = searched_space(device_without_times(c.on), c, 8);
  return s.present < 0 ? std::nullopt : std::optional(s.candidates[std::size_t(s.present)]);
}

// A record file of one case, given at run time while this lives.
struct given_record {
  tessera::testing::record_text file{""};

  given_record(const tuning_case& c, const config& winner) {
    record_file f;
    f.family = c.element ? "element" : "gemm";
    f.device = "Example";
    f.target = name_of(c.on);
    record r;
    r.of = c;
    r.winner = r.runner_up = winner;
    r.seconds = r.initial_seconds = r.runner_up_seconds = 1e-9;
    f.records.push_back(r);
    write_records(f, file.path);
    overlay_records(file.path);
  }
};

void check_given_comes_first(const tuning_case& c, const config& winner) {
  INFO(key_of(c));
  const std::optional<config> before = present_of(c);
  REQUIRE(before != winner);
  {
    const given_record file(c, winner);
    CHECK(present_of(c) == winner);
  }
  CHECK(present_of(c) == before);
}

// Another tuning of a size's rows: of another device, or for the other regime.
std::optional<cpu_gemm_tuning> other_row_of(const tuning_case& c, const config& present) {
  for (const cpu_gemm_record& r : cpu_gemm_records)
    if (r.isa == c.on && r.type == c.type && r.m == c.m && r.n == c.n && r.k == c.k && !r.tuning.stream &&
        as_config(r.tuning) != present && as_config(r.tuning) != gemm_family(c.on).initial)
      return r.tuning;
  return std::nullopt;
}

}  // namespace

TEST_CASE("what runs on a GPU today is the record of the very form, else a near one's tuning or the model's",
          "[tune]") {
  tuning_case c{
      target::cuda, scalar_type::f64, memory_regime::stream, 12, 12, 12, {.left = packed_layout::shared_by_cols}};
  const gpu_gemm_tuning recorded{
      .matrices = 4, .threads = 32, .tile_rows = 6, .tile_cols = 3, .over_a = 2, .row_vector = 2};
  const auto is_shipped = [&](const gpu_gemm_record& r) {
    return r.layouts == c.layouts && r.m == 12 && r.n == 12 && r.k == 12 && r.in == c.in && r.tuning == recorded;
  };
  REQUIRE(std::ranges::any_of(gpu_gemm_records, is_shipped));
  CHECK(present_of(c) == as_config(recorded));

  // Sizes that no record has.
  for (const packed_layouts layouts :
       {packed_layouts{}, packed_layouts{.left = packed_layout::shared_by_cols},
        packed_layouts{.right = packed_layout::shared_by_rows}, packed_layouts{.left = packed_layout::by_rows}}) {
    c = {target::cuda, scalar_type::f64, memory_regime::cache, 21, 26, 23, layouts};
    INFO(key_of(c));
    CHECK(present_of(c));
  }
  c.on = target::avx2, c.layouts = {};
  CHECK_FALSE(present_of(c));
}

TEST_CASE("what runs today is by a file given at run time first, in all families alike", "[tune][overlay]") {
  int sizes = 0;
  for (index_t n = 2; n <= 16; ++n) {
    const tuning_case c{target::avx2, scalar_type::f64, memory_regime::cache, n, n, n};
    if (const auto other = other_row_of(c, present_of(c).value())) {
      check_given_comes_first(c, as_config(*other));
      ++sizes;
    }
  }
  CHECK(sizes > 0);

  const tuning_case shared{
      target::cuda, scalar_type::f64, memory_regime::stream, 8, 8, 8, {.left = packed_layout::shared_by_cols}};
  check_given_comes_first(
      shared, as_config(gpu_gemm_tuning{.matrices = 8, .threads = 32, .tile_rows = 4, .tile_cols = 4, .over_a = 2}));
  const tuning_case usual{target::cuda, scalar_type::f64, memory_regime::cache, 8, 8, 8};
  check_given_comes_first(usual,
                          as_config(gpu_gemm_tuning{.matrices = 16, .threads = 64, .tile_rows = 4, .tile_cols = 4}));

  // No shipped record has so many points.
  const tuning_case run{.on = target::avx2,
                        .in = memory_regime::stream,
                        .element = element_case{.kind = operator_kind::mass, .dim = 3, .p = 2, .q = 12}};
  check_given_comes_first(
      run, as_config(element_run{.prefetch_kib = 16, .nontemporal = 0, .prefetch_level = 2, .prefetch_repeats = 2}));
  const tuning_case fused{.on = target::cuda,
                          .in = memory_regime::stream,
                          .element = element_case{.kind = operator_kind::mass, .dim = 3, .p = 2, .q = 5}};
  check_given_comes_first(fused, as_config(element_tuning{2, 64, 7, 2, 0, false, false, false, false, {5, 25}, 125}));
}
