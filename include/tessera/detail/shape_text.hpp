// SPDX-License-Identifier: BSD-3-Clause
// Extents as text for error messages ("5x3x6"), and checks of sizes.
#pragma once

#include <string>

#include <tessera/core/extents.hpp>

namespace tessera {

/// "5x3x6"; "scalar" for rank 0.
std::string text_of(const index_t* extent, int rank);

template <index_t... E>
std::string text_of(const extents<E...>& e) {
  index_t extent[max_rank]{};
  for (int d = 0; d < e.rank(); ++d) extent[d] = e(d);
  return text_of(extent, e.rank());
}

/// Throws status::overflow where an extent is negative or the product exceeds max_reach, naming operation and extents.
void check_extents(const char* operation, const index_t* extent, int rank);

/// Throws where a leading dimension, in place of extent `at`, is negative or the product exceeds max_reach.
void check_leading(const char* operation, const index_t* extent, int rank, int at, index_t leading);

/// Throws where the distance of the lowest entry to the highest one exceeds max_reach. Strides may be negative or 0.
void check_strides(const char* operation, const index_t* extent, const index_t* stride, int rank);

/// Throws where a stride is negative: of memory that begins with the first entry.
void check_forward(const char* operation, const index_t* extent, const index_t* stride, int rank);

/// Throws on a negative count or stride, and where count x stride exceeds max_reach.
void check_batch(const char* operation, index_t count, index_t stride, const std::string& extents);

/// The same for a shape or extents; text is only made for an error.
template <class Sizes>
  requires requires(const Sizes& s) { text_of(s); }
void check_batch(const char* operation, index_t count, index_t stride, const Sizes& sizes) {
  index_t reach = 0;
  if (count < 0 || stride < 0 || __builtin_mul_overflow(count, stride, &reach) || reach > max_reach)
    check_batch(operation, count, stride, text_of(sizes));
}

}  // namespace tessera
