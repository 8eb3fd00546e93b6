// SPDX-License-Identifier: BSD-3-Clause
// Sums of vectors with factors, and inner products, in the memory of a CPU or a GPU: what time steps are made of.
#pragma once

#include <span>

#include <tessera/core/types.hpp>
#include <tessera/memory.hpp>
#include <tessera/space.hpp>
#include <tessera/stream.hpp>

namespace tessera {

struct scaled_vector {
  double factor = 1;
  const double* vector = nullptr;
};
inline constexpr int most_scaled_vectors = 16;

/// y = x + the sum of factors times vectors of n numbers; x null: without it. y may be x or one of the vectors. Throws
/// for more than most_scaled_vectors, and for null pointers. On a GPU it queues its work in `in`.
void combine(index_t n, const double* x, std::span<const scaled_vector> terms, double* y,
             space_kind space = space_kind::cpu, stream_view in = {});

/// a.b, the same bits for any number of threads and in every run. It keeps memory on a GPU, so that one call of an
/// object follows the other.
class inner_product {
 public:
  /// For vectors of up to `longest` numbers.
  explicit inner_product(index_t longest, space_kind space = space_kind::cpu);
  /// On a GPU it waits for `in`. Throws for more numbers, and for null pointers.
  double operator()(index_t n, const double* a, const double* b, stream_view in = {}) const;

 private:
  index_t longest_;
  space_kind space_;
  buffer result_, partial_;
};

}  // namespace tessera
