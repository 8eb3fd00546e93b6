// SPDX-License-Identifier: BSD-3-Clause
// Bytes and intensities of matrix products.
#include "models/product_model.hpp"

#include "models/require.hpp"

namespace tessera::bench::models {

namespace {

constexpr index_t most_extent = index_t(1) << 40;  // k^2 s has to stay below 2^127, and a double is exact to 2^53

void require_extent(const char* argument, index_t value) {
  if (value < 1 || value > most_extent) refuse("matrix product", argument, double(value), "between 1 and 2^40");
}

void require_shape(const product_shape& shape) {
  require_extent("m", shape.m);
  require_extent("n", shape.n);
  require_extent("k", shape.k);
}

void require_entry(index_t bytes) {
  if (bytes < 1 || bytes > 64) refuse("matrix product", "the size of an entry in bytes", double(bytes), "1 to 64");
}

index_t round_up(index_t extent, index_t tile) { return (extent + tile - 1) / tile * tile; }

}  // namespace

product_shape padded(const product_shape& shape, index_t tile) {
  require_shape(shape);
  require_extent("the tile", tile);
  return {round_up(shape.m, tile), round_up(shape.n, tile), round_up(shape.k, tile)};
}

double product_flops(const product_shape& shape) {
  require_shape(shape);
  return 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
}

double product_bytes(const product_shape& shape, index_t entry_bytes) {
  require_shape(shape);
  require_entry(entry_bytes);
  const double m = double(shape.m), n = double(shape.n), k = double(shape.k);
  return double(entry_bytes) * (m * k + k * n + 2 * m * n);
}

double product_intensity(const product_shape& shape, index_t entry_bytes, index_t tile) {
  return product_flops(shape) / product_bytes(padded(shape, tile), entry_bytes);
}

double padding_loss(const product_shape& shape, index_t entry_bytes, index_t tile) {
  return 1 - product_intensity(shape, entry_bytes, tile) / product_intensity(shape, entry_bytes);
}

double square_product_bytes(index_t k, index_t entry_bytes) {
  require_extent("k", k);
  require_entry(entry_bytes);
  return 3.0 * double(k) * double(k) * double(entry_bytes);
}

index_t largest_square(index_t capacity, index_t entry_bytes) {
  require_entry(entry_bytes);
  if (capacity < 0) refuse("largest square product", "the capacity in bytes", double(capacity), "at least 0");
  const index_t squares = capacity / (3 * entry_bytes);  // k^2 is at most that
  index_t low = 0, high = index_t(1) << 31;
  while (high - low > 1) {
    const index_t middle = low + (high - low) / 2;
    (middle <= squares / middle ? low : high) = middle;
  }
  return low;
}

}  // namespace tessera::bench::models
