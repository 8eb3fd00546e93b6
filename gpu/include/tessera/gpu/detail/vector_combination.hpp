// SPDX-License-Identifier: BSD-3-Clause
// A vector plus others with factors.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera::device {

struct vector_combination {
  static constexpr int most = 16;
  const double* x = nullptr;  // null: 0
  double* y = nullptr;
  int count = 0;
  double factors[most] = {};
  const double* vectors[most] = {};
};

/// Queues y = x + the sum of factors times vectors.
void combine(index_t n, const vector_combination& what, void* stream);

}  // namespace tessera::device
