// SPDX-License-Identifier: BSD-3-Clause
// The plain peer: constexpr triple loops over packed matrices, compiled with -O3 -march=native.
#pragma once

#include <algorithm>
#include <utility>

#include "peers/over_batch.hpp"

namespace tessera::bench {

/// One compiled shape of one spelling.
struct plain_row {
  int m, n, k;
  bool trans_a, trans_b, accumulate;
  scalar_type type;
  void (*run)(const gemm_call& call, index_t first, index_t last);
};

using plain_table = const std::vector<plain_row>& (*)();

/// The peer for the calls that have a row in one of these tables.
peer plain_spelling(const char* name, const std::vector<plain_table>& tables);

/// The usual spelling compiled by clang, if another compiler builds this program and clang is present.
peer plain_clang_peer();

// The spellings' tables; each is a translation unit of its own.
const std::vector<plain_row>& plain_column_f64();
const std::vector<plain_row>& plain_column_f32();
const std::vector<plain_row>& plain_simd_f64();
const std::vector<plain_row>& plain_simd_f32();
const std::vector<plain_row>& plain_sum();
const std::vector<plain_row>& plain_clang_f64();
const std::vector<plain_row>& plain_clang_f32();
const std::vector<plain_row>& plain_whole();
const std::vector<plain_row>& plain_complex();
const std::vector<plain_row>& plain_fem_f64();
const std::vector<plain_row>& plain_fem_f32();

namespace {

template <int M, int N, int K, bool TransA, bool TransB>
struct shape_of {
  static constexpr int m = M, n = N, k = K;
  static constexpr bool trans_a = TransA, trans_b = TransB;
  template <class T>
  static T a(const T* p, int i, int l) {
    return p[TransA ? l + K * i : i + M * l];
  }
  template <class T>
  static T b(const T* p, int l, int j) {
    return p[TransB ? j + N * l : l + K * j];
  }
};

/// A column of C in registers: the usual spelling.
struct by_column {
  template <class S, bool Accumulate, class T>
  static void product(const T* __restrict a, const T* __restrict b, T* __restrict c) {
    for (int j = 0; j < S::n; ++j) {
      T column[S::m];
      for (int i = 0; i < S::m; ++i) column[i] = Accumulate ? c[i + S::m * j] : T(0);
      for (int l = 0; l < S::k; ++l)
        for (int i = 0; i < S::m; ++i) column[i] += S::a(a, i, l) * S::b(b, l, j);
      for (int i = 0; i < S::m; ++i) c[i + S::m * j] = column[i];
    }
  }
};

/// The same with the rows marked for SIMD, which keeps g++ from shuffles if n is the length of a vector.
struct by_simd_column {
  template <class S, bool Accumulate, class T>
  static void product(const T* __restrict a, const T* __restrict b, T* __restrict c) {
    for (int j = 0; j < S::n; ++j) {
      T column[S::m];
#pragma omp simd
      for (int i = 0; i < S::m; ++i) column[i] = Accumulate ? c[i + S::m * j] : T(0);
      for (int l = 0; l < S::k; ++l) {
        const T scale = S::b(b, l, j);
#pragma omp simd
        for (int i = 0; i < S::m; ++i) column[i] += S::a(a, i, l) * scale;
      }
#pragma omp simd
      for (int i = 0; i < S::m; ++i) c[i + S::m * j] = column[i];
    }
  }
};

/// One entry of C after the other, each a sum.
struct by_sum {
  template <class S, bool Accumulate, class T>
  static void product(const T* __restrict a, const T* __restrict b, T* __restrict c) {
    for (int j = 0; j < S::n; ++j)
      for (int i = 0; i < S::m; ++i) {
        T sum = Accumulate ? c[i + S::m * j] : T(0);
        for (int l = 0; l < S::k; ++l) sum += S::a(a, i, l) * S::b(b, l, j);
        c[i + S::m * j] = sum;
      }
  }
};

/// All of C in a local array, rank-one updates.
struct by_whole {
  template <class S, bool Accumulate, class T>
  static void product(const T* __restrict a, const T* __restrict b, T* __restrict c) {
    T all[S::n][S::m];
    for (int j = 0; j < S::n; ++j)
      for (int i = 0; i < S::m; ++i) all[j][i] = Accumulate ? c[i + S::m * j] : T(0);
    for (int l = 0; l < S::k; ++l)
      for (int j = 0; j < S::n; ++j)
        for (int i = 0; i < S::m; ++i) all[j][i] += S::a(a, i, l) * S::b(b, l, j);
    for (int j = 0; j < S::n; ++j)
      for (int i = 0; i < S::m; ++i) c[i + S::m * j] = all[j][i];
  }
};

template <class Spelling, class S, bool Accumulate, class T>
void run_range(const gemm_call& call, index_t first, index_t last) {
  const T* const a = static_cast<const T*>(call.a);
  const T* const b = static_cast<const T*>(call.b);
  T* const c = static_cast<T*>(call.c);
  constexpr index_t packed_a = S::m * S::k, packed_b = S::k * S::n, packed_c = S::m * S::n;
  const index_t stride_a = call.stride_a, stride_b = call.stride_b, stride_c = call.stride_c;
  // Constant strides let the compiler vectorise across the smallest products.
  if (call.rounds * call.loops == 1 && stride_a == packed_a && stride_b == packed_b && stride_c == packed_c) {
    for (index_t e = first; e < last; ++e)
      Spelling::template product<S, Accumulate>(a + e * packed_a, b + e * packed_b, c + e * packed_c);
    return;
  }
  const index_t loops = call.loops, loop_a = call.loop_a, loop_b = call.loop_b, loop_c = call.loop_c;
  const index_t rounds = call.rounds, round_a = call.round_a, round_b = call.round_b, round_c = call.round_c;
  for (index_t e = first; e < last; ++e)
    for (index_t r = 0; r < rounds; ++r)
      for (index_t l = 0; l < loops; ++l)
        Spelling::template product<S, Accumulate>(a + e * stride_a + r * round_a + l * loop_a,
                                                  b + e * stride_b + r * round_b + l * loop_b,
                                                  c + e * stride_c + r * round_c + l * loop_c);
}

template <class Spelling, class T, class S>
void append(std::vector<plain_row>& rows) {
  constexpr scalar_type type = scalar_of<T>;
  rows.push_back({S::m, S::n, S::k, S::trans_a, S::trans_b, false, type, run_range<Spelling, S, false, T>});
  rows.push_back({S::m, S::n, S::k, S::trans_a, S::trans_b, true, type, run_range<Spelling, S, true, T>});
}

/// Squares 1..Most, none above TESSERA_LARGEST_PEER.
template <class Spelling, class T, bool TransA, bool TransB, int Most = 32>
void append_squares(std::vector<plain_row>& rows) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (append<Spelling, T, shape_of<I + 1, I + 1, I + 1, TransA, TransB>>(rows), ...);
  }
  (std::make_integer_sequence<int, std::min(Most, TESSERA_LARGEST_PEER)>{});
}

}  // namespace
}  // namespace tessera::bench
