// SPDX-License-Identifier: BSD-3-Clause
// The CPU gemm records: which sizes get a kernel of their own, and with which tuning. Data, read by the kernels'
// tables, by the compile-time door and by whoever chooses a row.
#pragma once

#include <tessera/core/types.hpp>
#include <tessera/scalar.hpp>
#include <tessera/target.hpp>
#include <tessera/tuning.hpp>

namespace tessera {

/// out (m, n) = left (m, k) right (k, n), packed column-major. n = 0: any n.
struct cpu_gemm_record {
  target isa;
  scalar_type type;
  index_t m, n, k;
  cpu_gemm_tuning tuning;
  bool smoke;  // also in the small build
};

namespace detail {

struct cpu_isa_numbers {
  target isa;
  int bytes, registers;
  // Limits of the model. Baseline x86 copies an operand for every product, so its tiles stay small.
  int most_vectors, most_columns, longest_unrolled_k;
};
inline constexpr cpu_isa_numbers cpu_isas[] = {{target::sse2, 16, 16, 2, 4, 3},
                                               {target::avx2, 32, 16, 3, 8, 8},
                                               {target::avx512, 64, 32, 4, 12, 12},
                                               {target::neon, 16, 32, 4, 12, 12}};

constexpr cpu_isa_numbers numbers_of(target isa) {
  for (const cpu_isa_numbers& n : cpu_isas)
    if (n.isa == isa) return n;
  return cpu_isas[0];
}

constexpr int least(int a, int b) { return a < b ? a : b; }

/// Squares up to this have a record of their own.
inline constexpr int largest_square = 16;
/// Orders of the FEM shapes: (q x d)(d x any) and (d x q)(q x any) with d = p + 1 nodes and q in {d, d + 1} points.
inline constexpr int largest_order = 8;

struct measured_tuning {
  target isa;
  scalar_type type;
  index_t first, last;  // squares n in [first, last]
  cpu_gemm_tuning tuning;
};

/// Where measurement contradicts the rule below (docs/decisions/0004-cpu-gemm-family.md has the figures).
inline constexpr measured_tuning measured_squares[] = {
    {target::sse2, scalar_type::f64, 1, 2, {1, 4, 0, true}},
    {target::sse2, scalar_type::f32, 1, 2, {1, 4, 0, true}},
    {target::avx2, scalar_type::f64, 1, 2, {1, 4, 0, true}},
    {target::avx2, scalar_type::f64, 7, 7, {2, 4, 4, false}},  // fully unrolled it spills
    {target::avx2, scalar_type::f64, 13, 13, {2, 5, 4, false}},
    {target::avx2, scalar_type::f32, 1, 2, {1, 4, 0, true}},
    {target::avx2, scalar_type::f32, 4, 4, {1, 4, 0, true}},
    {target::avx2, scalar_type::f32, 16, 16, {2, 6, 4, false}},
    {target::avx512, scalar_type::f64, 1, 4, {1, 4, 0, true}},
    {target::avx512, scalar_type::f32, 1, 2, {1, 4, 0, true}},
    {target::avx512, scalar_type::f32, 4, 4, {1, 4, 0, true}},
    {target::avx512, scalar_type::f32, 8, 8, {1, 8, 0, true}},
};

}  // namespace detail

/// The model that tunes what nobody measured: as many rows as registers allow beside enough columns to hide the latency
/// of the multiply-adds, columns in blocks of equal width. n = 0: any n.
constexpr cpu_gemm_tuning modelled_cpu_tuning(target isa, scalar_type type, index_t m, index_t n, index_t k) {
  const detail::cpu_isa_numbers has = detail::numbers_of(isa);
  const int lanes = has.bytes / int(size_of(type));
  const index_t needed = m > lanes ? (m + lanes - 1) / lanes : 1;
  const int vectors = needed < has.most_vectors ? int(needed) : has.most_vectors;
  // Accumulators, the left column and one register for the right entry; with 16 registers also the tail's mask, alpha
  // and beta have to stay, or g++ 12 spills accumulators.
  const int aside = has.registers > 16 ? 1 : 3;
  const int fitting = (has.registers - aside - vectors) / vectors;
  int columns = detail::least(fitting, vectors == 1 ? has.most_columns : has.most_columns * 3 / 4);
  if (n > 0) {
    const index_t blocks = (n + columns - 1) / columns;
    columns = int((n + blocks - 1) / blocks);
  } else {
    // In FEM chains n is a product of such extents as k; what is left over goes in blocks of falling powers of two.
    const int limit = detail::least(columns, 9);
    columns = k > 1 && k <= limit ? int(limit / k * k) : detail::least(limit, limit >= 8 ? 8 : 4);
  }
  return {vectors, columns, k <= has.longest_unrolled_k ? 0 : 4, false};
}

/// The tuning of the row that takes any size.
constexpr cpu_gemm_tuning generic_cpu_tuning(target isa) {
  return detail::numbers_of(isa).registers == 32 ? cpu_gemm_tuning{2, 8, 4, false} : cpu_gemm_tuning{2, 4, 4, false};
}

namespace detail {

constexpr cpu_gemm_tuning tuning_of_square(target isa, scalar_type type, index_t n) {
  for (const measured_tuning& m : measured_squares)
    if (m.isa == isa && m.type == type && m.first <= n && n <= m.last) return m.tuning;
  return modelled_cpu_tuning(isa, type, n, n, n);
}

// Calls f(record) for each record in order: exact sizes first.
template <class F>
constexpr void each_cpu_record(F f) {
  for (const cpu_isa_numbers& each : cpu_isas)
    for (const scalar_type type : {scalar_type::f32, scalar_type::f64}) {
      for (int n = 1; n <= largest_square; ++n)
        f(cpu_gemm_record{each.isa, type, n, n, n, tuning_of_square(each.isa, type, n), n == 3 || n == 4 || n == 9});
      for (int p = 1; p <= largest_order; ++p) {
        const int d = p + 1, q = d + 1;
        f(cpu_gemm_record{each.isa, type, d, 0, d, modelled_cpu_tuning(each.isa, type, d, 0, d), false});
        f(cpu_gemm_record{each.isa, type, q, 0, d, modelled_cpu_tuning(each.isa, type, q, 0, d), p == 4});
        f(cpu_gemm_record{each.isa, type, d, 0, q, modelled_cpu_tuning(each.isa, type, d, 0, q), false});
      }
    }
}

constexpr int count_cpu_records() {
  int count = 0;
  each_cpu_record([&](const cpu_gemm_record&) { ++count; });
  return count;
}

struct cpu_record_list {
  cpu_gemm_record records[count_cpu_records()]{};
  constexpr cpu_record_list() {
    int next = 0;
    each_cpu_record([&](const cpu_gemm_record& r) { records[next++] = r; });
  }
};
inline constexpr cpu_record_list cpu_list;

}  // namespace detail

/// The shipped records: of an ISA and type, exact sizes before those of any n.
inline constexpr auto& cpu_gemm_records = detail::cpu_list.records;

/// The tuning for a size: its record's where there is one, else the model's.
constexpr cpu_gemm_tuning cpu_tuning_for(target isa, scalar_type type, index_t m, index_t n, index_t k) {
  for (const cpu_gemm_record& r : cpu_gemm_records)
    if (r.isa == isa && r.type == type && r.m == m && r.k == k && (r.n == n || r.n == 0)) return r.tuning;
  return modelled_cpu_tuning(isa, type, m, n, k);
}

}  // namespace tessera
