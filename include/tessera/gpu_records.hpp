// SPDX-License-Identifier: BSD-3-Clause
// Which sizes have a compiled GPU gemm row, and with which tuning: data, from which the kernels are instantiated.
#pragma once

#include <tessera/embedded_records.hpp>
#include <tessera/fits.hpp>

namespace tessera {

struct gpu_gemm_record {
  scalar_type type = scalar_type::f64;
  index_t m = 0, n = 0, k = 0;
  gpu_gemm_tuning tuning;
  int row = 0;  // index of the record whose kernel this one runs: itself, or an earlier one of its size and tuning
  memory_regime in = memory_regime::cache;
  evidence from = evidence::built_in;
  int origin = no_origin;  // index into record_origins
  bool stale = false;      // kernels have changed since it was measured
  packed_lies lies = {};   // rows are compiled for the usual ones only, others at run time
};

namespace detail {

constexpr gpu_gemm_record square(scalar_type type, index_t n, int matrices, int threads, int rows, int cols) {
  return {type, n, n, n, {matrices, threads, rows, cols}};
}

inline constexpr auto f32 = scalar_type::f32;
inline constexpr auto f64 = scalar_type::f64;

/// Squares 1..32 of both types, packed column-major. For H200: the rule behind the numbers is that a block's share of
/// an operand starts and ends on 32 bytes (odd n: 4 matrices in f64, 8 in f32), and that tiles waste little of n.
inline constexpr gpu_gemm_record built_in_squares[] = {
    square(f64, 1, 256, 160, 1, 1), square(f64, 2, 64, 128, 1, 1),  square(f64, 3, 56, 128, 1, 1),
    square(f64, 4, 32, 160, 1, 1),  square(f64, 5, 24, 96, 2, 3),   square(f64, 6, 8, 64, 3, 1),
    square(f64, 7, 24, 64, 7, 4),   square(f64, 8, 8, 128, 1, 2),   square(f64, 9, 12, 64, 2, 5),
    square(f64, 10, 12, 64, 2, 5),  square(f64, 11, 8, 128, 3, 3),  square(f64, 12, 4, 64, 3, 3),
    square(f64, 13, 8, 64, 2, 7),   square(f64, 14, 4, 64, 5, 3),   square(f64, 15, 8, 128, 4, 4),
    square(f64, 16, 2, 64, 2, 4),   square(f64, 17, 8, 128, 5, 5),  square(f64, 18, 2, 64, 6, 2),
    square(f64, 19, 4, 64, 6, 5),   square(f64, 20, 2, 64, 2, 7),   square(f64, 21, 4, 96, 3, 7),
    square(f64, 22, 2, 64, 3, 6),   square(f64, 23, 4, 128, 3, 8),  square(f64, 24, 4, 160, 3, 6),
    square(f64, 25, 4, 128, 6, 5),  square(f64, 26, 2, 128, 5, 3),  square(f64, 27, 4, 160, 5, 6),
    square(f64, 28, 1, 64, 4, 4),   square(f64, 29, 4, 256, 4, 5),  square(f64, 30, 1, 64, 3, 5),
    square(f64, 31, 4, 256, 4, 5),  square(f64, 32, 1, 128, 2, 4),

    square(f32, 1, 512, 128, 1, 1), square(f32, 2, 256, 192, 2, 1), square(f32, 3, 64, 128, 3, 1),
    square(f32, 4, 64, 192, 2, 1),  square(f32, 5, 48, 128, 3, 1),  square(f32, 6, 48, 256, 2, 1),
    square(f32, 7, 24, 64, 4, 4),   square(f32, 8, 32, 256, 1, 2),  square(f32, 9, 48, 224, 3, 3),
    square(f32, 10, 16, 64, 6, 5),  square(f32, 11, 16, 64, 4, 6),  square(f32, 12, 16, 64, 3, 8),
    square(f32, 13, 24, 96, 4, 7),  square(f32, 14, 12, 64, 3, 7),  square(f32, 15, 16, 96, 8, 5),
    square(f32, 16, 8, 256, 1, 4),  square(f32, 17, 8, 128, 2, 6),  square(f32, 18, 4, 64, 5, 6),
    square(f32, 19, 8, 192, 5, 2),  square(f32, 20, 4, 64, 5, 6),   square(f32, 21, 8, 192, 7, 3),
    square(f32, 22, 4, 128, 6, 4),  square(f32, 23, 8, 224, 8, 3),  square(f32, 24, 4, 160, 6, 3),
    square(f32, 25, 8, 224, 5, 5),  square(f32, 26, 4, 160, 3, 4),  square(f32, 27, 8, 224, 5, 3),
    square(f32, 28, 4, 128, 5, 7),  square(f32, 29, 8, 256, 5, 6),  square(f32, 30, 2, 128, 4, 5),
    square(f32, 31, 8, 256, 2, 8),  square(f32, 32, 4, 256, 1, 8)};

inline constexpr int built_in_count = int(sizeof(built_in_squares) / sizeof(built_in_squares[0]));

constexpr gpu_gemm_record recorded(const tuned_gemm<gpu_gemm_tuning>& r) {
  const gpu_limits limits = gpu_limits_of(record_origins[std::size_t(r.origin)].compute_capability);
  const gpu_gemm_tuning tuning = canonical_tuning(r.tuning, {r.type, r.m, r.n, r.k, r.in, r.lies}, limits);
  return {r.type, r.m, r.n, r.k, tuning, 0, r.in, evidence::recorded, r.origin, r.stale, r.lies};
}

constexpr bool is_same_product(const gpu_gemm_record& a, const gpu_gemm_record& b) {
  return a.type == b.type && a.m == b.m && a.n == b.n && a.k == b.k && a.lies == b.lies;
}

// The squares keep their places, so that parts of the list stay what they are: the first embedded record of a square's
// size stands in its place, all others follow.
struct gpu_record_list {
  static constexpr int most = built_in_count + int(embedded_gpu_gemm.size());
  gpu_gemm_record records[most]{};
  int count = built_in_count;

  constexpr gpu_record_list() {
    for (int i = 0; i < built_in_count; ++i) records[i] = built_in_squares[i];
    for (const tuned_gemm<gpu_gemm_tuning>& r : embedded_gpu_gemm) {
      const gpu_gemm_record next = recorded(r);
      bool placed = false;
      for (int i = 0; i < built_in_count && !placed; ++i) {
        if (!is_same_product(records[i], next) || records[i].from == evidence::recorded) continue;
        records[i] = next;
        placed = true;
      }
      if (!placed) records[count++] = next;
    }
    for (int i = 0; i < count; ++i) {
      records[i].row = i;
      for (int before = 0; before < i; ++before)
        if (is_same_product(records[before], records[i]) && records[before].tuning == records[i].tuning) {
          records[i].row = before;
          break;
        }
    }
  }
};
inline constexpr gpu_record_list gpu_list;

struct gpu_record_array {
  gpu_gemm_record records[gpu_list.count]{};
  constexpr gpu_record_array() {
    for (int i = 0; i < gpu_list.count; ++i) records[i] = gpu_list.records[i];
  }
};
inline constexpr gpu_record_array gpu_array;

}  // namespace detail

/// The records of this build.
inline constexpr auto& gpu_gemm_records = detail::gpu_array.records;
inline constexpr int gpu_gemm_record_count = detail::gpu_list.count;

}  // namespace tessera
