// SPDX-License-Identifier: BSD-3-Clause
// Feasibility: every shipped tuning fits, and what cannot work falls with the right reason.
#include <string>

#include <tessera/detail/fits.hpp>
#include <tessera/detail/gpu_records.hpp>
#include <tessera/detail/records.hpp>

#include "testing/catch.hpp"

namespace tessera {
namespace {

constexpr gemm_form f64_square(index_t n) { return {scalar_type::f64, n, n, n}; }
constexpr gemm_form f32_square(index_t n) { return {scalar_type::f32, n, n, n}; }

static_assert(fits(cpu_gemm_tuning{}, f64_square(8), cpu_limits_of(target::avx512)));
static_assert(!fits(cpu_gemm_tuning{}, f64_square(1), cpu_limits_of(target::avx512)));
static_assert(fits(gpu_gemm_tuning{}, f64_square(8), gpu_limits{}));

// The tuning that every kernel is compared with may win where it is larger than C: then what it amounts to fits, or is
// that tuning itself. A record that serves another size than its own is looked at in its own.
template <class Record, class Tuning, class Limits>
constexpr const char* reason_against(const Record& r, const Tuning& t, const Limits& l) {
  gemm_form f{r.type, r.m, r.n, r.k};
  if constexpr (requires { r.layouts; }) f.layouts = r.layouts;
  return t == Tuning{} ? nullptr : why_not(canonical_tuning(t, f, l), f, l);
}
constexpr const char* reason_against(const cpu_gemm_record& r) {
  return r.from == evidence::nearest ? nullptr : reason_against(r, r.tuning, cpu_limits_of(r.isa));
}
constexpr const char* reason_against(const gpu_gemm_record& r) { return reason_against(r, r.tuning, gpu_limits{}); }

constexpr bool all_records_fit() {
  for (const cpu_gemm_record& r : cpu_gemm_records)
    if (reason_against(r)) return false;
  for (const gpu_gemm_record& r : gpu_gemm_records)
    if (reason_against(r)) return false;
  return true;
}
static_assert(all_records_fit());

struct cpu_example {
  const char* reason;
  target isa;
  gemm_form form;
  cpu_gemm_tuning tuning;
};

TEST_CASE("Every CPU record fits its size", "[fits]") {
  for (const cpu_gemm_record& r : cpu_gemm_records) {
    const char* reason = reason_against(r);
    INFO(name_of(r.isa) << " " << name_of(r.type) << " " << r.m << "x" << r.n << "x" << r.k);
    CHECK(std::string(reason ? reason : "") == "");
  }
}

TEST_CASE("Every GPU record fits its size on the device it was measured on", "[fits]") {
  for (const gpu_gemm_record& r : gpu_gemm_records) {
    const char* reason = reason_against(r);
    INFO(name_of(r.type) << " " << r.m << "x" << r.n << "x" << r.k);
    CHECK(std::string(reason ? reason : "") == "");
  }
}

TEST_CASE("CPU tunings that cannot work fall with their reason", "[fits]") {
  const gemm_form fem{scalar_type::f64, 6, 0, 5}, in_cache{scalar_type::f64, 8, 8, 8, memory_regime::cache};
  const cpu_example examples[] = {
      {"a value out of its range", target::avx2, f64_square(8), {.row_vectors = 0}},
      {"tile taller than C", target::avx512, f64_square(8), {.row_vectors = 2}},
      {"tile wider than C", target::avx512, f64_square(8), {.columns = 9}},
      {"tile larger than the registers", target::avx2, f64_square(16), {.row_vectors = 4, .columns = 4}},
      {"k too long to unroll", target::avx512, f64_square(17), {.unroll_k = 0}},
      {"unrolled further than k", target::sse2, f64_square(3), {.columns = 3, .unroll_k = 4}},
      {"same kernel as another", target::avx2, f64_square(4), {.unroll_k = 4}},
      {"too large for plain", target::avx2, f64_square(9), {.unroll_k = 0, .plain = 1}},
      {"same kernel as another", target::avx2, f64_square(4), {.unroll_k = 4, .plain = 1}},
      {"plain needs a fixed n", target::avx2, fem, {.unroll_k = 0, .plain = 1}},
      {"panel of A larger than the registers", target::avx2, f64_square(16), {.unroll_k = 0, .keep_left = 1}},
      {"panel of A is read once anyway", target::avx2, f64_square(4), {.unroll_k = 0, .keep_left = 1}},
      {"same kernel as another", target::avx2, fem, {.unroll_k = 4, .keep_left = 1}},
      {"non-temporal stores of results that stay in cache", target::avx2, in_cache, {.stream = 1}},
      {"results of a task too large for non-temporal stores",
       target::avx2,
       f64_square(32),
       {.matrices = 4, .stream = 1}},
      {"too much code in a task",
       target::avx2,
       f64_square(8),
       {.columns = 8, .unroll_k = 0, .plain = 1, .matrices = 8}},
      {"too much code in a task", target::avx2, f64_square(16), {.unroll_k = 0, .matrices = 8}},
  };
  for (const cpu_example& e : examples) {
    const char* reason = why_not(e.tuning, e.form, cpu_limits_of(e.isa));
    INFO("expected: " << e.reason);
    CHECK(std::string(reason ? reason : "fits") == e.reason);
  }
}

TEST_CASE("CPU tunings of every new axis fit where they make sense", "[fits]") {
  const auto check = [](target isa, const gemm_form& f, const cpu_gemm_tuning& t) {
    const char* reason = why_not(t, f, cpu_limits_of(isa));
    CHECK(std::string(reason ? reason : "") == "");
  };
  check(target::avx512, f64_square(8), {.columns = 4, .unroll_k = 0, .keep_left = 1});
  check(target::avx2, {scalar_type::f64, 4, 0, 4}, {.columns = 4, .unroll_k = 0, .keep_left = 1});
  check(target::avx2, f64_square(5), {.matrices = 4, .stream = 1});
  check(target::avx512, f64_square(3), {.columns = 3, .unroll_k = 0, .matrices = 4});
  check(target::avx512, f64_square(3), {.columns = 4, .unroll_k = 0, .plain = 1, .matrices = 4, .stream = 1});
  check(target::avx2, {scalar_type::f64, 6, 0, 5}, {.stream = 1});
  check(target::avx2, f64_square(13), {.row_vectors = 2, .columns = 6});  // its mask takes the sixteenth register
}

TEST_CASE("GPU tunings that cannot work fall with their reason", "[fits]") {
  struct example {
    const char* reason;
    gemm_form form;
    gpu_gemm_tuning tuning;
  };
  const example examples[] = {
      {"a value out of its range", f64_square(8), {.matrices = 0}},
      {"a value out of its range", f32_square(9), {.tile_rows = 3, .row_vector = 3}},
      {"a value out of its range", f64_square(8), {.over_a = 3}},
      {"rows wider than one access", f64_square(8), {.tile_rows = 4, .row_vector = 4}},
      {"rows do not come in such vectors", f64_square(5), {.row_vector = 2}},
      {"rows do not come in such vectors", f64_square(8), {.tile_rows = 1, .row_vector = 2}},
      {"C would overwrite an input too early", f64_square(8), {.matrices = 16, .over_a = 1}},
      {"threads are not whole warps of a block", f64_square(8), {.threads = 48}},
      {"any n: the row for all sizes", {scalar_type::f64, 5, 0, 4}, {}},
      {"tile taller than C", f64_square(3), {.tile_rows = 4}},
      {"tile wider than C", f64_square(3), {.tile_cols = 4}},
      {"more than 8 tiles a thread", f64_square(8), {.matrices = 256, .threads = 32}},
      {"more than half of the threads idle", f64_square(8), {.matrices = 1, .threads = 128}},
      {"tile larger than the registers", f64_square(32), {.threads = 64, .tile_rows = 8, .tile_cols = 8}},
      {"a block's part of an operand ends inside a sector of 32 bytes",
       f64_square(9),
       {.matrices = 6, .threads = 64, .tile_rows = 3, .tile_cols = 3}},
      {"a block's part of an operand ends inside a sector of 32 bytes",
       f32_square(9),
       {.matrices = 12, .tile_rows = 3, .tile_cols = 3}},
      {"tensor cores are for double", f32_square(16), {.matrices = 1, .threads = 32, .tensor_cores = 1}},
      {"tensor cores give a thread pairs of columns", f64_square(16), {.tile_cols = 3, .tensor_cores = 1}},
      {"tile taller than C", f64_square(16), {.tile_rows = 3, .tile_cols = 2, .tensor_cores = 1}},
      {"tile wider than C", f64_square(16), {.tile_rows = 1, .tile_cols = 6, .tensor_cores = 1}},
      {"a value out of its range", f64_square(16), {.tensor_cores = 2}},
      {"larger than shared memory", f64_square(32), {.matrices = 12, .threads = 256, .tile_rows = 4, .tile_cols = 4}},
  };
  for (const example& e : examples) {
    const char* reason = why_not(e.tuning, e.form, gpu_limits{});
    INFO("expected: " << e.reason);
    CHECK(std::string(reason ? reason : "fits") == e.reason);
  }
}

TEST_CASE("Devices differ in shared memory, threads and copy engine", "[fits]") {
  CHECK(gpu_limits_of(90).shared_bytes == 227 * 1024);
  CHECK(gpu_limits_of(80).shared_bytes == 163 * 1024);
  CHECK(gpu_limits_of(86).shared_bytes == 99 * 1024);
  CHECK(gpu_limits_of(86).all_threads == 1536);
  CHECK(gpu_limits_of(100).shared_bytes == 227 * 1024);
  CHECK(gpu_limits_of(120).all_shared_bytes == 100 * 1024);
  const gpu_gemm_tuning staged{.loads = 1};
  CHECK(fits(staged, f64_square(8), gpu_limits_of(90)));
  CHECK(std::string(why_not(staged, f64_square(8), gpu_limits_of(80))) == "same kernel as another");
  const gpu_gemm_tuning by_warps{.threads = 64, .tile_rows = 2, .tile_cols = 4, .tensor_cores = 1};
  CHECK(fits(by_warps, f64_square(16), gpu_limits_of(80)));
  CHECK(std::string(why_not(by_warps, f64_square(16), gpu_limits_of(75))) == "no tensor cores for double");
  // Sizes whose bytes no int holds.
  const gpu_gemm_tuning long_sums{.tile_rows = 1, .tile_cols = 2, .tensor_cores = 1};
  for (const index_t k : {index_t(1) << 23, index_t(1) << 24, index_t(1) << 28, index_t(1) << 40})
    CHECK(std::string(why_not(long_sums, {scalar_type::f64, 8, 8, k}, gpu_limits{})) == "larger than shared memory");
}

TEST_CASE("Tunings of one kernel have one canonical form", "[fits]") {
  const cpu_limits avx2 = cpu_limits_of(target::avx2);
  const cpu_gemm_tuning initial = canonical_tuning(cpu_gemm_tuning{}, f64_square(2), avx2);
  CHECK(initial == cpu_gemm_tuning{.row_vectors = 1, .columns = 2, .unroll_k = 0});
  CHECK(fits(initial, f64_square(2), avx2));
  const gpu_gemm_tuning wide{.tile_rows = 8, .tile_cols = 8};
  CHECK(canonical_tuning(wide, f64_square(3), gpu_limits{}) == gpu_gemm_tuning{.tile_rows = 3, .tile_cols = 3});
  // What a size cannot have is taken back, so that a tuning can be passed on.
  const gpu_gemm_tuning vectors{.matrices = 16, .over_a = 1, .row_vector = 2};
  CHECK(canonical_tuning(vectors, f64_square(8), gpu_limits{}) == gpu_gemm_tuning{.matrices = 16, .row_vector = 2});
  CHECK(canonical_tuning(vectors, f64_square(5), gpu_limits{}) == gpu_gemm_tuning{.matrices = 16});
  CHECK(canonical_tuning(gpu_gemm_tuning{.row_vector = 0}, f64_square(8), gpu_limits{}) == gpu_gemm_tuning{});
  // Tiles of a warp reach eight times further down, four times further across.
  const gpu_gemm_tuning squares =
      canonical_tuning({.tile_rows = 4, .tile_cols = 8, .tensor_cores = 1}, f64_square(9), gpu_limits{});
  CHECK(squares == gpu_gemm_tuning{.tile_rows = 2, .tile_cols = 4, .tensor_cores = 1});
}

}  // namespace
}  // namespace tessera
