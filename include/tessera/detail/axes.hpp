// SPDX-License-Identifier: BSD-3-Clause
// The axes of each tuning struct: the name of every field and the values that a tuner tries. A new axis is one field
// and one line here.
#pragma once

#include <span>

#include <tessera/detail/element/matrix_tuning.hpp>
#include <tessera/detail/gpu_tuning.hpp>
#include <tessera/detail/tuning.hpp>
#include <tessera/element/element_run.hpp>

namespace tessera {

template <class Tuning>
struct axis {
  const char* name;
  int Tuning::*field;
  std::span<const int> values;
  const char* formerly = "";  // its name in older record files
};

namespace detail {

inline constexpr int switched[] = {0, 1};
inline constexpr int to_2[] = {0, 1, 2};
inline constexpr int to_3[] = {1, 2, 3};
inline constexpr int to_4[] = {1, 2, 3, 4};
inline constexpr int to_8[] = {1, 2, 3, 4, 5, 6, 7, 8};
inline constexpr int to_12[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
// Kernels have two loops over k: straight code, and steps of four whatever the number.
inline constexpr int unrolls[] = {0, 4};
inline constexpr int tasks[] = {1, 2, 4, 8};
inline constexpr int groups[] = {1, 2, 4, 8, 12, 16, 24, 32, 48, 56, 64, 128, 256, 512};
inline constexpr int vectors[] = {1, 2, 4};
inline constexpr int places_of_c[] = {0, 1, 2};
inline constexpr int kibibytes[] = {0, 4, 8, 16, 32, 64};
inline constexpr int blocks[] = {32, 64, 96, 128, 160, 192, 224, 256};

inline constexpr axis<cpu_gemm_tuning> cpu_gemm_axes[] = {{"row_vectors", &cpu_gemm_tuning::row_vectors, to_4},
                                                          {"columns", &cpu_gemm_tuning::columns, to_12},
                                                          {"unroll_k", &cpu_gemm_tuning::unroll_k, unrolls},
                                                          {"plain", &cpu_gemm_tuning::plain, switched},
                                                          {"keep_left", &cpu_gemm_tuning::keep_left, switched},
                                                          {"matrices", &cpu_gemm_tuning::matrices, tasks},
                                                          {"nontemporal", &cpu_gemm_tuning::stream, switched, "stream"},
                                                          {"half_tail", &cpu_gemm_tuning::half_tail, switched}};

inline constexpr axis<gpu_gemm_tuning> gpu_gemm_axes[] = {
    {"matrices", &gpu_gemm_tuning::matrices, groups},      {"threads", &gpu_gemm_tuning::threads, blocks},
    {"tile_rows", &gpu_gemm_tuning::tile_rows, to_8},      {"tile_cols", &gpu_gemm_tuning::tile_cols, to_8},
    {"over_a", &gpu_gemm_tuning::over_a, places_of_c},     {"loads", &gpu_gemm_tuning::loads, switched},
    {"row_vector", &gpu_gemm_tuning::row_vector, vectors}, {"tensor_cores", &gpu_gemm_tuning::tensor_cores, switched}};

inline constexpr axis<element_run> element_run_axes[] = {
    {"prefetch_kib", &element_run::prefetch_kib, kibibytes, "ahead"},
    {"nontemporal", &element_run::nontemporal, switched, "stream"},
    {"prefetch_level", &element_run::prefetch_level, to_2, "near"},
    {"prefetch_repeats", &element_run::prefetch_repeats, to_3, "asks"}};

// What a tuner tries depends on sizes: matrix_space has the values.
inline constexpr axis<matrix_tuning> matrix_axes[] = {
    {"way", &matrix_tuning::way, {}},           {"elements", &matrix_tuning::elements, {}},
    {"threads", &matrix_tuning::threads, {}},   {"blocks", &matrix_tuning::blocks, {}},
    {"slices", &matrix_tuning::slices, {}},     {"strips", &matrix_tuning::strips, {}},
    {"pad_line", &matrix_tuning::pad_line, {}}, {"pad_plane", &matrix_tuning::pad_plane, {}},
    {"sliced", &matrix_tuning::sliced, {}},     {"tiled", &matrix_tuning::tiled, {}},
    {"waves", &matrix_tuning::waves, {}},       {"along", &matrix_tuning::along, {}},
    {"at_once", &matrix_tuning::at_once, {}},   {"staged", &matrix_tuning::staged, {}},
    {"columns", &matrix_tuning::columns, {}},   {"sharing", &matrix_tuning::sharing, {}}};

}  // namespace detail

/// axes_of<cpu_gemm_tuning>(): every field, in order.
template <class Tuning>
constexpr std::span<const axis<Tuning>> axes_of();
template <>
constexpr std::span<const axis<cpu_gemm_tuning>> axes_of<cpu_gemm_tuning>() {
  return detail::cpu_gemm_axes;
}
template <>
constexpr std::span<const axis<gpu_gemm_tuning>> axes_of<gpu_gemm_tuning>() {
  return detail::gpu_gemm_axes;
}
template <>
constexpr std::span<const axis<element_run>> axes_of<element_run>() {
  return detail::element_run_axes;
}
template <>
constexpr std::span<const axis<matrix_tuning>> axes_of<matrix_tuning>() {
  return detail::matrix_axes;
}

}  // namespace tessera
