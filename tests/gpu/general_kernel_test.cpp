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

void check_compiles(const general_form& form, const tessera::detail::general_tile& tile, bool reads_out) {
  const device::general_code made = device::general_source(form, {.reads_out = reads_out}, tile);
  INFO(tessera::detail::text_of(tile, form) << "\n" << made.source.kernels.front());
  CHECK(made.shared_bytes <= tessera::detail::rates_of_h200.shared_of_block);
  CHECK(made.source.kernels.size() == 2);
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
    check_compiles(form, all.found.front().tile, id == 12);
  }
}

TEST_CASE("gpu kernels of general contractions: NVRTC takes drawn forms", "[general][nvrtc]") {
  if (!why_no_jit().empty()) return skip("no NVRTC");
  for (unsigned seed = 0; seed < 12; ++seed) {
    const general_case of = drawn_case(seed, 17);
    INFO("seed " << seed << ": " << of.text);
    const general_form form = lower_general(of.modes(), of.facts);
    const auto all = tessera::detail::candidates_of(form, tessera::detail::rates_of_h200);
    REQUIRE_FALSE(all.found.empty());
    check_compiles(form, all.found[all.found.size() / 2].tile, of.beta != 0);
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
