// SPDX-License-Identifier: BSD-3-Clause
// Kernel of sums of vectors with factors.
#include <tessera/gpu/detail/vector_combination.hpp>

#include "vector_loops.cuh"

namespace tessera::device {

namespace {

struct one_combination {
  vector_combination of;
  __device__ bool begin() { return true; }
  __device__ void operator()(index_t i) const {
    double sum = of.x == nullptr ? 0 : of.x[i];
    for (int k = 0; k < of.count; ++k) sum += of.factors[k] * of.vectors[k][i];
    of.y[i] = sum;
  }
};

}  // namespace

void combine(index_t n, const vector_combination& what, void* stream) {
  queue_for_numbers("a sum of vectors", n, one_combination{what}, stream);
}

}  // namespace tessera::device
