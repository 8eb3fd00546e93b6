// SPDX-License-Identifier: BSD-3-Clause
// Gathering tiles into shared memory through address functors, and scattering results back: coalesced along a chosen
// index.
#pragma once

#include <tessera/gpu/detail/elements.cuh>
#include <tessera/gpu/detail/operand.cuh>

namespace tessera::device {

/// Division of small numbers by one multiplication: exact while dividend x divisor < 2^32.
struct divisor {
  unsigned by = 1, magic = 0;
  divisor() = default;
  constexpr divisor(int n) : by(unsigned(n)), magic(n > 1 ? 0xffffffffu / unsigned(n) + 1 : 0) {}
  __device__ unsigned quotient(unsigned x) const { return by > 1 ? __umulhi(x, magic) : x; }
};

/// The tile of one operand: `products` matrices of rows x cols entries in shared memory.
struct tile_shape {
  divisor rows, cols, products;
};

struct entry_index {
  int r, c, g;
};

__device__ inline entry_index entry_at(unsigned e, walk order, const tile_shape& tile) {
  // By value: selecting between references would put the tile into local memory.
  const divisor x = order == walk::rows ? tile.rows : order == walk::cols ? tile.cols : tile.products;
  const divisor y = order == walk::rows ? tile.cols : tile.rows;
  const unsigned q = x.quotient(e), i = e - q * x.by, k = y.quotient(q), j = q - k * y.by;
  if (order == walk::rows) return {int(i), int(j), int(k)};
  if (order == walk::cols) return {int(j), int(i), int(k)};
  return {int(j), int(k), int(i)};
}

/// The type of an operand's entries in shared memory, and their conversion for a sum in T: T and no conversion, unless
/// the operand defines others.
template <class Operand, class T>
struct staged {
  using entry = T;
  __device__ static T summand(const Operand&, const T& value) { return value; }
};

// Loads in flight per thread before the first one is used.
inline constexpr int flight = 4;

/// shared(r, c, g) = operand(origin(g) + (r, c)). `where(g)` is the window of product g.
template <class T, class Operand, class Where>
__device__ void gather(T* shared, const slot& s, const Operand& from, const tile_shape& tile, int products,
                       Where where) {
  const unsigned count =
      tile.rows.by * tile.cols.by * (from.order == walk::products ? tile.products.by : unsigned(products));
  for (unsigned first = threadIdx.x; first < count; first += flight * blockDim.x) {
    T value[flight];
    int at[flight];
#pragma unroll
    for (int u = 0; u < flight; ++u) {
      const unsigned e = first + u * blockDim.x;
      at[u] = -1;
      if (e >= count) continue;
      const entry_index i = entry_at(e, from.order, tile);
      if (i.g >= products) continue;
      const auto w = where(i.g);
      if (i.r >= w.rows || i.c >= w.cols) continue;
      at[u] = i.g * s.copy + i.r * s.row + i.c * s.col;
      value[u] = from.load(w.at, w.row + i.r, w.col + i.c);
    }
#pragma unroll
    for (int u = 0; u < flight; ++u)
      if (at[u] >= 0) shared[at[u]] = value[u];
  }
}

/// operand(origin(g) + (r, c)) = shared(r, c, g) + beta operand(...); beta = 0 does not read it.
template <class T, class Entry, class Operand, class Where>
__device__ void scatter(const Entry* shared, const slot& s, const Operand& to, const tile_shape& tile, int products,
                        T beta, Where where) {
  const unsigned count =
      tile.rows.by * tile.cols.by * (to.order == walk::products ? tile.products.by : unsigned(products));
  using entry = typename Operand::value_type;
  for (unsigned first = threadIdx.x; first < count; first += flight * blockDim.x) {
    T value[flight];
    entry* address[flight];
#pragma unroll
    for (int u = 0; u < flight; ++u) {
      const unsigned e = first + u * blockDim.x;
      address[u] = nullptr;
      if (e >= count) continue;
      const entry_index i = entry_at(e, to.order, tile);
      if (i.g >= products) continue;
      const auto w = where(i.g);
      if (i.r >= w.rows || i.c >= w.cols) continue;
      address[u] = to.address(w.at, w.row + i.r, w.col + i.c);
      value[u] = converted<T>(shared[i.g * s.copy + i.r * s.row + i.c * s.col]);
      if (beta != T(0)) value[u] += beta * converted<T>(*address[u]);
    }
#pragma unroll
    for (int u = 0; u < flight; ++u)
      if (address[u]) *address[u] = converted<entry>(value[u]);
  }
}

}  // namespace tessera::device
