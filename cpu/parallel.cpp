// SPDX-License-Identifier: BSD-3-Clause
// Shares a batch among OpenMP threads in contiguous chunks, always the same ones for as many threads.
#include <tessera/cpu/parallel.hpp>

#include <omp.h>

namespace tessera {

void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context) {
  const index_t most = omp_in_parallel() ? 1 : omp_get_max_threads();
  const index_t threads = most < count ? most : count;
  if (threads <= 1) return run(context, 0, count);
#pragma omp parallel for num_threads(int(threads)) schedule(static, 1)
  for (index_t t = 0; t < threads; ++t) run(context, count * t / threads, count * (t + 1) / threads);
}

}  // namespace tessera
