// SPDX-License-Identifier: BSD-3-Clause
// Kernels of general contractions, without a GPU: NVRTC takes them for every kind of form, and few registers are
// spilled.
#include <tessera/detail/general_candidates.hpp>
#include <tessera/gpu/detail/general/general_source.hpp>

#include "stack_of_code.hpp"
#include "testing/catch.hpp"
#include "testing/general_case.hpp"
#include "testing/skip.hpp"
#include "testing/tccg_rows.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

general_form form_of_row(int id) {
  const tccg_row& row = tccg_rows[id - 1];
  return lower_general(parse_einsum(einsum_of(row).c_str()), packed_facts(row).at);
}

using tessera::detail::general_by;
using tessera::detail::general_kind;

const general_kind float_kind{.left = scalar_type::f32,
                              .right = scalar_type::f32,
                              .out = scalar_type::f32,
                              .sum = scalar_type::f32,
                              .by = general_by::fma};
const general_kind half_kind{.left = scalar_type::f16,
                             .right = scalar_type::f16,
                             .out = scalar_type::f16,
                             .sum = scalar_type::f32,
                             .by = general_by::mma_16};

void check_compiles(const general_form& form, const tessera::detail::general_tile& tile, const general_kind& kind) {
  const device::general_code made = device::general_source(form, kind, tile);
  INFO(tessera::detail::text_of(tile, form) << "\n" << made.source.kernels.front());
  CHECK(made.shared_bytes <= tessera::detail::rates_of_h200.shared_of_block);
  CHECK(made.source.kernels.size() == (tile.has_parts() ? 4 : 2));
  const jit_code code = device::compile_source(made.source, {}, 90);
  INFO(code.log);
  REQUIRE_FALSE(code.machine_code.empty());
  CHECK(code.log.find("warning") == std::string::npos);
  const std::optional<unsigned> frame = largest_frame(code.machine_code);
  REQUIRE(frame.has_value());
  CHECK(*frame <= 192);
}

}  // namespace

TEST_CASE("gpu kernels of general contractions: NVRTC takes the first choices for rows of TCCG", "[general][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  // One of each group; in parts (13), of a sum by two digits that are nearest (28), by columns on the side of 16 (31).
  for (const int id : {1, 6, 9, 12, 13, 20, 28, 31}) {
    INFO("row " << id);
    const general_form form = form_of_row(id);
    const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200);
    check_compiles(form, all.found.front().tile, {.reads_out = id == 12});
  }
}

TEST_CASE("gpu kernels of general contractions: NVRTC takes first choices in float and half", "[general][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const auto check_row = [](int id, const general_kind& kind) {
    INFO("row " << id << " " << text_of(kind));
    const general_form form = form_of_row(id);
    const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200, kind);
    check_compiles(form, all.found.front().tile, kind);
  };
  // 24 columns; an operand whose nearest index is that of the sum; results of 16 bits, exchanged.
  for (const int id : {1, 12}) check_row(id, float_kind);
  for (const int id : {12, 31}) check_row(id, half_kind);
}

TEST_CASE("gpu kernels of general contractions: threads read lines side by side whatever is nearest", "[general]") {
  // Row 12, ab-ac-cb: a is nearest in A, the index of the sum in B.
  const general_form form = form_of_row(12);
  tessera::detail::general_tile tile;
  tile.rows[0] = 144, tile.cols[0] = 128, tile.inner[0] = 24;
  tile.exchanged = true;
  tile.warps_down = tile.warps_across = 2;
  const std::string name = device::general_source(form, float_kind, tile).source.kernels.front();
  INFO(name);
  // B first, as the operands are exchanged: lines side by side, their distance 1, a gap between entries of the sum;
  // copied one by one, 4 bytes each, 4 lines together.
  CHECK(name.find(
            "staged<float, tessera::device::numbers<5136>, tessera::device::numbers<1>, "
            "tessera::device::numbers<1, 0>, tessera::device::numbers<1>, tessera::device::numbers<132>, 3168, 1, 4, "
            "4, 1>") != std::string::npos);
  // A as it lies in memory: 16 bytes at once.
  CHECK(name.find("numbers<1>, tessera::device::numbers<144>, 3456, 4, 16, 8, 1>") != std::string::npos);
}

TEST_CASE("gpu kernels of general contractions: NVRTC takes drawn forms", "[general][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (unsigned seed = 0; seed < 12; ++seed) {
    const general_case of = drawn_case(seed, 17);
    INFO("seed " << seed << ": " << of.text);
    const general_form form = lower_general(of.modes(), of.facts);
    const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200);
    REQUIRE_FALSE(all.found.empty());
    check_compiles(form, all.found[all.found.size() / 2].tile, {.reads_out = of.beta != 0});
  }
}

TEST_CASE("gpu kernels of general contractions: NVRTC takes parts of long sums", "[general][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  const general_kind complex_kind{.left = scalar_type::c64,
                                  .right = scalar_type::c64,
                                  .out = scalar_type::c64,
                                  .sum = scalar_type::c64,
                                  .by = general_by::fma,
                                  .reads_out = true,
                                  .left_conjugated = true};
  const general_kind integer_kind{.left = scalar_type::i16,
                                  .right = scalar_type::i16,
                                  .out = scalar_type::i32,
                                  .sum = scalar_type::i64,
                                  .by = general_by::fma};
  general_kind mixed_kind = half_kind, double_by_lanes;
  mixed_kind.by = general_by::fma;
  mixed_kind.addend = scalar_type::f32;
  double_by_lanes.by = general_by::fma;
  constexpr index_t k = 300007;
  const general_digit nearest{k, 1, 1, 0, 0};
  general_form dot, by_vector, thin, small;
  dot.inner = by_vector.inner = small.inner = {1, {nearest}};
  by_vector.rows = {1, {{70, k, 0, 1, 1}}};
  small.rows = {1, {{8, k, 0, 1, 3}}};
  small.cols = {1, {{3, 0, k, 8, 1}}};
  thin.inner = {1, {{k, 24, 1, 0, 0}}};
  thin.rows = {1, {{24, 1, 0, 1, 1}}};
  thin.cols = {1, {{32, 0, k, 24, 24}}};
  const auto rates = with_workspace(tessera::detail::rates_of_h200);
  for (const general_form* form : {&dot, &by_vector, &thin, &small})
    for (const general_kind& kind :
         {double_by_lanes, general_kind{}, half_kind, mixed_kind, float_kind, complex_kind, integer_kind}) {
      const auto all = tessera::detail::candidates_of(*form, rates, kind);
      INFO(text_of(kind) << " of " << all.found.size());
      REQUIRE(all.found.front().tile.has_parts());
      check_compiles(*form, all.found.front().tile, kind);
    }
}

TEST_CASE("gpu kernels of general contractions: blocks fit the shared memory of other GPUs", "[general]") {
  for (const int capability : {80, 86, 90}) {
    const gpu_limits limits = gpu_limits_of(capability);
    tessera::detail::gpu_rates rates = tessera::detail::rates_of_h100;
    rates.shared_of_block = limits.shared_bytes;
    rates.shared_of_multiprocessor = limits.all_shared_bytes;
    rates.threads = limits.all_threads;
    for (const int id : {1, 12, 20, 31}) {
      const general_form form = form_of_row(id);
      const auto all = tessera::detail::candidates_of(form, rates, float_kind);
      for (std::size_t i = 0; i < all.found.size(); i += 1 + all.found.size() / 20) {
        INFO(capability << ", row " << id << ", " << tessera::detail::text_of(all.found[i].tile, form));
        const device::general_code made = device::general_source(form, float_kind, all.found[i].tile, limits);
        CHECK(made.shared_bytes <= limits.shared_bytes);
        CHECK(made.together * (made.shared_bytes + limits.reserved_bytes) <= limits.all_shared_bytes);
        CHECK(made.together * made.threads <= limits.all_threads);
      }
    }
  }
}

TEST_CASE("gpu kernels of general contractions: blocks of all candidates fit shared memory", "[general]") {
  for (const int id : {2, 11, 14, 19, 30, 33, 48}) {
    const general_form form = form_of_row(id);
    const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200);
    for (std::size_t i = 0; i < all.found.size(); i += 1 + all.found.size() / 40) {
      INFO("row " << id << ", " << tessera::detail::text_of(all.found[i].tile, form));
      const device::general_code made = device::general_source(form, {}, all.found[i].tile);
      CHECK(made.shared_bytes <= tessera::detail::rates_of_h200.shared_of_block);
      CHECK(made.threads == all.found[i].tile.threads());
      CHECK(made.tiles >= 1);
    }
  }
}
