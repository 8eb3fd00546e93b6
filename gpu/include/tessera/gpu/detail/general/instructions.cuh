// SPDX-License-Identifier: BSD-3-Clause
// The instructions of general contractions' kernels that C++ does not have. Tests on a host have functions of the same
// names.
#pragma once

#include <tessera/core/half.hpp>

namespace tessera::device {

__device__ inline unsigned shared_address(const char* shared) { return unsigned(__cvta_generic_to_shared(shared)); }

template <int bytes>
__device__ void copy_to_shared(unsigned to, const char* from, bool inside) {
  static_assert(bytes == 16 || bytes == 8 || bytes == 4 || bytes == 2);
  const int there = inside ? bytes : 0;
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there) : "memory");
  } else if constexpr (bytes == 2) {  // less than an asynchronous copy takes
    const unsigned short value = inside ? *reinterpret_cast<const unsigned short*>(from) : (unsigned short)(0);
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(to), "h"(value) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes), "r"(there)
                 : "memory");
  }
}
__device__ inline void end_stage() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until at most so many of the latest stages are under way.
template <int stages>
__device__ void wait_for_stages() {
  asm volatile("cp.async.wait_group %0;" ::"n"(stages) : "memory");
}

/// Products of 16 x `depth` by `depth` x 8: lane l has of the left side rows l / 4 and 8 more, of both sides entries
/// l % 4, 4 more, ... of the sum, of the right side column l / 4, and of the result, in rows l / 4 and 8 more, columns
/// 2 (l % 4) and the next.
template <int depth>
__device__ void multiply_tile(double (&c)[4], const double (&a)[depth / 2], const double (&b)[depth / 4]) {
  static_assert(depth == 4 || depth == 8);
  if constexpr (depth == 4)
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
/// The same of numbers in TF32, as bits.
template <int depth>
__device__ void multiply_tile(float (&c)[4], const unsigned (&a)[depth / 2], const unsigned (&b)[depth / 4]) {
  static_assert(depth == 4 || depth == 8);
  if constexpr (depth == 4)
    asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline unsigned tf32_bits(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}
__device__ inline float number_of(unsigned bits) { return __uint_as_float(bits); }

/// As multiply_tile of numbers, with depth 8 or 16: a word has entries 2 (l % 4) and the next, 8 more, ... of the sum.
template <class Entry, int depth>
__device__ void multiply_halves(float (&c)[4], const unsigned (&a)[depth / 4], const unsigned (&b)[depth / 8]) {
  constexpr bool brain = same_type<Entry, bfloat16>;
  static_assert(depth == 8 || depth == 16);
  if constexpr (depth == 8 && brain)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (depth == 8)
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (brain)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Squares of 8 entries of the sum by 8 lines. Lane l gets of each square two entries of line l / 4 of it. Of square
/// l / 8 it gives the place of 8 numbers that lie side by side: entry l % 8 of the lines, or line l % 8 if those of the
/// sum do.
template <int squares, bool lines_side_by_side>
__device__ void read_squares(unsigned at, unsigned (&to)[squares]) {
  if constexpr (!lines_side_by_side && squares == 4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at));
  else if constexpr (!lines_side_by_side && squares == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "r"(at));
  else if constexpr (!lines_side_by_side)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(to[0]) : "r"(at));
  else if constexpr (squares == 4)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(at));
  else if constexpr (squares == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "r"(at));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(to[0]) : "r"(at));
}

/// Writes 8 or 16 bytes in one access, which the compiler would take apart.
__device__ inline void store_words(void* to, const unsigned (&word)[2]) {
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(word[0]), "r"(word[1]) : "memory");
}
__device__ inline void store_words(void* to, const unsigned (&word)[4]) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word[0]), "r"(word[1]), "r"(word[2]),
               "r"(word[3])
               : "memory");
}

/// threadIdx.x, of which the compiler does not know that it is that: it keeps nothing that it has made of it before.
__device__ inline int thread_found_again() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

/// What a warp has written to the shared memory of its block is seen by all blocks of the cluster.
__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
/// The same place in the shared memory of another block of the cluster.
template <class T>
__device__ const T* of_block(const T* mine, int block) {
  const T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(mine), "r"(block));
  return there;
}

}  // namespace tessera::device
