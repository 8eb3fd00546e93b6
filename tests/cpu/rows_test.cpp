// SPDX-License-Identifier: BSD-3-Clause
// The tables of compiled rows: complete, in step with the records, and careful about what a row accepts.
#include <tessera/cpu/element/row_table.hpp>
#include <tessera/cpu/element/rows.hpp>
#include <tessera/cpu/rows.hpp>
#include <tessera/records.hpp>

#include "gemm_case.hpp"
#include "testing/catch.hpp"

using namespace tessera;
using namespace tessera::testing;

// What was measured before there were record files still holds where none speaks: NEON has none.
static_assert(cpu_tuning_for(target::sse2, scalar_type::f64, 1, 1, 1).plain);
static_assert(cpu_tuning_for(target::neon, scalar_type::f64, 9, 9, 9) ==
              modelled_cpu_tuning(target::neon, scalar_type::f64, 9, 9, 9));

// Room for all sizes of any set of rows, with those that need no mirrored tables: what a build of one set does not try.
struct no_own_rows {
  static constexpr element_size f32[1] = {}, f64[1] = {};
};
template <simd::row_set set>
constexpr bool sizes_have_room = simd::compiled_element_sizes<float, set, true, no_own_rows>().count > 0 &&
                                 simd::compiled_element_sizes<double, set, true, no_own_rows>().count > 0;
static_assert(sizes_have_room<simd::row_set::none> && sizes_have_room<simd::row_set::smoke> &&
              sizes_have_room<simd::row_set::demo> && sizes_have_room<simd::row_set::full>);

namespace {

bool is_same_product(const cpu_gemm_record& a, const cpu_gemm_record& b) {
  return a.isa == b.isa && a.type == b.type && a.m == b.m && a.n == b.n && a.k == b.k;
}

}  // namespace

TEST_CASE("the reference target has rows in every build", "[cpu]") {
  const isa_rows* rows = rows_of(target::reference);
  REQUIRE(rows != nullptr);
  CHECK(rows->isa == target::reference);
  CHECK(rows->specialised.empty());
  CHECK(rows->generic<float>() != nullptr);
  CHECK(rows->pointwise<double>() != nullptr);
  CHECK(rows_of(target::cuda) == nullptr);
}

TEST_CASE("element kernels that a build lacks: the reason names what was wanted and what there is", "[cpu]") {
  const target foreign = is_available(target::neon) ? target::avx2 : target::neon;
  CHECK(element_kernels_of<float>(foreign) == nullptr);
  const std::string why = why_no_element_kernels<double>(foreign);
  CHECK(why.find(std::string("for ") + name_of(foreign) + " in double here; ") != std::string::npos);
  for (const target isa : all_targets)
    CHECK((why.find(name_of(isa), why.find("; ")) != std::string::npos) ==
          (element_kernels_of<double>(isa) != nullptr));
}

TEST_CASE("every row comes from a record and has a function of its type", "[cpu]") {
  for (const target isa : all_targets) {
    const isa_rows* rows = rows_of(isa);
    if (rows == nullptr) continue;
    CHECK(rows->isa == isa);
    for (const gemm_row& row : rows->specialised) {
      CHECK((row.type == scalar_type::f32 ? row.function<float>() != nullptr : row.function<double>() != nullptr));
      int records = 0, kernels = 0;
      for (const cpu_gemm_record& r : cpu_gemm_records) {
        const bool same = r.isa == isa && r.type == row.type && r.m == row.m && r.n == row.n && r.k == row.k &&
                          r.tuning == row.tuning;
        records += int(same);
        kernels += int(same && !r.shares_row);
      }
      CHECK(records >= 1);
      CHECK(kernels == 1);
    }
  }
}

TEST_CASE("records of one size lie side by side, one of them for operands in cache", "[cpu]") {
  for (std::size_t i = 0; i < std::size(cpu_gemm_records); ++i) {
    const cpu_gemm_record& r = cpu_gemm_records[i];
    bool has_cache = false;
    std::size_t last = i;
    for (std::size_t j = 0; j < std::size(cpu_gemm_records); ++j) {
      if (!is_same_product(cpu_gemm_records[j], r)) continue;
      has_cache = has_cache || cpu_gemm_records[j].in == memory_regime::cache;
      if (j > last) CHECK(j == last + 1);
      if (j > last) last = j;
    }
    CHECK(has_cache);
    CHECK((r.origin == no_origin) == (r.from == evidence::model || r.from == evidence::built_in));
  }
}

TEST_CASE("a runner-up stands for a winner where it is within three per cent and has a row anyway", "[cpu]") {
  CHECK(runner_up<cpu_gemm_tuning>{{}, 1.0299}.is_as_good());
  CHECK_FALSE(runner_up<cpu_gemm_tuning>{{}, 1.0301}.is_as_good());
  CHECK_FALSE(runner_up<cpu_gemm_tuning>{}.is_as_good());
  for (std::size_t i = 0; i < std::size(cpu_gemm_records); ++i) {
    const cpu_gemm_record& r = cpu_gemm_records[i];
    if (!r.is_second) continue;
    CHECK(r.shares_row);
    bool earlier = false;
    for (std::size_t j = 0; j < i; ++j)
      earlier = earlier || (is_same_product(cpu_gemm_records[j], r) && cpu_gemm_records[j].tuning == r.tuning &&
                            !cpu_gemm_records[j].shares_row);
    CHECK(earlier);
  }
}

TEST_CASE("embedded records are in the list as they are in the file", "[cpu]") {
  for (const tuned_gemm<cpu_gemm_tuning>& e : embedded_cpu_gemm) {
    int found = 0;
    for (const cpu_gemm_record& r : cpu_gemm_records)
      found += int(r.isa == e.on && r.type == e.type && r.m == e.m && r.n == e.n && r.k == e.k && r.in == e.in &&
                   r.origin == e.origin && r.from == evidence::recorded &&
                   r.tuning == (r.is_second ? e.second.tuning : e.tuning));
    CHECK(found == 1);
  }
}

TEST_CASE("every tile fits the registers of its target", "[cpu]") {
  for (const cpu_gemm_record& r : cpu_gemm_records) {
    const int registers = detail::numbers_of(r.isa).registers;
    CHECK(r.tuning.columns > 0);
    CHECK((r.tuning.plain || r.tuning.row_vectors * (r.tuning.columns + 1) + 1 <= registers));
  }
}

TEST_CASE("a row accepts its size, packed, and nothing else", "[cpu]") {
  const gemm_row row{.m = 4, .n = 0, .k = 3, .type = scalar_type::f64};
  const auto accepted = [&](gemm_case c) { return accepts(row, drawn<double>(c).as_problem()); };
  CHECK(accepted({.size = {4, 9, 3, 1, 2}}));
  CHECK(accepted({.size = {4, 1, 3, 5, 2}}));
  CHECK_FALSE(accepted({.size = {4, 9, 2, 1, 2}}));
  CHECK_FALSE(accepted({.size = {5, 9, 3, 1, 2}}));
  CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .left_factors = 2}));
  CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .form = canonical::pointwise}));
  for (const placement p : {placement::transposed, placement::leading, placement::interleaved, placement::table}) {
    CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .left = p}));
    CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .right = p}));
    CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .out = p}));
  }
  CHECK_FALSE(accepts(row, drawn<float>({.size = {4, 9, 3, 1, 2}}).as_problem()));
}
