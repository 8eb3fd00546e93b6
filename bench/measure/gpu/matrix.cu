// SPDX-License-Identifier: BSD-3-Clause
// Chains of mma: m16n8k16 in double, which exists from sm_90 on, and of narrower types: built for that architecture.
#include "measure/gpu/matrix.hpp"

namespace tessera::bench::device {

namespace {

constexpr int tiles = 4, threads = 128;

struct mma_f64 {
  using sum = double;
  static constexpr int k = 16;
  double a[8], b[4];

  __device__ explicit mma_f64(int thread) {
    for (int i = 0; i < 8; ++i) a[i] = 1e-3 * (thread + i);
    for (int i = 0; i < 4; ++i) b[i] = 1e-3 * (thread - i);
  }
  __device__ void add_to(double (&c)[4]) const {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
        "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
  }
};

// Of 32-bit registers that hold one TF32 number or two of 16 bits; as bits these are small normal numbers.
template <matrix_unit Unit>
struct mma_f32 {
  using sum = float;
  static constexpr int k = Unit == matrix_unit::tf32 ? 8 : 16;
  unsigned a[4], b[2];

  __device__ explicit mma_f32(int thread) {
    const unsigned small = Unit == matrix_unit::tf32  ? 0x3a800000u
                           : Unit == matrix_unit::f16 ? 0x14001400u
                                                      : 0x3a803a80u;
    for (int i = 0; i < 4; ++i) a[i] = small + unsigned(thread + i) * 0x00020002u;
    for (int i = 0; i < 2; ++i) b[i] = small + unsigned(thread + i) * 0x00040002u;
  }
  __device__ void add_to(float (&c)[4]) const {
    if constexpr (Unit == matrix_unit::tf32)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if constexpr (Unit == matrix_unit::f16)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

template <class Mma>
__global__ void matrix_chains(typename Mma::sum* out, int rounds) {
  const Mma factors(int(threadIdx.x));
  typename Mma::sum c[tiles][4] = {};
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int t = 0; t < tiles; ++t) factors.add_to(c[t]);
  }
  typename Mma::sum total = 0;
  for (int t = 0; t < tiles; ++t) total += c[t][0] + c[t][1] + c[t][2] + c[t][3];
  if (total == typename Mma::sum(0.123456789)) out[0] = total;
}

template <class Mma>
double launch(void* out, int blocks, int rounds) {
  matrix_chains<Mma><<<blocks, threads>>>(static_cast<typename Mma::sum*>(out), rounds);
  return 2.0 * 16 * 8 * Mma::k * tiles * (threads / 32) * double(blocks) * double(rounds);
}

}  // namespace

double launch_matrix_chains(matrix_unit unit, void* out, int blocks, int rounds) {
  switch (unit) {
    case matrix_unit::tf32: return launch<mma_f32<matrix_unit::tf32>>(out, blocks, rounds);
    case matrix_unit::f16: return launch<mma_f32<matrix_unit::f16>>(out, blocks, rounds);
    case matrix_unit::bf16: return launch<mma_f32<matrix_unit::bf16>>(out, blocks, rounds);
    case matrix_unit::f64: break;
  }
  return launch<mma_f64>(out, blocks, rounds);
}

}  // namespace tessera::bench::device
