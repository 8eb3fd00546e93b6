// SPDX-License-Identifier: BSD-3-Clause
// A matrix product C = A B + C as a model: bytes, arithmetic intensity with and without padding, the largest that fits.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::bench::models {

/// C is m x n, the sums have k terms.
struct product_shape {
  index_t m = 0, n = 0, k = 0;
};

/// Each extent rounded up to a multiple of `tile`.
product_shape padded(const product_shape& shape, index_t tile);

/// 2 m n k: the useful ones, without padding.
double product_flops(const product_shape& shape);

/// Reads A, B and C once and writes C once: s (m k + k n + 2 m n) bytes of s = `entry_bytes`.
double product_bytes(const product_shape& shape, index_t entry_bytes);

/// Useful flops per byte where memory holds the padded matrices; tile = 1: without padding.
double product_intensity(const product_shape& shape, index_t entry_bytes, index_t tile = 1);

/// The part of the intensity that padding costs, 0 to 1.
double padding_loss(const product_shape& shape, index_t entry_bytes, index_t tile);

/// Bytes of A, B and C, k x k each: 3 k^2 s.
double square_product_bytes(index_t k, index_t entry_bytes);

/// The largest k whose three matrices fit in `capacity` bytes: floor(sqrt(capacity / (3 s))), exactly; 0 if none fits.
index_t largest_square(index_t capacity, index_t entry_bytes);

}  // namespace tessera::bench::models
