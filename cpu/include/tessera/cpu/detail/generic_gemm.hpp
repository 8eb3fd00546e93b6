// SPDX-License-Identifier: BSD-3-Clause
// The row for any problem: tables multiplied out, strips, interleaved batches, and for the rest packed products.
#pragma once

#include <tessera/cpu/detail/gemm.hpp>
#include <tessera/cpu/detail/interleaved.hpp>
#include <tessera/cpu/detail/strips.hpp>
#include <tessera/cpu/detail/table_product.hpp>

namespace tessera::simd {

namespace detail {

// A batch of more than `cached` bytes is taken to be in memory.
template <class Isa, class T, cpu_gemm_tuning tuning>
[[gnu::noinline]] void any_but_tables(const problem<T>& p, index_t first, index_t last, index_t cached) {
  if (run_in_strips<Isa, T>(p, first, last, cached)) return;
  const auto packed = [&](index_t begin, index_t end) __attribute__((always_inline)) {
    if (begin < end) run_packed<Isa, tuning, T>(p.m, p.n, p.k, job_of<Isa>(p), begin, end);
  };
  if (run_interleaved<Isa>(p, first, last, packed)) return;
  packed(first, last);
}

// The row for any problem.
template <class Isa, class T, cpu_gemm_tuning tuning>
[[gnu::noinline]] void any_gemm(const problem<T>& p, index_t first, index_t last, index_t cached) {
  const table_product<Isa, T> tables(p);
  if (!tables.is_possible()) return any_but_tables<Isa, T, tuning>(p, first, last, cached);
  tables.run([&](const problem<T>& one, const table_form<T>& form) __attribute__((always_inline)) {
    const index_t rest = run_expanded<Isa>(form, first, last);
    if (rest < last) any_but_tables<Isa, T, tuning>(one, rest, last, cached);
  });
}

}  // namespace detail

/// The row for any problem, with its batch there.
template <class Isa, class T, cpu_gemm_tuning tuning, batch_place place>
void generic_gemm(const problem<T>& p, index_t first, index_t last) {
  detail::any_gemm<Isa, T, tuning>(p, first, last, cached_bytes<place>);
}

}  // namespace tessera::simd
