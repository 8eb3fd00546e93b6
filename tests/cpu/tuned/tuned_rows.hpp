// SPDX-License-Identifier: BSD-3-Clause
// Rows whose tunings use the axes that few shipped rows do: a kept panel of A, several products a task, streamed
// results, tails in half a vector.
#pragma once

#include <iterator>
#include <type_traits>

#include <tessera/cpu/detail/gemm_rows.hpp>
#include <tessera/cpu/detail/specialised.hpp>

namespace tessera::testing {

/// Defined in rows_<isa>.cpp for each ISA of this build.
template <target isa>
const isa_rows& compiled_tuned_rows();

/// The rows of `isa`; nullptr where this build lacks it.
const isa_rows* tuned_rows_of(target isa);

struct tuned_size {
  scalar_type type;
  index_t m, n, k;
  cpu_gemm_tuning tuning;
};

inline constexpr scalar_type f32 = scalar_type::f32, f64 = scalar_type::f64;

// row_vectors, columns, unroll_k, plain, keep_left, matrices, stream, half_tail. Few, each in one type: this list sets
// the build time of the test.
inline constexpr tuned_size tuned_sizes[] = {
    {f64, 1, 1, 1, {1, 4, 0, 0, 1, 1, 0}},
    {f32, 1, 1, 1, {1, 4, 0, 0, 0, 8, 1}},
    {f64, 1, 1, 1, {1, 4, 0, 1, 0, 4, 1}},
    {f32, 2, 2, 2, {1, 4, 0, 0, 1, 4, 1}},
    {f64, 2, 2, 2, {1, 4, 0, 0, 0, 2, 1}},
    {f32, 2, 2, 2, {1, 4, 0, 1, 0, 8, 1}},
    {f64, 3, 3, 3, {1, 2, 0, 0, 1, 2, 0}},
    {f32, 3, 3, 3, {1, 4, 0, 0, 0, 1, 1}},
    {f32, 3, 3, 3, {1, 4, 0, 1, 0, 2, 0}},
    {f32, 5, 5, 5, {1, 3, 0, 0, 1, 1, 0}},
    {f64, 5, 5, 5, {4, 1, 0, 0, 1, 2, 1}},
    {f64, 5, 5, 5, {2, 5, 4, 0, 0, 4, 1}},
    {f64, 8, 8, 8, {1, 4, 0, 0, 1, 1, 0}},
    {f32, 8, 8, 8, {4, 3, 0, 0, 1, 1, 1}},
    {f64, 8, 8, 8, {1, 8, 4, 0, 0, 2, 1}},
    {f64, 9, 9, 9, {2, 4, 0, 0, 1, 1, 0}},
    {f32, 9, 9, 9, {2, 3, 4, 0, 0, 2, 1}},
    {f64, 12, 12, 12, {1, 2, 0, 0, 1, 1, 1}},
    {f32, 12, 12, 12, {3, 4, 4, 0, 0, 2, 0}},
    {f32, 16, 16, 16, {2, 4, 0, 0, 1, 1, 0}},
    {f64, 16, 16, 16, {2, 4, 4, 0, 0, 4, 1}},
    // Any n.
    {f64, 3, 0, 2, {1, 3, 0, 0, 1, 2, 1}},
    {f32, 3, 0, 2, {2, 4, 0, 0, 1, 1, 0}},
    {f64, 6, 0, 5, {1, 4, 0, 0, 0, 1, 1}},
    {f32, 9, 0, 8, {2, 3, 0, 0, 1, 1, 1}},
    // The tail in half a vector of AVX-512; in a whole one elsewhere.
    {f64, 3, 3, 3, {1, 3, 0, 0, 0, 2, 1, 1}},
    {f32, 5, 5, 5, {1, 4, 0, 0, 1, 1, 0, 1}},
    {f64, 9, 9, 9, {2, 4, 0, 0, 1, 1, 0, 1}},
    {f64, 12, 12, 12, {2, 4, 4, 0, 0, 1, 1, 1}},
    {f32, 21, 21, 21, {1, 6, 4, 0, 0, 1, 0, 1}},
    {f64, 4, 0, 3, {1, 4, 0, 0, 1, 1, 0, 1}},
    {f64, 10, 0, 3, {2, 3, 0, 0, 1, 1, 1, 1}},
    {f32, 20, 0, 2, {2, 4, 0, 0, 1, 1, 1, 1}},
};

template <class Isa, int i>
constexpr gemm_row make_tuned_row() {
  constexpr tuned_size s = tuned_sizes[i];
  using T = std::conditional_t<s.type == f32, float, double>;
  constexpr problem_function<T> f = &simd::specialised_gemm<Isa, T, s.m, s.n, s.k, s.tuning>;
  gemm_row row{s.m, s.n, s.k, s.type, s.tuning, {}};
  if constexpr (s.type == f32)
    row.run.f32 = f;
  else
    row.run.f64 = f;
  return row;
}

template <class Isa, class Indices>
struct tuned_array;
template <class Isa, int... I>
struct tuned_array<Isa, sequence<I...>> {
  static constexpr gemm_row rows[] = {make_tuned_row<Isa, I>()...};
};

/// The specialised rows alone.
template <class Isa>
constexpr isa_rows make_tuned_rows() {
  isa_rows made;
  made.isa = Isa::name;
  made.specialised = tuned_array<Isa, iota<int(std::size(tuned_sizes))>>::rows;
  return made;
}

}  // namespace tessera::testing
