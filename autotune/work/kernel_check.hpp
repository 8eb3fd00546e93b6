// SPDX-License-Identifier: BSD-3-Clause
// Checks a candidate: its results against sums in long double, with the rounding error bound, for difficult operands.
#pragma once

#include <cstdint>
#include <string>

#include <tessera/detail/problem.hpp>

#include "tuning_case.hpp"

namespace tessera::tune {

/// The function of a candidate: batch entries [first, last) of a problem.
template <class T>
using kernel = void (*)(const problem<T>&, index_t first, index_t last);

/// out (m, n) = left (m, k) right (k, n), packed column-major, with `columns` as n of a kernel for any n.
struct product_size {
  index_t m, n, k;
  static product_size of(const tuning_case& c, index_t any_columns) { return {c.m, c.n > 0 ? c.n : any_columns, c.k}; }
};

/// A problem without pointers; batch entries are `c_stride` entries apart in C. Stride 0: one A for the whole batch.
template <class T>
problem<T> packed_problem(const product_size& s, index_t batch, index_t a_stride, index_t c_stride, T alpha, T beta) {
  problem<T> p;
  p.m = s.m;
  p.n = s.n;
  p.k = s.k;
  p.batch = batch;
  p.left[0].batch_stride = a_stride;
  p.right[0].batch_stride = s.k * s.n;
  p.out.batch_stride = c_stride;
  p.left[0].map.row = p.right[0].map.row = p.out.map.row = 1;
  p.left[0].map.col = s.m;
  p.right[0].map.col = s.k;
  p.out.map.col = s.m;
  p.alpha = alpha;
  p.beta = beta;
  return p;
}

/// The same with operands of these layouts, batch entries consecutive.
template <class T>
problem<T> problem_with(const product_size& s, index_t batch, const packed_layouts& layouts, T alpha, T beta) {
  problem<T> p = packed_problem<T>(s, batch, s.m * s.k, s.m * s.n, alpha, beta);
  const auto lay = [](auto& f, packed_layout l, index_t rows, index_t cols) {
    f.map.row = is_by_rows(l) ? cols : 1;
    f.map.col = is_by_rows(l) ? 1 : rows;
    f.batch_stride = is_shared(l) ? 0 : rows * cols;
  };
  lay(p.left[0], layouts.left, s.m, s.k);
  lay(p.right[0], layouts.right, s.k, s.n);
  lay(p.out, layouts.out, s.m, s.n);
  return p;
}

/// A number in [-1, 1) that depends only on its position.
constexpr double value_at(std::uint64_t position) {
  std::uint64_t x = (position + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return double(std::int64_t(x >> 11)) * 0x1p-52 - 1.0;
}

/// Empty if all results are right and nothing else was written; else the fault, in a line.
template <class T>
std::string fault_of(kernel<T> f, const tuning_case& c);

}  // namespace tessera::tune
