// SPDX-License-Identifier: BSD-3-Clause
// Chains of FP64 mma m16n8k16, which exist from sm_90 on: built for that architecture.
#include "measure/gpu/matrix.hpp"

namespace tessera::bench::device {

namespace {

constexpr int tiles = 4, threads = 128;

__global__ void matrix_chains(double* out, int rounds) {
  double a[8], b[4], c[tiles][4] = {};
  for (int i = 0; i < 8; ++i) a[i] = 1e-3 * (threadIdx.x + i);
  for (int i = 0; i < 4; ++i) b[i] = 1e-3 * (threadIdx.x - i);
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int t = 0; t < tiles; ++t)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
          "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
          : "+d"(c[t][0]), "+d"(c[t][1]), "+d"(c[t][2]), "+d"(c[t][3])
          : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
            "d"(b[1]), "d"(b[2]), "d"(b[3]));
  }
  double total = 0;
  for (int t = 0; t < tiles; ++t) total += c[t][0] + c[t][1] + c[t][2] + c[t][3];
  if (total == 0.123456789) out[0] = total;
}

}  // namespace

double launch_matrix_chains(double* out, int blocks, int rounds) {
  matrix_chains<<<blocks, threads>>>(out, rounds);
  return 2.0 * 16 * 8 * 16 * tiles * (threads / 32) * double(blocks) * double(rounds);
}

}  // namespace tessera::bench::device
