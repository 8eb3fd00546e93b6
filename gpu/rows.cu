// SPDX-License-Identifier: BSD-3-Clause
// Compiled gemm rows of the part TESSERA_PART of gpu_gemm_records: packed column-major products of fixed sizes.
#include "rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <tessera/gpu/launch.cuh>

namespace tessera::device {

namespace {

template <class T, int Record>
void run(const problem<T>& p, const kernel_name& name, void* stream) {
  constexpr gpu_gemm_record record = gpu_gemm_records[Record];
  constexpr int m = int(record.m), n = int(record.n), k = int(record.k);
  constexpr gpu_gemm_tuning t = record.tuning;
  using shape = block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols, t.late_c, t.loads>;
  gemm_arguments<T, dense<const T, 1, m>, dense<const T, 1, k>, dense<T, 1, m>> a{
      {p.left[0].data}, {p.right[0].data}, {p.out.data}, p.alpha, p.beta, {}};
  a.sizes.products = p.batch * p.loops;
  launch_gemm<T, m, n, k, shape>(a, name, static_cast<cudaStream_t>(stream));
}

template <int Record>
constexpr compiled_row row() {
  if constexpr (gpu_gemm_records[Record].row != Record)
    return {compiled_row::none, nullptr, nullptr};
  else if constexpr (gpu_gemm_records[Record].type == scalar_type::f32)
    return {Record, run<float, Record>, nullptr};
  else
    return {Record, nullptr, run<double, Record>};
}

constexpr int first = TESSERA_PART * records_a_part;
// The build counts parts before records of one kernel have met: the last ones may be empty.
constexpr int last = std::clamp(gpu_gemm_record_count, first, first + records_a_part);

template <int... I>
std::span<const compiled_row> rows(std::integer_sequence<int, I...>) {
  static constexpr std::array<compiled_row, sizeof...(I)> all{row<first + I>()...};
  return all;
}

}  // namespace

template <>
std::span<const compiled_row> rows_of_part<TESSERA_PART>() {
  return rows(std::make_integer_sequence<int, last - first>());
}

}  // namespace tessera::device
