// SPDX-License-Identifier: BSD-3-Clause
// choose: a pure function from (lowered form, target, tuning records) to a kernel family and row. It always answers.
#pragma once

#include <iterator>

#include <tessera/core/lower.hpp>
#include <tessera/gpu_records.hpp>
#include <tessera/problem.hpp>
#include <tessera/records.hpp>
#include <tessera/target.hpp>

namespace tessera {

enum class kernel_family { gemm, pointwise };

/// Why a row was taken; describe() says it in words.
enum class choice_reason {
  exact_record,  // a record for these very sizes
  no_record,     // the generic row: no record for these sizes
  not_packed,    // the generic row: a record exists, but an operand is not packed column-major or has two factors
  not_compiled,  // the generic row: this build left the record's row out (TESSERA_ROWS)
  scattered,  // the generic row: the record's row takes matrices that lie one behind the other, in builds that have it
  plain_target,  // the reference loops, which have no rows
  only_row,      // the family has one row
};

constexpr const char* name_of(kernel_family family) { return family == kernel_family::gemm ? "gemm" : "pointwise"; }

constexpr const char* text_of(choice_reason reason) {
  switch (reason) {
    case choice_reason::exact_record: return "exact record";
    case choice_reason::no_record: return "no record for these sizes";
    case choice_reason::not_packed: return "an operand is not packed column-major, or is a product of two";
    case choice_reason::not_compiled: return "the record's row is not compiled into this build";
    case choice_reason::scattered:
      return "matrices do not lie one behind the other, or this build has no row for the record";
    case choice_reason::plain_target: return "the reference has plain loops only";
    case choice_reason::only_row: return "the family's only row";
  }
  return "unknown";
}

/// What a choice depends on.
struct choice_query {
  target where = target::reference;
  scalar_type type = scalar_type::f64;
  canonical form = canonical::general;
  index_t m = 1, n = 1, k = 1;
  bool packed = true;  // single factors, all packed column-major
};

namespace detail {

// The stride of an extent of 1 means nothing.
constexpr bool is_packed(const run_time_map& map, index_t rows, index_t cols) {
  return map.table == nullptr && (rows <= 1 || map.row == 1) && (cols <= 1 || map.col == rows);
}

}  // namespace detail

template <class T>
constexpr choice_query query_of(target where, const problem<T>& p) {
  return {.where = where,
          .type = scalar_of<T>,
          .form = p.form,
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .packed = p.left_factors == 1 && p.right_factors == 1 && detail::is_packed(p.left[0].map, p.m, p.k) &&
                    detail::is_packed(p.right[0].map, p.k, p.n) && detail::is_packed(p.out.map, p.m, p.n)};
}

struct choice {
  static constexpr int generic = -1;
  kernel_family family = kernel_family::gemm;
  int record = generic;  // index into the target's records
  choice_reason reason = choice_reason::no_record;
};

namespace detail {

constexpr bool same_target(const gpu_gemm_record&, target where) { return where == target::cuda; }
constexpr bool same_target(const cpu_gemm_record& record, target where) { return record.isa == where; }

// Index of the record for exactly these sizes; a record with n = 0 serves any n. -1 where there is none.
template <class Records>
constexpr int exact_record(const Records& records, const choice_query& q) {
  int any_n = choice::generic;
  for (int i = 0; i < int(std::size(records)); ++i) {
    const auto& r = records[std::size_t(i)];
    if (!same_target(r, q.where) || r.type != q.type || r.m != q.m || r.k != q.k) continue;
    if (r.n == q.n) return i;
    if (r.n == 0) any_n = i;
  }
  return any_n;
}

}  // namespace detail

/// `cpu_records` and `gpu_records` are arrays or spans of cpu_gemm_record and gpu_gemm_record.
template <class CpuRecords, class GpuRecords>
constexpr choice choose(const choice_query& q, const CpuRecords& cpu_records, const GpuRecords& gpu_records) {
  if (q.form == canonical::pointwise)
    return {kernel_family::pointwise, choice::generic,
            q.where == target::reference ? choice_reason::plain_target : choice_reason::only_row};
  if (q.where == target::reference) return {kernel_family::gemm, choice::generic, choice_reason::plain_target};
  const int record =
      q.where == target::cuda ? detail::exact_record(gpu_records, q) : detail::exact_record(cpu_records, q);
  if (record == choice::generic) return {kernel_family::gemm, choice::generic, choice_reason::no_record};
  if (!q.packed) return {kernel_family::gemm, choice::generic, choice_reason::not_packed};
  return {kernel_family::gemm, record, choice_reason::exact_record};
}

}  // namespace tessera
