// SPDX-License-Identifier: BSD-3-Clause
// Which sizes have a compiled GPU gemm row, and with which tuning: data, from which the kernels are instantiated.
#pragma once

#include <tessera/scalar.hpp>
#include <tessera/tuning.hpp>

namespace tessera {

struct gpu_gemm_record {
  scalar_type type;
  index_t m, n, k;
  gpu_gemm_tuning tuning;  // matrices a block, threads a block, rows and columns of a thread's tile
};

namespace detail {

constexpr gpu_gemm_record square(scalar_type type, index_t n, int matrices, int threads, int rows, int cols) {
  return {type, n, n, n, {matrices, threads, rows, cols}};
}

inline constexpr auto f32 = scalar_type::f32;
inline constexpr auto f64 = scalar_type::f64;

}  // namespace detail

/// Squares 1..32 of both types, packed column-major. For H200: the rule behind the numbers is that a block's share of an
/// operand starts and ends on 32 bytes (odd n: 4 matrices in f64, 8 in f32), and that tiles waste little of n.
inline constexpr gpu_gemm_record gpu_gemm_records[] = {
    detail::square(detail::f64, 1, 256, 128, 1, 1),  detail::square(detail::f64, 2, 64, 128, 2, 1),
    detail::square(detail::f64, 3, 56, 128, 1, 1),   detail::square(detail::f64, 4, 64, 256, 1, 1),
    detail::square(detail::f64, 5, 24, 96, 3, 3),    detail::square(detail::f64, 6, 24, 224, 2, 2),
    detail::square(detail::f64, 7, 8, 64, 2, 4),     detail::square(detail::f64, 8, 8, 64, 2, 4),
    detail::square(detail::f64, 9, 16, 160, 3, 3),   detail::square(detail::f64, 10, 4, 64, 3, 3),
    detail::square(detail::f64, 11, 8, 128, 3, 3),   detail::square(detail::f64, 12, 4, 64, 3, 3),
    detail::square(detail::f64, 13, 8, 128, 4, 4),   detail::square(detail::f64, 14, 8, 128, 4, 4),
    detail::square(detail::f64, 15, 8, 128, 4, 4),   detail::square(detail::f64, 16, 4, 128, 2, 4),
    detail::square(detail::f64, 17, 8, 128, 5, 5),   detail::square(detail::f64, 18, 4, 128, 3, 4),
    detail::square(detail::f64, 19, 4, 128, 5, 3),   detail::square(detail::f64, 20, 4, 64, 5, 5),
    detail::square(detail::f64, 21, 4, 128, 6, 3),   detail::square(detail::f64, 22, 4, 128, 6, 3),
    detail::square(detail::f64, 23, 4, 128, 6, 3),   detail::square(detail::f64, 24, 4, 96, 6, 4),
    detail::square(detail::f64, 25, 4, 128, 5, 5),   detail::square(detail::f64, 26, 4, 128, 7, 4),
    detail::square(detail::f64, 27, 4, 128, 7, 4),   detail::square(detail::f64, 28, 2, 64, 7, 4),
    detail::square(detail::f64, 29, 4, 128, 4, 8),   detail::square(detail::f64, 30, 2, 64, 4, 8),
    detail::square(detail::f64, 31, 4, 128, 4, 8),   detail::square(detail::f64, 32, 2, 64, 4, 8),

    detail::square(detail::f32, 1, 512, 128, 1, 1),  detail::square(detail::f32, 2, 128, 128, 2, 1),
    detail::square(detail::f32, 3, 112, 256, 1, 1),  detail::square(detail::f32, 4, 64, 256, 1, 1),
    detail::square(detail::f32, 5, 32, 128, 3, 3),   detail::square(detail::f32, 6, 24, 96, 3, 3),
    detail::square(detail::f32, 7, 16, 128, 2, 4),   detail::square(detail::f32, 8, 16, 128, 2, 4),
    detail::square(detail::f32, 9, 16, 160, 3, 3),   detail::square(detail::f32, 10, 8, 128, 3, 3),
    detail::square(detail::f32, 11, 8, 96, 4, 4),    detail::square(detail::f32, 12, 8, 96, 4, 4),
    detail::square(detail::f32, 13, 8, 128, 4, 4),   detail::square(detail::f32, 14, 8, 128, 4, 4),
    detail::square(detail::f32, 15, 8, 128, 4, 4),   detail::square(detail::f32, 16, 8, 128, 4, 4),
    detail::square(detail::f32, 17, 8, 128, 5, 5),   detail::square(detail::f32, 18, 8, 96, 6, 6),
    detail::square(detail::f32, 19, 8, 96, 7, 7),    detail::square(detail::f32, 20, 8, 128, 5, 5),
    detail::square(detail::f32, 21, 8, 128, 6, 6),   detail::square(detail::f32, 22, 4, 64, 6, 6),
    detail::square(detail::f32, 23, 8, 128, 6, 6),   detail::square(detail::f32, 24, 4, 64, 6, 6),
    detail::square(detail::f32, 25, 8, 128, 7, 7),   detail::square(detail::f32, 26, 4, 64, 7, 7),
    detail::square(detail::f32, 27, 8, 128, 7, 7),   detail::square(detail::f32, 28, 4, 64, 7, 7),
    detail::square(detail::f32, 29, 8, 224, 6, 6),   detail::square(detail::f32, 30, 4, 128, 4, 8),
    detail::square(detail::f32, 31, 8, 256, 4, 8),   detail::square(detail::f32, 32, 4, 128, 4, 8)};

inline constexpr int gpu_gemm_record_count = int(sizeof(gpu_gemm_records) / sizeof(gpu_gemm_records[0]));

}  // namespace tessera
