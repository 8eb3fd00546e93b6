// SPDX-License-Identifier: BSD-3-Clause
// One large product by OpenBLAS, with threads of its own.
#pragma once

#include <functional>
#include <string>

#include <tessera/core/scalar_type.hpp>
#include <tessera/core/types.hpp>

namespace tessera::bench {

/// C = op(A) op(B) + beta C, column-major and packed, by this many threads; op(A) is m x k, stored k x m if transposed.
struct large_product {
  scalar_type type = scalar_type::f64;
  index_t m = 1, n = 1, k = 1;
  bool trans_a = false, trans_b = false;
  double beta = 0;
  int threads = 1;
};

/// Its version; empty if it was not found.
std::string openblas_version();

/// Empty where it has no function for the type.
std::function<void(const void* a, const void* b, void* c)> by_openblas(const large_product& what);

}  // namespace tessera::bench
