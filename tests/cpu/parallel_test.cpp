// SPDX-License-Identifier: BSD-3-Clause
// Chunks of a batch on several threads: each entry once, and what a chunk throws reaches the caller.
#include <tessera/cpu/parallel.hpp>

#include <omp.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing/catch.hpp"

namespace {

using tessera::index_t;

/// f(first, last) for the chunks of [0, count), on so many threads.
template <class F>
void on_threads(int threads, index_t count, const F& f) {
  struct restore {
    int threads = omp_get_max_threads();
    ~restore() { omp_set_num_threads(threads); }
  } const before;
  omp_set_num_threads(threads);
  tessera::for_batch_chunks(count, f);
}

}  // namespace

TEST_CASE("chunks have every entry once, in order", "[cpu][parallel]") {
  for (const int threads : {1, 2, 5})
    for (const index_t count : {0, 1, 4, 7, 100}) {
      std::vector<std::atomic<int>> times(std::size_t(count) + 1);
      on_threads(threads, count, [&](index_t first, index_t last) {
        for (index_t i = first; i < last; ++i) ++times[std::size_t(i)];
      });
      INFO(count << " entries on " << threads << " threads");
      for (index_t i = 0; i < count; ++i) CHECK(times[std::size_t(i)] == 1);
      CHECK(times.back() == 0);
    }
}

TEST_CASE("what a chunk throws reaches the caller, and the other chunks are run", "[cpu][parallel]") {
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> chunks = 0;
    std::string words;
    try {
      on_threads(threads, 20, [&](index_t first, index_t last) {
        ++chunks;
        if (last == 20) throw std::runtime_error("the last of " + std::to_string(last - first));
      });
    } catch (const std::runtime_error& e) {
      words = e.what();
    }
    CHECK(words == "the last of " + std::to_string(20 / threads));
    CHECK(chunks == threads);
  }
}
