// SPDX-License-Identifier: BSD-3-Clause
// Shares a batch among OpenMP threads in contiguous chunks, always the same ones for as many threads.
#include <tessera/cpu/parallel.hpp>

#include <omp.h>

#include <atomic>
#include <exception>

namespace tessera {

void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context) {
  const index_t most = omp_in_parallel() ? 1 : omp_get_max_threads();
  const index_t threads = most < count ? most : count;
  if (threads <= 1) return run(context, 0, count);
  std::exception_ptr thrown;  // none may leave a parallel region
  std::atomic<bool> has_thrown = false;
  const auto chunk = [&](index_t t) {
    try {
      run(context, count * t / threads, count * (t + 1) / threads);
    } catch (...) {
      if (!has_thrown.exchange(true)) thrown = std::current_exception();
    }
  };
#pragma omp parallel for num_threads(int(threads)) schedule(static, 1)
  for (index_t t = 0; t < threads; ++t) chunk(t);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tessera
