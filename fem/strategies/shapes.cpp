// SPDX-License-Identifier: BSD-3-Clause
// Shapes of tensor-product elements and the checks of arguments.
#include "shapes.hpp"

#include <cstdint>
#include <string>

namespace tessera::fem::detail {

shape box(const std::vector<int>& n) {
  index_t extent[max_rank]{};
  for (std::size_t a = 0; a < n.size(); ++a) extent[a] = n[a];
  return shape(extent, static_cast<int>(n.size()));
}

shape cube(int dim, int n) { return box(std::vector<int>(static_cast<std::size_t>(dim), n)); }
shape matrix_cube(int dim, int n) { return cube(2 * dim, n); }

operand shaped(const char* operation, const char* argument, const operand& given, const shape& sizes, index_t count) {
  const std::string text = std::string(operation) + ": " + argument + " is " + text_of(given) +
                           ", needed is a batch of " + std::to_string(count) + " packed tensors of extents " +
                           text_of(sizes);
  bool fits = given.batched && !given.grouped && given.count == count && given.entries() == sizes.size();
  index_t packed_stride = 1;
  for (int a = 0; a < given.facts.rank && fits; ++a) {
    fits = given.facts.affine && (given.facts.extent[a] == 1 || given.facts.stride[a] == packed_stride);
    packed_stride *= given.facts.extent[a];
  }
  if (!fits || given.lanes != 1) throw error(text, status::shape_mismatch);
  if (given.data == nullptr && count > 0) throw error(text + "; it is a null pointer", status::null_pointer);
  operand result = given;
  result.facts.rank = sizes.rank();
  index_t stride = 1;
  for (int a = 0; a < sizes.rank(); ++a) {
    result.facts.extent[a] = sizes(a);
    result.facts.stride[a] = stride;
    stride *= sizes(a);
  }
  return result;
}

void check_apart(const char* operation, const operand& x, const operand& y) {
  const auto first = [](const operand& o) { return reinterpret_cast<std::uintptr_t>(o.data); };
  const auto last = [&](const operand& o) { return first(o) + static_cast<std::uintptr_t>(o.reach()) * o.entry_bytes; };
  if (first(x) < last(y) && first(y) < last(x))
    throw error(std::string(operation) + ": input " + text_of(x) + " and output " + text_of(y) + " overlap",
                status::overlap);
}

}  // namespace tessera::fem::detail
