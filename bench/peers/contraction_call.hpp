// SPDX-License-Identifier: BSD-3-Clause
// contraction_call: a contraction of two packed tensors, as peers of the suite tccg are asked for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tessera/core/product_types.hpp>
#include <tessera/core/types.hpp>
#include <tessera/space.hpp>

namespace tessera::bench {

/// How products of float entries are formed: as they are, or by tensor cores in TF32, once or as three products.
enum class product_precision { exact, tf32, tf32x3 };

/// "exact", "tf32", "tf32x3".
const char* name_of(product_precision precision);

/// C = A B + beta C, summed over the letters that C does not have. Every letter is in two of the three.
struct contraction_call {
  product_types type = scalar_type::f64;
  product_precision precision = product_precision::exact;
  space_kind space = space_kind::cpu;
  std::string letters[3];           // of A, B and C, nearest first
  std::vector<index_t> extents[3];  // of these letters
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  double beta = 0;
  int threads = 1;
  double search_seconds = 5;  // that a peer may spend on choosing among its kernels
  /// Seconds of passes, where the tensors are.
  std::function<double(const std::function<void()>& pass, long passes)> time = {};

  index_t entries(int tensor) const {
    index_t all = 1;
    for (index_t extent : extents[tensor]) all *= extent;
    return all;
  }
};

/// The product of matrices with as many rows, columns and terms: A is m x k, B k x n, C m x n.
struct matrix_shape {
  index_t m = 1, n = 1, k = 1;
};
matrix_shape matrix_shape_of(const contraction_call& call);

/// A pass over a contraction and what chose it; `run` is empty if the peer cannot do the call.
struct contraction_pass {
  std::function<void()> run;
  std::string describe;
  std::string brief = {};  // for tables: the kernel, where a peer has several
};

}  // namespace tessera::bench
