// SPDX-License-Identifier: BSD-3-Clause
// choose is a pure function: with records of our own it is decided at compile time, and it always answers.
#include <tessera/detail/choose.hpp>

#include <string>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

constexpr auto f64 = scalar_type::f64;
constexpr auto f32 = scalar_type::f32;

constexpr choice_query query(target where, index_t m, index_t n, index_t k, bool packed = true) {
  return {.where = where, .type = f64, .form = canonical::eq8a, .m = m, .n = n, .k = k, .packed = packed};
}

constexpr choice chosen(const choice_query& q) { return choose(q); }

// Pointwise work and the reference need no record.
constexpr choice_query pointwise{.where = target::avx2, .type = f64, .form = canonical::pointwise, .m = 40};
static_assert(chosen(pointwise).family == kernel_family::pointwise && chosen(pointwise).record == choice::generic);
static_assert(chosen(query(target::reference, 4, 4, 4)).reason == choice_reason::plain_target);

// No size is without an answer, and where no record serves it the generic row does.
static_assert(chosen(query(target::avx512, 1000, 1, 77)).record == choice::generic);
static_assert(chosen(query(target::avx512, 1000, 1, 77)).reason == choice_reason::no_record);
static_assert(chosen(query(target::neon, 0, 0, 0)).record == choice::generic);
static_assert(chosen(query(target::cuda, 1000, 1, 77)).record == choice::generic);

// Records of two devices, made up: which one serves depends on the device, then on the regime.
constexpr record_origin origins[] = {{"CPU A", target::avx2, 0, false},
                                     {"CPU B", target::avx2, 0, false},
                                     {"GPU A", target::cuda, 90, false},
                                     {"GPU B", target::cuda, 80, false}};
constexpr cpu_gemm_record cpu_row(index_t n, memory_regime in, evidence from, int origin) {
  return {.isa = target::avx2, .type = f64, .m = 5, .n = n, .k = 5, .in = in, .from = from, .origin = origin};
}
constexpr cpu_gemm_record past_caches(cpu_gemm_record r) {
  r.tuning.stream = 1;
  return r;
}
constexpr cpu_gemm_record cpu_rows[] = {cpu_row(5, memory_regime::cache, evidence::recorded, 0),
                                        cpu_row(5, memory_regime::stream, evidence::recorded, 0),
                                        cpu_row(5, memory_regime::cache, evidence::recorded, 1),
                                        cpu_row(6, memory_regime::cache, evidence::nearest, 1),
                                        cpu_row(7, memory_regime::cache, evidence::built_in, no_origin),
                                        cpu_row(9, memory_regime::cache, evidence::built_in, no_origin),
                                        past_caches(cpu_row(9, memory_regime::stream, evidence::recorded, 1)),
                                        cpu_row(0, memory_regime::cache, evidence::model, no_origin)};
constexpr gpu_gemm_record gpu_row(evidence from, int origin) {
  return {.type = f64, .m = 5, .n = 5, .k = 5, .from = from, .origin = origin};
}
constexpr gpu_gemm_record gpu_rows[] = {gpu_row(evidence::recorded, 3), gpu_row(evidence::recorded, 2)};
constexpr gpu_gemm_record gpu_squares[] = {gpu_row(evidence::built_in, no_origin), gpu_row(evidence::recorded, 3)};

constexpr choice from_two(std::string_view device, index_t n, index_t bytes = 0) {
  return choose({.where = target::avx2, .m = 5, .n = n, .k = 5, .bytes = bytes, .cache_bytes = 1000, .device = device},
                cpu_rows, gpu_rows, origins);
}
constexpr bool is(const choice& c, int record, record_source source) {
  return c.record == record && c.source == source;
}

static_assert(is(from_two("CPU A", 5), 0, record_source::this_device));
static_assert(is(from_two("CPU A", 5, 1000), 0, record_source::this_device));
static_assert(is(from_two("CPU A", 5, 1001), 1, record_source::this_device));
static_assert(is(from_two("CPU B", 5), 2, record_source::this_device));
static_assert(is(from_two("CPU B", 5, 1001), 2, record_source::this_device));  // the device before the regime
static_assert(is(from_two("CPU C", 5), 0, record_source::this_architecture));
static_assert(is(from_two("CPU C", 5, 1001), 1, record_source::this_architecture));
// Of other devices, the one whose name is most alike.
static_assert(is(from_two("CPU B2", 5), 2, record_source::this_architecture));
static_assert(is(from_two("CPU A2", 5), 0, record_source::this_architecture));
static_assert(is(from_two("CPU B", 6), 3, record_source::nearest));
static_assert(is(from_two("CPU B", 7), 4, record_source::built_in));
static_assert(is(from_two("CPU B", 8), 7, record_source::model));
// Non-temporal stores are for results that do not stay in cache, whatever device the record is of.
static_assert(is(from_two("CPU B", 9), 5, record_source::built_in));
static_assert(is(from_two("CPU B", 9, 1001), 6, record_source::this_device));

constexpr choice on_gpu(std::string_view device, int cc, const auto& records) {
  return choose({.where = target::cuda, .m = 5, .n = 5, .k = 5, .device = device, .compute_capability = cc}, cpu_rows,
                records, origins);
}
static_assert(is(on_gpu("GPU A", 90, gpu_rows), 1, record_source::this_device));
static_assert(is(on_gpu("GPU C", 90, gpu_rows), 1, record_source::this_architecture));
static_assert(is(on_gpu("GPU C", 120, gpu_rows), 0, record_source::other_device));
static_assert(is(on_gpu("GPU C", 120, gpu_squares), 1, record_source::other_device));

// 350 products of 5x5 with 5x5 take 205 KiB of shared memory: no block of compute capability 12.0 has so much.
constexpr gpu_gemm_record large_row() {
  gpu_gemm_record r = gpu_row(evidence::recorded, 2);
  r.tuning.matrices = 350;
  return r;
}
constexpr gpu_gemm_record gpu_large[] = {gpu_row(evidence::built_in, no_origin), large_row()};
static_assert(is(on_gpu("GPU A", 90, gpu_large), 1, record_source::this_device));
static_assert(is(on_gpu("GPU A", 120, gpu_large), 0, record_source::built_in));

// An unknown cache means operands in cache.
static_assert(regime_of({.bytes = index_t(1) << 60}) == memory_regime::cache);

}  // namespace

TEST_CASE("every record is chosen for its own sizes, and only where operands are packed", "[choose]") {
  int index = 0;
  for (const auto& record : gpu_gemm_records) {
    if (record.layouts != packed_layouts{}) continue;  // for operands that lie so: the look-up's matter
    choice_query q = query(target::cuda, record.m, record.n > 0 ? record.n : 7, record.k);
    q.type = record.type;
    const choice found = chosen(q);
    REQUIRE(found.record != choice::generic);
    CHECK(found.reason == choice_reason::exact_record);
    const auto& taken = gpu_gemm_records[found.record];
    CHECK((taken.m == record.m && taken.k == record.k && (taken.n == record.n || taken.n == 0 || record.n == 0)));
    CHECK(gpu_gemm_records[taken.row].tuning == taken.tuning);
    CHECK(found.source != record_source::none);
    q.packed = false;
    CHECK(chosen(q).record == choice::generic);
    CHECK(chosen(q).reason == choice_reason::not_packed);
    ++index;
  }
  CHECK(index > 0);
}

TEST_CASE("every source of a record has words of its own", "[choose]") {
  for (int a = 0; a <= int(record_source::none); ++a)
    for (int b = 0; b <= int(record_source::none); ++b)
      if (a != b) CHECK(std::string(text_of(record_source(a))) != text_of(record_source(b)));
}

TEST_CASE("every reason has words of its own", "[choose]") {
  const choice_reason all[] = {choice_reason::exact_record, choice_reason::no_record,    choice_reason::not_packed,
                               choice_reason::not_compiled, choice_reason::plain_target, choice_reason::only_row};
  for (const choice_reason a : all) {
    CHECK(std::string(text_of(a)).size() > 8);
    for (const choice_reason b : all)
      if (a != b) CHECK(std::string(text_of(a)) != text_of(b));
  }
  CHECK(std::string(name_of(kernel_family::gemm)) == "gemm");
  CHECK(std::string(name_of(kernel_family::pointwise)) == "pointwise");
  CHECK(std::string(name_of(f32)) == "f32");
}
