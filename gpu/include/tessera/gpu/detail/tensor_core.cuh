// SPDX-License-Identifier: BSD-3-Clause
// Small products of a whole warp in double: one function for each instruction; before sm_80 by shuffles between lanes.
#pragma once

#include <nv/target>

namespace tessera::device {

struct tensor_core {
  /// Rows and columns of the result: lane l has entries (l / 4, 2 (l % 4)) and the next one.
  static constexpr int square = 8;

  // clang-format off
  /// c(m,n) += sum_k a(m,k) b(k,n), k < 4: lane l has a(l / 4, l % 4) and b(l % 4, l / 4).
  __device__ static void multiply(double (&c)[2], double a, double b) {
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(c[0]), "+d"(c[1]) : "d"(a), "d"(b));), (
      const int lane = int(threadIdx.x) % 32;
      for (int k = 0; k < 4; ++k) {
        const double of_row = __shfl_sync(~0u, a, lane / 4 * 4 + k);
        for (int s = 0; s < 2; ++s) c[s] += of_row * __shfl_sync(~0u, b, (lane % 4 * 2 + s) * 4 + k);
      }))
  }
  /// Two such products with the same b: one instruction from sm_90 on, as fast as one of them.
  __device__ static void multiply_both(double (&c)[2], double (&e)[2], double a_of_c, double a_of_e, double b) {
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (
      asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                   : "+d"(c[0]), "+d"(c[1]), "+d"(e[0]), "+d"(e[1]) : "d"(a_of_c), "d"(a_of_e), "d"(b));), (
      multiply(c, a_of_c, b);
      multiply(e, a_of_e, b);))
  }
  // clang-format on
};

}  // namespace tessera::device
