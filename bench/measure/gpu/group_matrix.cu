// SPDX-License-Identifier: BSD-3-Clause
// Chains of wgmma m64n128, of 16-bit and TF32 factors in shared memory: built for sm_90a.
#include "measure/gpu/matrix.hpp"

namespace tessera::bench::device {

namespace {

constexpr int group = 128, stage = 16, rows = 64, cols = 128, bytes_of_k = 32;  // 16 numbers of 16 bits, or 8 of 32
constexpr int a_bytes = rows * bytes_of_k, b_bytes = cols * bytes_of_k;

// Of a matrix whose 8 x 16-byte cores lie one after the other, those of the same rows first, without a swizzle.
__device__ unsigned long long descriptor_of(const void* in_shared) {
  constexpr unsigned long long next_in_k = 128, next_rows = 256;
  const unsigned long long address = __cvta_generic_to_shared(in_shared);
  return (address & 0x3ffff) >> 4 | next_in_k >> 4 << 16 | next_rows >> 4 << 32;
}

template <matrix_unit Unit>
__device__ void add_product(float (&c)[64], unsigned long long a, unsigned long long b) {
  if constexpr (Unit == matrix_unit::tf32)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
        "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
        "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
        "}, %64, %65, 1, 1, 1;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]), "+f"(c[8]),
          "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]),
          "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]),
          "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]),
          "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]),
          "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]),
          "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]), "+f"(c[56]),
          "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
        : "l"(a), "l"(b));
  else if constexpr (Unit == matrix_unit::f16)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
        "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
        "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
        "}, %64, %65, 1, 1, 1, 0, 0;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]), "+f"(c[8]),
          "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]),
          "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]),
          "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]),
          "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]),
          "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]),
          "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]), "+f"(c[56]),
          "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
        : "l"(a), "l"(b));
  else
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
        "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
        "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
        "}, %64, %65, 1, 1, 1, 0, 0;"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]), "+f"(c[8]),
          "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]), "+f"(c[16]),
          "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]),
          "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]), "+f"(c[32]),
          "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]), "+f"(c[40]),
          "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]), "+f"(c[48]),
          "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]), "+f"(c[56]),
          "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
        : "l"(a), "l"(b));
}

template <matrix_unit Unit>
__global__ void __launch_bounds__(group) group_chains(float* out, int rounds) {
  __shared__ alignas(128) unsigned factors[(a_bytes + b_bytes) / 4];
  // As bits these are small normal numbers.
  const unsigned small = Unit == matrix_unit::tf32 ? 0x3a800000u : Unit == matrix_unit::f16 ? 0x14001400u : 0x3a803a80u;
  for (int i = threadIdx.x; i < (a_bytes + b_bytes) / 4; i += group)
    factors[i] = small + unsigned(i % 61) * 0x00040002u;
  // Stores of threads are visible to the units that read shared memory by descriptors.
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned long long a = descriptor_of(factors), b = descriptor_of(factors + a_bytes / 4);
  float c[64] = {};
  // Products of a stage follow each other without waiting; other groups of the multiprocessor work during the wait.
  for (int r = 0; r < rounds; ++r) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int s = 0; s < stage; ++s) add_product<Unit>(c, a, b);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float total = 0;
  for (int i = 0; i < 64; ++i) total += c[i];
  if (total == 0.123456789f) out[0] = total;
}

template <matrix_unit Unit>
double launch_groups(void* out, int blocks, int rounds) {
  group_chains<Unit><<<blocks, group>>>(static_cast<float*>(out), rounds);
  constexpr int k = Unit == matrix_unit::tf32 ? 8 : 16;
  return 2.0 * rows * cols * k * stage * double(blocks) * double(rounds);
}

}  // namespace

double launch_group_chains(matrix_unit unit, void* out, int blocks, int rounds) {
  switch (unit) {
    case matrix_unit::tf32: return launch_groups<matrix_unit::tf32>(out, blocks, rounds);
    case matrix_unit::f16: return launch_groups<matrix_unit::f16>(out, blocks, rounds);
    case matrix_unit::bf16: return launch_groups<matrix_unit::bf16>(out, blocks, rounds);
    case matrix_unit::f64: break;
  }
  return 0;
}

}  // namespace tessera::bench::device
