// SPDX-License-Identifier: BSD-3-Clause
// The shape of a contraction as a product of matrices, and names of precisions.
#include "peers/contraction_call.hpp"

namespace tessera::bench {

const char* name_of(product_precision precision) {
  switch (precision) {
    case product_precision::tf32: return "tf32";
    case product_precision::tf32x3: return "tf32x3";
    case product_precision::exact: break;
  }
  return "exact";
}

matrix_shape matrix_shape_of(const contraction_call& call) {
  matrix_shape shape;
  for (std::size_t d = 0; d < call.letters[0].size(); ++d)
    (call.letters[2].find(call.letters[0][d]) == std::string::npos ? shape.k : shape.m) *= call.extents[0][d];
  for (std::size_t d = 0; d < call.letters[1].size(); ++d)
    if (call.letters[2].find(call.letters[1][d]) != std::string::npos) shape.n *= call.extents[1][d];
  return shape;
}

}  // namespace tessera::bench
