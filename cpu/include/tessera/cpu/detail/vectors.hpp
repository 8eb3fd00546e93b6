// SPDX-License-Identifier: BSD-3-Clause
// Loops over vectors in host memory for solvers, on all threads: each reads and writes its vectors once.
// Sums go by blocks of fixed size and lanes of fixed number, in double: the same bits for any number of threads.
#pragma once

#include <array>

#include <tessera/core/types.hpp>

namespace tessera::detail {

/// Of a sum of n terms: a number for each block of them.
index_t blocks_of_sum(index_t n);
/// a[0] + ... + a[n - 1]; `of_blocks` has memory for blocks_of_sum(n) numbers, so that nothing can fail.
double sum(index_t n, const double* a, double* of_blocks);
/// a.b
template <class T>
double dot(index_t n, const T* a, const T* b);
template <class T>
double dot(index_t n, const T* a, const T* b, double* of_blocks);
/// {r.z, q.z}
template <class T>
std::array<double, 2> two_dots(index_t n, const T* r, const T* q, const T* z);

/// r = b - q, or r = b where q is null. {b.b, r.r, r.(d r)}; d null: the last is r.r.
template <class T>
std::array<double, 3> start_residual(index_t n, const T* b, const T* q, const T* d, T* r);
/// r -= alpha q. {r.r, r.(d r)}
template <class T>
std::array<double, 2> update_residual(index_t n, double alpha, const T* q, const T* d, T* r);
/// p = d z; d null: p = z.
template <class T>
void first_direction(index_t n, const T* d, const T* z, T* p);
/// x += alpha p and, if `next`, p = d z + beta p; d null: p = z + beta p.
template <class T>
void update_direction(index_t n, double alpha, double beta, bool next, const T* d, const T* z, T* p, T* x);

/// y = s d x
template <class T>
void multiply(index_t n, double s, const T* d, const T* x, T* y);
/// step = a before + b d (r - q), z += step. `before` may be `step` or z.
template <class T>
void chebyshev_step(index_t n, double a, double b, const T* d, const T* r, const T* q, const T* before, T* step, T* z);
/// y = x, rounded
template <class From, class To>
void convert(index_t n, const From* x, To* y);

}  // namespace tessera::detail
