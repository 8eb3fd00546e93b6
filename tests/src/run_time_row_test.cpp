// SPDX-License-Identifier: BSD-3-Clause
// What a GPU plan compiles for sizes without a row: every product that fits a block has a tuning, with words for it.
#include <tessera/detail/gpu_model.hpp>
#include <tessera/detail/nearest.hpp>
#include <tessera/detail/tuning_text.hpp>
#include <tessera/gpu/detail/runtime.hpp>

#include <cstdlib>

#include "run_time_row.hpp"
#include "testing/catch.hpp"
#include "testing/says.hpp"
#include "testing/skip.hpp"

using namespace tessera;
using namespace tessera::detail;
using tessera::testing::says;

namespace {

choice_query product(scalar_type type, index_t m, index_t n, index_t k) {
  return {.where = target::cuda, .type = type, .m = m, .n = n, .k = k, .compute_capability = 90};
}

constexpr scalar_type types[] = {scalar_type::f32, scalar_type::f64};

}  // namespace

TEST_CASE("every product up to 32 has a modelled GPU tuning, on every generation", "[lookup]") {
  for (const int generation : {80, 86, 90, 100, 120})
    for (const scalar_type type : types)
      for (index_t m = 1; m <= 32; m += 3)
        for (index_t n = 1; n <= 32; n += 5)
          for (index_t k = 1; k <= 32; k += 4) {
            const gemm_form f{type, m, n, k};
            const gpu_limits l = gpu_limits_of(generation);
            const auto found = modelled_gpu_tuning(f, l);
            INFO(generation << ": " << m << "x" << n << "x" << k);
            REQUIRE(found);
            CHECK(fits(*found, f, l));
          }
}

TEST_CASE("a product larger than shared memory, or of no entries, has no modelled tuning", "[lookup]") {
  const gpu_limits l = gpu_limits_of(90);
  CHECK_FALSE(modelled_gpu_tuning({scalar_type::f64, 200, 200, 200}, l));
  CHECK_FALSE(modelled_gpu_tuning({scalar_type::f64, 0, 4, 4}, l));
}

TEST_CASE("types without records borrow those of float and double, and say so", "[lookup]") {
  const gpu_limits l = gpu_limits_of(90);
  for (const known_product& known : known_products) {
    if (known.types.is_real()) continue;
    for (const index_t n : {1, 2, 3, 5, 8, 12, 16, 24, 31, 32}) {
      choice_query q = product(scalar_type::f64, n, n + n % 2, n);
      q.type = known.types;
      const auto row = look_up_row(q, {}, nullptr);
      INFO(known.name << " " << n);
      REQUIRE(row);
      CHECK(fits(row->tuning, {known.types, n, n + n % 2, n}, l));
      CHECK(says(text_of(*row, q), std::string("gemm ") + known.name + " "));
      CHECK(says(text_of(*row, q), text_of(row->tuning)));
      CHECK((says(row->because.text(), std::string(name_of(tuned_like(known.types))) + "'s ") ||
             says(row->because.text(), "model")));
    }
    choice_query q = product(scalar_type::f64, 8, 8, 8);
    q.type = known.types;
    q.left_conjugated = true;
    CHECK(says(look_up_row(q, {}, nullptr)->because.text(), "'s record 8x8x8"));
    CHECK(says(text_of(*look_up_row(q, {}, nullptr), q), "A conjugated"));
    CHECK(choose(q).record == choice::generic);
    q.where = target::avx2;
    CHECK(choose(q).reason == choice_reason::other_types);
  }
}

TEST_CASE("the look-up goes from the own record to the nearest one to the model, and says which", "[lookup]") {
  for (const scalar_type type : types) {
    const auto own = look_up_row(product(type, 8, 8, 8), {}, nullptr);
    REQUIRE(own);
    CHECK(own->because.name.starts_with("record 8x8x8"));
    const auto near = look_up_row(product(type, 8, 8, 9), {}, nullptr);
    REQUIRE(near);
    CHECK(near->because.name.starts_with("nearest record "));
    CHECK(fits(near->tuning, {type, 8, 8, 9}, gpu_limits_of(90)));
    const auto far = look_up_row(product(type, 32, 1, 3), {}, nullptr);
    REQUIRE(far);
    CHECK(says(far->because.text(), "model"));
    CHECK_FALSE(look_up_row(product(type, 300, 300, 300), {}, nullptr));
  }
}

TEST_CASE("records given at run time come before those of the build", "[lookup]") {
  overlay over;
  over.path = "mine.json";
  const gpu_gemm_tuning odd{8, 64, 2, 4, 0, 1};
  over.records.push_back({target::cuda, scalar_type::f64, memory_regime::cache, 8, 8, 10, false, {}, odd});
  over.records.push_back({target::avx2, scalar_type::f64, memory_regime::cache, 8, 8, 9, false, {1, 1}, {}});
  const auto near = look_up_row(product(scalar_type::f64, 8, 8, 9), {}, &over);
  REQUIRE(near);
  CHECK(near->tuning == odd);
  CHECK(near->because.text() == "nearest record 8x8x10 in mine.json");
  // Of the other type it has none.
  CHECK_FALSE(says(look_up_row(product(scalar_type::f32, 8, 8, 9), {}, &over)->because.text(), "mine.json"));
}

TEST_CASE("a record's tuning for a larger product gets the threads that its tiles need", "[lookup]") {
  const gpu_limits l = gpu_limits_of(90);
  const gemm_form square{scalar_type::f64, 28, 28, 28}, wider{scalar_type::f64, 28, 32, 28};
  // 28 / 3 rows x 28 / 5 columns are 60 tiles for 64 threads; 28 x 32 makes 70.
  const gpu_gemm_tuning full{.matrices = 1, .threads = 64, .tile_rows = 3, .tile_cols = 5};
  CHECK(detail::carried_over(full, square, wider, l).threads == 96);
  CHECK(detail::carried_over(full, square, square, l) == full);
  // Further away, but 56 of its 64 threads have a tile of 28 x 32; of the nearer one's 96 threads, 70.
  const gpu_gemm_tuning wide{.matrices = 1, .threads = 64, .tile_rows = 2, .tile_cols = 8};
  const std::vector<gpu_gemm_record> records{{scalar_type::f64, 28, 28, 28, full, 0, memory_regime::stream},
                                             {scalar_type::f64, 32, 32, 32, wide, 0, memory_regime::stream}};
  CHECK(detail::nearest_record(records, 0, 2, wider, l) == 0);
  CHECK(detail::nearest_record(records, 0, 2, {scalar_type::f64, 28, 32, 29}, l) == 1);
}

TEST_CASE("a record is passed on where the model thinks nearly as well of it as of its own choice", "[lookup]") {
  const gpu_limits l = gpu_limits_of(90);
  const gemm_form f{scalar_type::f64, 28, 25, 9};
  CHECK(is_worth_passing_on(*modelled_gpu_tuning(f, l), f, l));
  CHECK_FALSE(is_worth_passing_on({.matrices = 4, .threads = 736, .tile_rows = 2, .tile_cols = 2}, f, l));

  overlay over;
  over.path = "mine.json";
  over.records.push_back({target::cuda, scalar_type::f64, memory_regime::stream, 28, 24, 9, false, {}, {4, 128, 2, 2}});
  const auto found = [&](index_t n) {
    choice_query q = product(scalar_type::f64, 28, n, 9);
    q.cache_bytes = 1;
    q.bytes = 2;
    return look_up_row(q, {}, &over)->because.text();
  };
  CHECK_FALSE(says(found(25), "mine.json"));
  // Its own size is another matter: somebody measured it.
  CHECK(found(24) == "record 28x24x9 in mine.json");
}

TEST_CASE("a tuning whose threads meet in one bank of shared memory costs more", "[lookup]") {
  // Rows of A and columns of B are 32 doubles long: five columns a product start in one bank.
  const gemm_form f{scalar_type::f64, 17, 25, 32, memory_regime::stream, {.left = packed_layout::by_rows}};
  const gpu_gemm_tuning crowded{.matrices = 4, .threads = 64, .tile_rows = 7, .tile_cols = 5, .over_a = 1};
  CHECK(fits(crowded, f, gpu_limits{}));
  CHECK_FALSE(is_worth_passing_on(crowded, f, gpu_limits{}));
  // The same tiles of a product that is one longer, whose columns start in different banks.
  CHECK(is_worth_passing_on(
      crowded, {scalar_type::f64, 17, 25, 33, memory_regime::stream, {.left = packed_layout::by_rows}}, gpu_limits{}));
}

TEST_CASE("a record's tuning of two tiles a thread is passed on as one, where that leaves fewer threads idle",
          "[lookup]") {
  // 66 tiles: a second round of 64 threads would have two of them.
  const gpu_gemm_tuning two{.matrices = 2, .threads = 64, .tile_rows = 1, .tile_cols = 7};
  const gemm_form from{scalar_type::f64, 12, 28, 16}, to{scalar_type::f64, 11, 16, 16};
  CHECK(detail::tiles_of_a_thread(two, from) == 2);
  CHECK(detail::carried_over(two, from, to, gpu_limits_of(90)).threads == 96);
}

TEST_CASE("products that share an operand do not take the records of others: the model decides", "[lookup]") {
  for (const packed_layouts layouts : {packed_layouts{.left = packed_layout::shared_by_cols},
                                       packed_layouts{.right = packed_layout::shared_by_rows}}) {
    const auto row = look_up_row(product(scalar_type::f64, 8, 8, 30), layouts, nullptr);
    REQUIRE(row);
    CHECK(says(row->because.text(), "model"));
    CHECK(fits(row->tuning, {scalar_type::f64, 8, 8, 30, memory_regime::stream, layouts}, gpu_limits_of(90)));
  }
}

TEST_CASE("a plain record given at run time is not taken for shared operands, one of their own form is", "[lookup]") {
  if (!why_no_jit().empty()) return testing::skip("no NVRTC");
  const packed_layouts shared{.left = packed_layout::shared_by_cols};
  const gpu_gemm_tuning plain{24, 96, 2, 1, 0, 1}, own{16, 64, 4, 4};
  overlay over;
  over.path = "mine.json";
  over.records.push_back({target::cuda, scalar_type::f64, memory_regime::cache, 8, 8, 8, false, {}, plain});
  const choice_query q = product(scalar_type::f64, 8, 8, 8);
  const auto without = row_to_compile(q, shared, {}, &over);
  REQUIRE(without);
  CHECK_FALSE(says(without->because.text(), "mine.json"));
  // Measured in the other regime: better than none.
  over.records.push_back({target::cuda, scalar_type::f64, memory_regime::stream, 8, 8, 8, false, {}, own, shared});
  const auto recorded = row_to_compile(q, shared, {}, &over);
  REQUIRE(recorded);
  CHECK(recorded->tuning == own);
  CHECK(recorded->because.text() == "record 8x8x8 in mine.json");
  CHECK(recorded->layouts == shared);
}

TEST_CASE("a record given at run time whose axes its sizes cannot have is taken as far as they go", "[lookup]") {
  overlay over;
  const gpu_limits l = gpu_limits_of(90);
  const gpu_gemm_tuning asked{.matrices = 16, .over_a = 1, .row_vector = 2};
  const gpu_gemm_tuning possible = canonical_tuning(asked, {scalar_type::f64, 8, 8, 10}, l);
  over.records.push_back({target::cuda, scalar_type::f64, memory_regime::cache, 8, 8, 10, false, {}, possible});
  const auto near = look_up_row(product(scalar_type::f64, 9, 8, 10), {}, &over);
  REQUIRE(near);
  CHECK(fits(near->tuning, {scalar_type::f64, 9, 8, 10}, l));
}

TEST_CASE("a row that cannot be had leaves a reason, and no exception", "[lookup]") {
  if (device::available()) return testing::skip("this machine has a GPU");
  const choice_query q = product(scalar_type::f64, 3, 4, 5);
  std::string why_not;
  CHECK(kernel_of({{}, {"a test"}}, q, why_not) == nullptr);
  CHECK_FALSE(why_not.empty());
  CHECK(says(why_none_compiled(q, {}, {}, why_not), why_not));
}

TEST_CASE("nothing is compiled for operands that need the generic row, or where compiling is switched off",
          "[lookup]") {
  choice_query q = product(scalar_type::f64, 3, 4, 5);
  q.packed = false;
  CHECK_FALSE(row_to_compile(q, {}, {}, nullptr));
  q.packed = true;
  q.form = canonical::pointwise;
  CHECK_FALSE(row_to_compile(q, {}, {}, nullptr));
  q.form = canonical::general;
  q.where = target::avx2;
  CHECK_FALSE(row_to_compile(q, {}, {}, nullptr));
  q.where = target::cuda;
  CHECK(row_to_compile(q, {}, {}, nullptr).has_value() == why_none_compiled(q, {}, {}).empty());
  const char* before = std::getenv("TESSERA_JIT");
  const std::string saved = before == nullptr ? "" : before;
  setenv("TESSERA_JIT", "OFF", 1);
  CHECK(says(why_none_compiled(q, {}, {}), "no kernel was compiled at run time: TESSERA_JIT=OFF"));
  CHECK_FALSE(row_to_compile(q, {}, {}, nullptr));
  if (before == nullptr)
    unsetenv("TESSERA_JIT");
  else
    setenv("TESSERA_JIT", saved.c_str(), 1);
}
