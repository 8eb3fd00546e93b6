// SPDX-License-Identifier: BSD-3-Clause
// The loops of `peers`: static sizes, one element after the other, threads over elements or rows.
#pragma once

#include "peers.hpp"

namespace tessera::demo {
namespace {  // one copy for each instruction set

// out(s,m,r) (+)= sum over k of T(m,k) in(s,k,r). The innermost loop is over the index that is contiguous in memory.
// `omp simd`: without it g++ 12 unrolls that loop instead of vectorising it, and p = 7 is three times slower.
template <int S, int M, int K, int R, bool add = false>
inline void contract(const double* __restrict T, const double* __restrict in, double* __restrict out) {
  constexpr int inner = S == 1 ? M : S, outer = S == 1 ? 1 : M;
  for (int r = 0; r < R; ++r)
    for (int m = 0; m < outer; ++m) {
      double sum[inner] = {};
      for (int k = 0; k < K; ++k)
#pragma omp simd
        for (int i = 0; i < inner; ++i) {
          if constexpr (S == 1)
            sum[i] += T[i + M * k] * in[k + K * r];
          else
            sum[i] += T[m + M * k] * in[i + S * (k + K * r)];
        }
      double* const to = out + inner * (m + outer * r);
      for (int i = 0; i < inner; ++i) to[i] = add ? to[i] + sum[i] : sum[i];
    }
}

template <int d, int q>
inline void to_points(const double* B, const double* x, double* u) {
  double a[d * d * q], b[d * q * q];
  contract<d * d, q, d, 1>(B, x, a);  // (d,d,q)
  contract<d, q, d, q>(B, a, b);      // (d,q,q)
  contract<1, q, d, q * q>(B, b, u);  // (q,q,q)
}

template <int d, int q>
inline void from_points(const double* B_transposed, const double* u, double* y) {
  double b[d * q * q], a[d * d * q];
  contract<1, d, q, q * q>(B_transposed, u, b);  // (d,q,q)
  contract<d, d, q, q>(B_transposed, b, a);      // (d,d,q)
  contract<d * d, d, q, 1>(B_transposed, a, y);  // (d,d,d)
}

template <int d>
void mass_loop(const plain_tables& t, const double* D, std::int64_t elements, const double* x, double* y) {
  constexpr int q = d + 1, n = d * d * d, points = q * q * q;
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    double u[points];
    to_points<d, q>(t.B, x + n * e, u);
    const double* const own = D + points * e;
    for (int k = 0; k < points; ++k) u[k] *= own[k];
    from_points<d, q>(t.B_transposed, u, y + n * e);
  }
}

template <int d>
void diffusion_loop(const plain_tables& t, const double* D, std::int64_t elements, const double* x, double* y) {
  constexpr int q = d + 1, n = d * d * d, points = q * q * q;
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < elements; ++e) {
    double u[points], g1[points], g2[points], g3[points];
    to_points<d, q>(t.B, x + n * e, u);
    contract<1, q, q, q * q>(t.C, u, g1);
    contract<q, q, q, q>(t.C, u, g2);
    contract<q * q, q, q, 1>(t.C, u, g3);
    const double* const own = D + 6 * points * e;
    for (int k = 0; k < points; ++k) {
      const double a = g1[k], b = g2[k], c = g3[k];
      g1[k] = own[k] * a + own[k + points] * b + own[k + 2 * points] * c;
      g2[k] = own[k + points] * a + own[k + 3 * points] * b + own[k + 4 * points] * c;
      g3[k] = own[k + 2 * points] * a + own[k + 4 * points] * b + own[k + 5 * points] * c;
    }
    contract<1, q, q, q * q>(t.C_transposed, g1, u);
    contract<q, q, q, q, true>(t.C_transposed, g2, u);
    contract<q * q, q, q, 1, true>(t.C_transposed, g3, u);
    from_points<d, q>(t.B_transposed, u, y + n * e);
  }
}

plain_loop mass_of(int p) {
  constexpr plain_loop all[] = {mass_loop<2>, mass_loop<3>, mass_loop<4>, mass_loop<5>,
                                mass_loop<6>, mass_loop<7>, mass_loop<8>, mass_loop<9>};
  return all[p - 1];
}
plain_loop diffusion_of(int p) {
  constexpr plain_loop all[] = {diffusion_loop<2>, diffusion_loop<3>, diffusion_loop<4>, diffusion_loop<5>,
                                diffusion_loop<6>, diffusion_loop<7>, diffusion_loop<8>, diffusion_loop<9>};
  return all[p - 1];
}

void multiply_csr(const csr_view& A, const double* x, double* y) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < A.rows; ++i) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = A.start[i]; k < A.start[i + 1]; ++k) sum += A.value[k] * x[A.column[k]];
    y[i] = sum;
  }
}

constexpr peers peers_for(const char* isa) { return {isa, mass_of, diffusion_of, multiply_csr}; }

}  // namespace
}  // namespace tessera::demo
