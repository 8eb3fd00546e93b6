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

/// Squares 1..32 of both types, packed column-major. For H200: the rule behind the numbers is that a block's share of
/// an operand starts and ends on 32 bytes (odd n: 4 matrices in f64, 8 in f32), and that tiles waste little of n.
inline constexpr gpu_gemm_record gpu_gemm_records[] = {
    detail::square(detail::f64, 1, 256, 160, 1, 1), detail::square(detail::f64, 2, 64, 128, 1, 1),
    detail::square(detail::f64, 3, 56, 128, 1, 1),  detail::square(detail::f64, 4, 32, 160, 1, 1),
    detail::square(detail::f64, 5, 24, 96, 2, 3),   detail::square(detail::f64, 6, 8, 64, 3, 1),
    detail::square(detail::f64, 7, 24, 64, 7, 4),   detail::square(detail::f64, 8, 8, 128, 1, 2),
    detail::square(detail::f64, 9, 12, 64, 2, 5),   detail::square(detail::f64, 10, 12, 64, 2, 5),
    detail::square(detail::f64, 11, 8, 128, 3, 3),  detail::square(detail::f64, 12, 4, 64, 3, 3),
    detail::square(detail::f64, 13, 8, 64, 2, 7),   detail::square(detail::f64, 14, 4, 64, 5, 3),
    detail::square(detail::f64, 15, 8, 128, 4, 4),  detail::square(detail::f64, 16, 2, 64, 2, 4),
    detail::square(detail::f64, 17, 8, 128, 5, 5),  detail::square(detail::f64, 18, 2, 64, 6, 2),
    detail::square(detail::f64, 19, 4, 64, 6, 5),   detail::square(detail::f64, 20, 2, 64, 2, 7),
    detail::square(detail::f64, 21, 4, 96, 3, 7),   detail::square(detail::f64, 22, 2, 64, 3, 6),
    detail::square(detail::f64, 23, 4, 128, 3, 8),  detail::square(detail::f64, 24, 4, 160, 3, 6),
    detail::square(detail::f64, 25, 4, 128, 6, 5),  detail::square(detail::f64, 26, 2, 128, 5, 3),
    detail::square(detail::f64, 27, 4, 160, 5, 6),  detail::square(detail::f64, 28, 1, 64, 4, 4),
    detail::square(detail::f64, 29, 4, 256, 4, 5),  detail::square(detail::f64, 30, 1, 64, 3, 5),
    detail::square(detail::f64, 31, 4, 256, 4, 5),  detail::square(detail::f64, 32, 1, 128, 2, 4),

    detail::square(detail::f32, 1, 512, 128, 1, 1), detail::square(detail::f32, 2, 256, 192, 2, 1),
    detail::square(detail::f32, 3, 64, 128, 3, 1),  detail::square(detail::f32, 4, 64, 192, 2, 1),
    detail::square(detail::f32, 5, 48, 128, 3, 1),  detail::square(detail::f32, 6, 48, 256, 2, 1),
    detail::square(detail::f32, 7, 24, 64, 4, 4),   detail::square(detail::f32, 8, 32, 256, 1, 2),
    detail::square(detail::f32, 9, 48, 224, 3, 3),  detail::square(detail::f32, 10, 16, 64, 6, 5),
    detail::square(detail::f32, 11, 16, 64, 4, 6),  detail::square(detail::f32, 12, 16, 64, 3, 8),
    detail::square(detail::f32, 13, 24, 96, 4, 7),  detail::square(detail::f32, 14, 12, 64, 3, 7),
    detail::square(detail::f32, 15, 16, 96, 8, 5),  detail::square(detail::f32, 16, 8, 256, 1, 4),
    detail::square(detail::f32, 17, 8, 128, 2, 6),  detail::square(detail::f32, 18, 4, 64, 5, 6),
    detail::square(detail::f32, 19, 8, 192, 5, 2),  detail::square(detail::f32, 20, 4, 64, 5, 6),
    detail::square(detail::f32, 21, 8, 192, 7, 3),  detail::square(detail::f32, 22, 4, 128, 6, 4),
    detail::square(detail::f32, 23, 8, 224, 8, 3),  detail::square(detail::f32, 24, 4, 160, 6, 3),
    detail::square(detail::f32, 25, 8, 224, 5, 5),  detail::square(detail::f32, 26, 4, 160, 3, 4),
    detail::square(detail::f32, 27, 8, 224, 5, 3),  detail::square(detail::f32, 28, 4, 128, 5, 7),
    detail::square(detail::f32, 29, 8, 256, 5, 6),  detail::square(detail::f32, 30, 2, 128, 4, 5),
    detail::square(detail::f32, 31, 8, 256, 2, 8),  detail::square(detail::f32, 32, 4, 256, 1, 8)};

inline constexpr int gpu_gemm_record_count = int(sizeof(gpu_gemm_records) / sizeof(gpu_gemm_records[0]));

}  // namespace tessera
