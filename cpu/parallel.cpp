// SPDX-License-Identifier: BSD-3-Clause
// Splits a batch among OpenMP threads in contiguous chunks, always the same ones for the same number of threads.
#include <tessera/cpu/detail/parallel.hpp>

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <initializer_list>
#include <numeric>

namespace tessera {

namespace {

constexpr int always_useful_threads = 16;

// The processors of the machine: OpenMP counts those that the calling thread may use, and it can be pinned to one.
int processors() {
  static const int count = std::max(omp_get_num_procs(), int(sysconf(_SC_NPROCESSORS_ONLN)));
  return count;
}

// count * chunk / chunks, whose product may need more than 63 bits.
index_t chunk_start(index_t count, index_t chunk, index_t chunks) {
  return count / chunks * chunk + count % chunks * chunk / chunks;
}

}  // namespace

int useful_threads(int wanted) {
  const int threads = wanted > 0 ? wanted : omp_get_max_threads();
  if (threads <= 1) return 1;
  return std::min({threads, omp_get_thread_limit(), std::max(always_useful_threads, processors())});
}

index_t batch_chunks(index_t count, int wanted) {
  if (count <= 1 || (wanted <= 0 && omp_in_parallel())) return 1;
  return std::min<index_t>(useful_threads(wanted), count);
}

index_t chunk_grain(index_t count, index_t chunks, index_t bytes, index_t lanes) {
  struct border {
    index_t bytes, least_grains;  // in a chunk
  };
  // Chunks differ by at most one grain: 1 and 6 %.
  for (const border& at : {border{4096, 96}, border{64, 16}}) {
    index_t grain = 0;
    if (__builtin_mul_overflow(at.bytes / std::gcd(at.bytes, bytes), lanes, &grain)) continue;
    if (grain <= count / chunks / at.least_grains) return grain;
  }
  return 1;
}

void for_batch_chunks(index_t count, index_t chunks,
                      void (*run)(const void* context, index_t chunk, index_t first, index_t last),
                      const void* context) {
  if (chunks <= 1) return run(context, 0, 0, count);
  std::exception_ptr thrown;  // an exception must not leave a parallel region
  std::atomic<bool> has_thrown = false;
  const auto one = [&](index_t chunk) noexcept {
    try {
      run(context, chunk, chunk_start(count, chunk, chunks), chunk_start(count, chunk + 1, chunks));
    } catch (...) {
      if (!has_thrown.exchange(true)) thrown = std::current_exception();
    }
  };
#pragma omp parallel for num_threads(useful_threads(int(std::min <index_t>(chunks, 1 << 20)))) schedule(static, 1)
  for (index_t chunk = 0; chunk < chunks; ++chunk) one(chunk);
  if (thrown) std::rethrow_exception(thrown);
}

void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context) {
  const index_t chunks = batch_chunks(count);
  if (chunks <= 1) return run(context, 0, count);
  for_batch_chunks(count, chunks, [&](index_t, index_t first, index_t last) { run(context, first, last); });
}

void for_result_chunks(index_t count, index_t chunks, index_t bytes, index_t lanes,
                       void (*run)(const void* context, index_t first, index_t last), const void* context) {
  if (chunks <= 1) return run(context, 0, count);
  const index_t grain = chunk_grain(count, chunks, bytes, lanes);
  for_batch_chunks(count / grain + (count % grain != 0 ? 1 : 0), chunks, [&](index_t, index_t first, index_t last) {
    run(context, first * grain, std::min(last * grain, count));
  });
}

}  // namespace tessera
