// SPDX-License-Identifier: BSD-3-Clause
// The sizes that have a compiled GPU gemm row, and their tunings: data from which the kernels are instantiated.
#pragma once

#include <iterator>

#include <tessera/detail/fits.hpp>
#include <tessera/embedded_records.hpp>

namespace tessera {

struct gpu_gemm_record {
  scalar_type type = scalar_type::f64;
  index_t m = 0, n = 0, k = 0;
  gpu_gemm_tuning tuning;
  int row = 0;  // index of the record whose kernel this one runs: itself, or an earlier one of its size and tuning
  memory_regime in = memory_regime::cache;
  evidence from = evidence::built_in;
  int origin = no_origin;       // index into record_origins
  bool stale = false;           // the kernels have changed since the measurement
  packed_layouts layouts = {};  // rows are compiled for the default only, others at run time
};

namespace detail {

/// Squares without a shipped record, measured on an H200.
inline constexpr gpu_gemm_record built_in_squares[] = {{scalar_type::f64, 1, 1, 1, {256, 160, 1, 1}},
                                                       {scalar_type::f32, 1, 1, 1, {512, 128, 1, 1}}};

constexpr gpu_gemm_record recorded(const tuned_gemm<gpu_gemm_tuning>& r) {
  const gpu_limits limits = gpu_limits_of(record_origins[std::size_t(r.origin)].compute_capability);
  const gpu_gemm_tuning tuning = canonical_tuning(r.tuning, {r.type, r.m, r.n, r.k, r.in, r.layouts}, limits);
  return {r.type, r.m, r.n, r.k, tuning, 0, r.in, evidence::recorded, r.origin, r.stale, r.layouts};
}

constexpr bool is_same_product(const gpu_gemm_record& a, const gpu_gemm_record& b) {
  return a.type == b.type && a.m == b.m && a.n == b.n && a.k == b.k && a.layouts == b.layouts;
}

// Squares 1..32 in double, then in float, come first, so that the division of the list into parts is stable: the first
// embedded record of each, else the built-in one, else none. All other embedded records follow.
struct gpu_record_list {
  static constexpr int embedded_count = int(embedded_gpu_gemm.size());
  static constexpr int most = embedded_count + int(std::size(built_in_squares));
  gpu_gemm_record records[most]{};
  int count = 0;

  constexpr gpu_record_list() {
    bool placed[embedded_count + 1]{};
    for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
      for (index_t n = 1; n <= 32; ++n) place_square({type, n, n, n}, placed);
    for (int i = 0; i < embedded_count; ++i)
      if (!placed[i]) records[count++] = recorded(embedded_gpu_gemm[std::size_t(i)]);
    for (int i = 0; i < count; ++i) {
      records[i].row = i;
      for (int before = 0; before < i; ++before)
        if (is_same_product(records[before], records[i]) && records[before].tuning == records[i].tuning) {
          records[i].row = before;
          break;
        }
    }
  }

  constexpr void place_square(const gpu_gemm_record& square, bool* placed) {
    for (int i = 0; i < embedded_count; ++i) {
      const tuned_gemm<gpu_gemm_tuning>& r = embedded_gpu_gemm[std::size_t(i)];
      if (r.type != square.type || r.m != square.m || r.n != square.n || r.k != square.k || r.layouts != square.layouts)
        continue;
      records[count++] = recorded(r);
      placed[i] = true;
      return;
    }
    for (const gpu_gemm_record& built_in : built_in_squares)
      if (is_same_product(built_in, square)) records[count++] = built_in;
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
