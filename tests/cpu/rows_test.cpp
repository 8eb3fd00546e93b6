// SPDX-License-Identifier: BSD-3-Clause
// The tables of compiled rows: complete, in step with the records, and careful about what a row accepts.
#include <tessera/cpu/detail/element/row_table.hpp>
#include <tessera/cpu/detail/element/rows.hpp>
#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/detail/records.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

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
              sizes_have_room<simd::row_set::demo> && sizes_have_room<simd::row_set::wheel> &&
              sizes_have_room<simd::row_set::full>);

// A wheel: two operators of orders 1 to 6, in double to 8 and also in 2-D, beside rows of any size.
template <class T>
constexpr int sizes_of_wheel = simd::compiled_element_sizes<T, simd::row_set::wheel, false, no_own_rows>().count
                               - simd::compiled_element_sizes<T, simd::row_set::none, false, no_own_rows>().count;
static_assert(sizes_of_wheel<float> == 2 * 6 && sizes_of_wheel<double> == 2 * 2 * 8);

// Each size of an instruction set's own is a row.
struct two_own_rows {
  static constexpr element_size f32[] = {{operator_kind::mass, 3, 9, 11, 9, false, true}, {}};
  static constexpr element_size f64[] = {
      {operator_kind::mass, 3, 9, 11, 9, false, true}, {operator_kind::diffusion, 2, 7, 8, 7, true, true}, {}};
};
template <class T>
constexpr int own_sizes = simd::compiled_element_sizes<T, simd::row_set::none, false, two_own_rows>().count
                          - simd::compiled_element_sizes<T, simd::row_set::none, false, no_own_rows>().count;
static_assert(own_sizes<float> == 1 && own_sizes<double> == 2);

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

  // A table that all products share may lie in any way, on the right where its size is known.
  const gemm_row exact{.m = 4, .n = 9, .k = 3, .type = scalar_type::f64};
  const auto accepted_exactly = [&](gemm_case c) { return accepts(exact, drawn<double>(c).as_problem()); };
  for (const placement p : {placement::transposed, placement::leading, placement::table}) {
    CHECK(accepted({.size = {4, 9, 3, 1, 2}, .left = p, .left_shared = true}));
    CHECK_FALSE(accepted({.size = {4, 9, 3, 1, 2}, .right = p, .right_shared = true}));
    CHECK(accepted_exactly({.size = {4, 9, 3, 1, 2}, .right = p, .right_shared = true}));
    CHECK_FALSE(accepted_exactly({.size = {4, 9, 3, 2, 2}, .right = p, .right_shared = true}));
  }
}

namespace {

// Derivatives of mappings near the identity, of another size in each lane.
template <class T>
struct jacobians {
  static constexpr index_t points = 3, most_lanes = 16;
  alignas(64) T J[points * 9 * most_lanes];
};
template <class T>
void fill(jacobians<T>& all, int dim, index_t lanes) {
  for (index_t k = 0; k < all.points; ++k)
    for (int e = 0; e < dim * dim; ++e)
      for (index_t w = 0; w < lanes; ++w)
        all.J[(k * dim * dim + e) * lanes + w] = e % (dim + 1) == 0 ? T(1 + k + w) : T(1) / T(8 + e + w);
}

template <class T>
T determinant(const T* J, int dim, index_t lanes) {
  const auto at = [&](int i, int a) { return double(J[(a + dim * i) * lanes]); };
  if (dim == 1) return T(at(0, 0));
  if (dim == 2) return T(at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0));
  return T(at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
           at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
           at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0)));
}

// As one entry at a time says it.
template <class T>
jacobian_range<T> plain_range(const jacobians<T>& all, int dim, index_t lanes) {
  jacobian_range<T> range{true, std::numeric_limits<T>::max(), T(0), T(0)};
  for (index_t k = 0; k < all.points; ++k)
    for (index_t w = 0; w < lanes; ++w) {
      const T* const of_point = all.J + k * dim * dim * lanes + w;
      const T det = determinant(of_point, dim, lanes);
      range.positive = range.positive && det > 0;
      range.least = std::min(range.least, det);
      range.most = std::max(range.most, det);
      for (int e = 0; e < dim * dim; ++e) range.entry = std::max(range.entry, std::abs(of_point[e * lanes]));
    }
  return range;
}

}  // namespace

TEMPLATE_TEST_CASE("the range of Jacobians is over every lane and point", "[cpu][element]", float, double) {
  using T = TestType;
  for (const target isa : all_targets) {
    const element_kernels<T>* kernels = is_available(isa) ? element_kernels_of<T>(isa) : nullptr;
    if (kernels == nullptr) continue;
    const index_t lanes = kernels->lanes;
    jacobians<T> all;
    REQUIRE(lanes <= all.most_lanes);
    for (int dim = 1; dim <= 3; ++dim)
      for (index_t at = 0; at < all.points * lanes; ++at)
        for (const double size : {64.0, 1.0 / 64, -4.0, 0.0}) {
          fill(all, dim, lanes);
          // One row of one Jacobian: with 0 its determinant is exactly 0.
          for (int a = 0; a < dim; ++a) all.J[(at / lanes * dim * dim + a) * lanes + at % lanes] *= T(size);
          const jacobian_range<T> found = kernels->range_of(dim, all.J, all.points);
          const jacobian_range<T> wanted = plain_range(all, dim, lanes);
          INFO(name_of(isa) << ", " << dim << "-D, lane " << at % lanes << ", point " << at / lanes << ", " << size);
          CHECK(found.positive == wanted.positive);
          CHECK(found.entry == wanted.entry);
          CHECK(std::abs(found.most - wanted.most) <= T(1e-5) * std::abs(wanted.most));
          CHECK(std::abs(found.least - wanted.least) <= T(1e-5) * std::abs(wanted.least));
        }
  }
}
