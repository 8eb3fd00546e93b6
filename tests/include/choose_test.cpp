// SPDX-License-Identifier: BSD-3-Clause
// choose is a pure function: with records of our own it is decided at compile time, and it always answers.
#include <tessera/choose.hpp>

#include <string>

#include "testing/catch.hpp"

using namespace tessera;

namespace {

constexpr auto f64 = scalar_type::f64;
constexpr auto f32 = scalar_type::f32;

constexpr choice_query query(target where, index_t m, index_t n, index_t k, bool packed = true) {
  return {.where = where, .type = f64, .form = canonical::eq8a, .m = m, .n = n, .k = k, .packed = packed};
}

constexpr choice chosen(const choice_query& q) { return choose(q, cpu_gemm_records, gpu_gemm_records); }

// Pointwise work and the reference need no record.
constexpr choice_query pointwise{.where = target::avx2, .type = f64, .form = canonical::pointwise, .m = 40};
static_assert(chosen(pointwise).family == kernel_family::pointwise && chosen(pointwise).record == choice::generic);
static_assert(chosen(query(target::reference, 4, 4, 4)).reason == choice_reason::plain_target);

// No size is without an answer, and where no record serves it the generic row does.
static_assert(chosen(query(target::avx512, 1000, 1, 77)).record == choice::generic);
static_assert(chosen(query(target::avx512, 1000, 1, 77)).reason == choice_reason::no_record);
static_assert(chosen(query(target::neon, 0, 0, 0)).record == choice::generic);
static_assert(chosen(query(target::cuda, 1000, 1, 77)).record == choice::generic);

}  // namespace

TEST_CASE("every record is chosen for its own sizes, and only where operands are packed", "[choose]") {
  int index = 0;
  for (const auto& record : gpu_gemm_records) {
    choice_query q = query(target::cuda, record.m, record.n > 0 ? record.n : 7, record.k);
    q.type = record.type;
    const choice found = chosen(q);
    REQUIRE(found.record != choice::generic);
    CHECK(found.reason == choice_reason::exact_record);
    const auto& taken = gpu_gemm_records[found.record];
    CHECK((taken.m == record.m && taken.k == record.k && (taken.n == record.n || taken.n == 0 || record.n == 0)));
    q.packed = false;
    CHECK(chosen(q).record == choice::generic);
    CHECK(chosen(q).reason == choice_reason::not_packed);
    ++index;
  }
  CHECK(index > 0);
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
