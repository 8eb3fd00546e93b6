// SPDX-License-Identifier: BSD-3-Clause
// Loops over vectors, block by block: what a block's loops share stays in cache.
#include <tessera/cpu/detail/vectors.hpp>

#include <algorithm>
#include <vector>

#include <tessera/cpu/detail/parallel.hpp>

namespace tessera::detail {

constexpr index_t block_of_sums = 1024;

index_t blocks_of_sum(index_t n) { return (n + block_of_sums - 1) / block_of_sums; }

namespace {

constexpr int lanes_of_sums = 8;
constexpr index_t serial_numbers = 16384;  // vectors below this stay on the calling thread

// f(block, first, count) for each block.
template <class F>
void for_blocks(index_t n, const F& f) {
  const index_t blocks = blocks_of_sum(n);
  const auto some = [&](index_t begin, index_t end) {
    for (index_t block = begin; block < end; ++block) {
      const index_t first = block * block_of_sums;
      f(block, first, std::min(block_of_sums, n - first));
    }
  };
  if (n < serial_numbers)
    some(0, blocks);
  else
    for_batch_chunks(blocks, some);
}

// The sum of f(first, count) over all blocks, added in the blocks' order. `of`: memory for that of each.
template <class F>
double sum_of_blocks(index_t n, double* of, const F& f) {
  for_blocks(n, [&](index_t block, index_t first, index_t count) { of[block] = f(first, count); });
  double total = 0;
  for (index_t block = 0; block < blocks_of_sum(n); ++block) total += of[block];
  return total;
}
// The same for several sums.
template <std::size_t K, class F>
std::array<double, K> sums_of_blocks(index_t n, const F& f) {
  std::vector<std::array<double, K>> of(std::size_t(blocks_of_sum(n)));
  for_blocks(n, [&](index_t block, index_t first, index_t count) { of[std::size_t(block)] = f(first, count); });
  std::array<double, K> total{};
  for (const std::array<double, K>& one : of)
    for (std::size_t k = 0; k < K; ++k) total[k] += one[k];
  return total;
}

// The sum of term(i), i < count, lane by lane.
template <class Term>
double lane_sums(index_t count, const Term& term) {
  double sum[lanes_of_sums] = {};
  index_t i = 0;
  for (; i + lanes_of_sums <= count; i += lanes_of_sums)
    for (int l = 0; l < lanes_of_sums; ++l) sum[l] += term(i + l);
  for (int l = 0; i < count; ++i, ++l) sum[l] += term(i);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}
template <class T>
double block_dot(index_t count, const T* a, const T* b) {
  return lane_sums(count, [=](index_t i) { return double(a[i]) * double(b[i]); });
}
// r.(d r), with d r as it is stored; r.r is `without`.
template <class T>
double block_dot(index_t count, const T* d, const T* r, double without) {
  if (d == nullptr) return without;
  return lane_sums(count, [=](index_t i) { return double(r[i]) * double(T(d[i] * r[i])); });
}
template <class T>
const T* shifted(const T* d, index_t first) {
  return d == nullptr ? nullptr : d + first;
}

}  // namespace

double sum(index_t n, const double* a, double* of_blocks) {
  return sum_of_blocks(n, of_blocks, [=](index_t first, index_t count) {
    return lane_sums(count, [=](index_t i) { return a[first + i]; });
  });
}

template <class T>
double dot(index_t n, const T* a, const T* b, double* of_blocks) {
  return sum_of_blocks(n, of_blocks,
                       [=](index_t first, index_t count) { return block_dot(count, a + first, b + first); });
}
template <class T>
double dot(index_t n, const T* a, const T* b) {
  std::vector<double> of_blocks(std::size_t(blocks_of_sum(n)));
  return dot(n, a, b, of_blocks.data());
}

template <class T>
std::array<double, 2> two_dots(index_t n, const T* r, const T* q, const T* z) {
  return sums_of_blocks<2>(n, [=](index_t first, index_t count) {
    return std::array<double, 2>{block_dot(count, r + first, z + first), block_dot(count, q + first, z + first)};
  });
}

template <class T>
std::array<double, 3> start_residual(index_t n, const T* b, const T* q, const T* d, T* r) {
  return sums_of_blocks<3>(n, [=](index_t first, index_t count) {
    const T *const bb = b + first, *const qq = shifted(q, first);
    T* const rr = r + first;
    if (qq == nullptr)
      std::copy_n(bb, count, rr);
    else
      for (index_t i = 0; i < count; ++i) rr[i] = bb[i] - qq[i];
    const double norm = block_dot(count, rr, rr);
    return std::array<double, 3>{block_dot(count, bb, bb), norm, block_dot(count, shifted(d, first), rr, norm)};
  });
}

template <class T>
std::array<double, 2> update_residual(index_t n, double alpha, const T* q, const T* d, T* r) {
  const T a = T(alpha);
  return sums_of_blocks<2>(n, [=](index_t first, index_t count) {
    const T* const qq = q + first;
    T* const rr = r + first;
    for (index_t i = 0; i < count; ++i) rr[i] -= a * qq[i];
    const double norm = block_dot(count, rr, rr);
    return std::array<double, 2>{norm, block_dot(count, shifted(d, first), rr, norm)};
  });
}

template <class T>
void first_direction(index_t n, const T* d, const T* z, T* p) {
  for_blocks(n, [=](index_t, index_t first, index_t count) {
    if (d == nullptr)
      std::copy_n(z + first, count, p + first);
    else
      for (index_t i = first; i < first + count; ++i) p[i] = d[i] * z[i];
  });
}

template <class T>
void update_direction(index_t n, double alpha, double beta, bool next, const T* d, const T* z, T* p, T* x) {
  const T a = T(alpha), b = T(beta);
  for_blocks(n, [=](index_t, index_t first, index_t count) {
    const T *const dd = shifted(d, first), *const zz = z + first;
    T *const pp = p + first, *const xx = x + first;
    for (index_t i = 0; i < count; ++i) xx[i] += a * pp[i];
    if (!next) return;
    if (dd == nullptr)
      for (index_t i = 0; i < count; ++i) pp[i] = zz[i] + b * pp[i];
    else
      for (index_t i = 0; i < count; ++i) pp[i] = dd[i] * zz[i] + b * pp[i];
  });
}

template <class T>
void multiply(index_t n, double s, const T* d, const T* x, T* y) {
  const T scale = T(s);
  for_blocks(n, [=](index_t, index_t first, index_t count) {
    for (index_t i = first; i < first + count; ++i) y[i] = scale * (d[i] * x[i]);
  });
}

template <class T>
void chebyshev_step(index_t n, double a, double b, const T* d, const T* r, const T* q, const T* before, T* step, T* z) {
  const T of_before = T(a), of_residual = T(b);
  for_blocks(n, [=](index_t, index_t first, index_t count) {
    for (index_t i = first; i < first + count; ++i) {
      const T next = of_before * before[i] + of_residual * (d[i] * (r[i] - q[i]));
      step[i] = next;
      z[i] += next;
    }
  });
}

template <class From, class To>
void convert(index_t n, const From* x, To* y) {
  for_blocks(n, [=](index_t, index_t first, index_t count) {
    for (index_t i = first; i < first + count; ++i) y[i] = To(x[i]);
  });
}

template double dot(index_t, const float*, const float*);
template double dot(index_t, const float*, const float*, double*);
template std::array<double, 2> two_dots(index_t, const float*, const float*, const float*);
template std::array<double, 3> start_residual(index_t, const float*, const float*, const float*, float*);
template std::array<double, 2> update_residual(index_t, double, const float*, const float*, float*);
template void first_direction(index_t, const float*, const float*, float*);
template void update_direction(index_t, double, double, bool, const float*, const float*, float*, float*);
template void multiply(index_t, double, const float*, const float*, float*);
template void chebyshev_step(index_t, double, double, const float*, const float*, const float*, const float*, float*,
                             float*);
template double dot(index_t, const double*, const double*);
template double dot(index_t, const double*, const double*, double*);
template std::array<double, 2> two_dots(index_t, const double*, const double*, const double*);
template std::array<double, 3> start_residual(index_t, const double*, const double*, const double*, double*);
template std::array<double, 2> update_residual(index_t, double, const double*, const double*, double*);
template void first_direction(index_t, const double*, const double*, double*);
template void update_direction(index_t, double, double, bool, const double*, const double*, double*, double*);
template void multiply(index_t, double, const double*, const double*, double*);
template void chebyshev_step(index_t, double, double, const double*, const double*, const double*, const double*,
                             double*, double*);
template void convert(index_t, const double*, float*);
template void convert(index_t, const float*, double*);

}  // namespace tessera::detail
