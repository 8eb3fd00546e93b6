// SPDX-License-Identifier: BSD-3-Clause
// Compiled gemm rows of the part TESSERA_PART of gpu_gemm_records: packed column-major products of fixed sizes.
#include "gemm_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <tessera/gpu/detail/launch_packed.cuh>

namespace tessera::device {

namespace {

template <class T, int Record>
void run(const problem<T>& p, const kernel_name& name, void* stream) {
  constexpr gpu_gemm_record record = gpu_gemm_records[Record];
  constexpr gpu_gemm_tuning t = record.tuning;
  using form = packed_form<int(record.m), int(record.n), int(record.k)>;
  using shape =
      block_shape<t.matrices, t.threads, t.tile_rows, t.tile_cols, t.over_a, t.loads, t.row_vector, t.tensor_cores>;
  launch_packed<T, form, shape>(arguments_of(p), name, static_cast<cudaStream_t>(stream));
}

template <int Record>
constexpr compiled_row row() {
  if constexpr (gpu_gemm_records[Record].row != Record || gpu_gemm_records[Record].layouts != packed_layouts{})
    return {compiled_row::none, nullptr, nullptr};
  else if constexpr (gpu_gemm_records[Record].type == scalar_type::f32)
    return {Record, run<float, Record>, nullptr};
  else
    return {Record, nullptr, run<double, Record>};
}

constexpr int first = TESSERA_PART * records_a_part;
// The build counts parts before records with the same kernel are merged, so the last parts may be empty.
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
