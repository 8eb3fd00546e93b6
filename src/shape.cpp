// SPDX-License-Identifier: BSD-3-Clause
// Extents as text, and the checks of run-time sizes.
#include <tessera/shape.hpp>

#include <algorithm>
#include <cstdlib>

namespace tessera {

namespace {

// Both throw the same error: a result that does not fit index_t, and one whose offset in bytes would not fit.
bool multiply_leaves(index_t a, index_t b, index_t* product) {
  return __builtin_mul_overflow(a, b, product) || *product > max_reach;
}

}  // namespace

std::string text_of(const index_t* extent, int rank) {
  if (rank == 0) return "scalar";
  std::string text;
  for (int d = 0; d < rank; ++d) text += (d > 0 ? "x" : "") + std::to_string(extent[d]);
  return text;
}

void check_extents(const char* operation, const index_t* extent, int rank) {
  index_t product = 1;
  for (int d = 0; d < rank; ++d) {
    if (extent[d] < 0)
      throw error(std::string(operation) + ": negative extent in " + text_of(extent, rank), status::overflow);
    // An extent of 0 must not hide an overflow of the others: strides are products of them.
    if (multiply_leaves(product, std::max<index_t>(extent[d], 1), &product))
      throw error(std::string(operation) + ": extents " + text_of(extent, rank) + " overflow 63 bits of bytes",
                  status::overflow);
  }
}

void check_leading(const char* operation, const index_t* extent, int rank, int at, index_t leading) {
  index_t product = std::max<index_t>(leading, 1);
  bool fits = leading >= 0 && leading <= max_reach;
  for (int d = 0; d < rank; ++d)
    fits = fits && (d == at || !multiply_leaves(product, std::max<index_t>(extent[d], 1), &product));
  if (!fits)
    throw error(std::string(operation) + ": leading dimension " + std::to_string(leading) + " over extents " +
                    text_of(extent, rank) + " is negative or overflows 63 bits of bytes",
                status::overflow);
}

void check_strides(const char* operation, const index_t* extent, const index_t* stride, int rank) {
  index_t far = 0;
  for (int d = 0; d < rank; ++d) {
    if (extent[d] <= 1) continue;
    index_t reach = 0;
    const bool is_near = -max_reach <= stride[d] && stride[d] <= max_reach;
    if (!is_near || multiply_leaves(extent[d] - 1, std::abs(stride[d]), &reach) || (far += reach) > max_reach)
      throw error(std::string(operation) + ": stride " + std::to_string(stride[d]) + " over extents " +
                      text_of(extent, rank) + " overflows 63 bits of bytes",
                  status::overflow);
  }
}

void check_forward(const char* operation, const index_t* extent, const index_t* stride, int rank) {
  for (int d = 0; d < rank; ++d)
    if (extent[d] > 1 && stride[d] < 0)
      throw error(std::string(operation) + ": stride " + std::to_string(stride[d]) + " over extents " +
                  text_of(extent, rank) + " is negative, but its memory begins with the first entry; a view may be " +
                  "reversed");
}

void check_batch(const char* operation, index_t count, index_t stride, const std::string& extents) {
  index_t reach = 0;
  const bool negative = count < 0 || stride < 0;
  if (negative || multiply_leaves(count, stride, &reach))
    throw error(std::string(operation) + ": batch of " + std::to_string(count) + " tensors of extents " + extents +
                    ", stride " + std::to_string(stride) + (negative ? ": negative" : ": overflows 63 bits of bytes"),
                status::overflow);
}

shape::shape(const index_t* extent, int rank) : rank_(rank) {
  if (rank < 0 || rank > max_rank)
    throw error("shape: rank " + std::to_string(rank) + ", not in 0.." + std::to_string(max_rank));
  if (rank > 0 && extent == nullptr)
    throw error("shape: a null pointer for " + std::to_string(rank) + " extents", status::null_pointer);
  for (int d = 0; d < rank; ++d) extent_[d] = extent[d];
}

void check_same(const char* operation, const shape& a, const shape& b) {
  if (!(a == b))
    throw error(std::string(operation) + ": extents " + text_of(a) + " and " + text_of(b) + " differ",
                status::shape_mismatch);
}

}  // namespace tessera
