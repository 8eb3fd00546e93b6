// SPDX-License-Identifier: BSD-3-Clause
// Chunks of a batch on several threads: each entry once, and what a chunk throws reaches the caller.
#include <tessera/cpu/detail/parallel.hpp>

#include <omp.h>

#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing/catch.hpp"

namespace {

using tessera::index_t;

/// While it lives, OpenMP takes so many threads.
struct threads_for_now {
  int before = omp_get_max_threads();
  explicit threads_for_now(int threads) { omp_set_num_threads(threads); }
  ~threads_for_now() { omp_set_num_threads(before); }
};

/// f(first, last) for the chunks of [0, count), on so many threads.
template <class F>
void on_threads(int threads, index_t count, const F& f) {
  const threads_for_now set(threads);
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

TEST_CASE("numbered chunks: as many as told, each entry once, on any number of threads", "[cpu][parallel]") {
  for (const int threads : {1, 2, 5})
    for (const index_t chunks : {1, 2, 3, 8})
      for (const index_t count : {0, 1, 2, 7, 100}) {
        const threads_for_now set(threads);
        std::vector<std::atomic<int>> times(std::size_t(count) + 1);
        std::vector<index_t> sizes(std::size_t(chunks), -1);  // each written by its own chunk
        tessera::for_batch_chunks(count, chunks, [&](index_t chunk, index_t first, index_t last) {
          sizes[std::size_t(chunk)] = last - first;
          for (index_t i = first; i < last; ++i) ++times[std::size_t(i)];
        });
        INFO(count << " entries in " << chunks << " chunks on " << threads << " threads");
        for (index_t i = 0; i < count; ++i) CHECK(times[std::size_t(i)] == 1);
        for (const index_t size : sizes) CHECK((size == count / chunks || size == (count + chunks - 1) / chunks));
      }
}

TEST_CASE("what a numbered chunk throws reaches the caller", "[cpu][parallel]") {
  for (const index_t chunks : {1, 2, 5}) {
    std::atomic<int> run = 0;
    const auto f = [&](index_t chunk, index_t, index_t) {
      ++run;
      if (chunk == 0) throw std::bad_alloc();
    };
    CHECK_THROWS_AS(tessera::for_batch_chunks(20, chunks, f), std::bad_alloc);
    CHECK(run == chunks);
  }
}

TEST_CASE("chunks of more entries than products of 63 bits hold", "[cpu][parallel]") {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  std::vector<index_t> starts(9, -1);
  tessera::for_batch_chunks(most, 8, [&](index_t chunk, index_t first, index_t last) {
    starts[std::size_t(chunk)] = first;
    if (chunk == 7) starts[8] = last;
  });
  for (index_t chunk = 0; chunk < 8; ++chunk)
    CHECK(starts[std::size_t(chunk)] == most / 8 * chunk + most % 8 * chunk / 8);
  CHECK(starts[8] == most);
}

TEST_CASE("as many chunks as entries and threads, one inside a parallel region", "[cpu][parallel]") {
  const threads_for_now set(3);
  CHECK(tessera::batch_chunks(0) == 1);
  CHECK(tessera::batch_chunks(2) == 2);
  CHECK(tessera::batch_chunks(100) == 3);
  CHECK(tessera::batch_chunks(100, 5) == 5);
  index_t inside = 0;
#pragma omp parallel num_threads(2)
  {
    const index_t chunks = tessera::batch_chunks(100);
#pragma omp atomic
    inside += chunks;
  }
  CHECK(inside == 2);
}

TEST_CASE("more threads than any machine has are not taken", "[cpu][parallel]") {
  CHECK(tessera::useful_threads(1) == 1);
  CHECK(tessera::useful_threads(7) == 7);
  const int most = tessera::useful_threads(100'000);
  CHECK(most >= 16);
  CHECK(most < 100'000);
  const threads_for_now set(100'000);
  CHECK(tessera::useful_threads() == most);
  CHECK(tessera::batch_chunks(1'000'000) == most);
  std::atomic<index_t> entries = 0;
  tessera::for_batch_chunks(1'000'000, [&](index_t first, index_t last) { entries += last - first; });
  tessera::for_batch_chunks(1'000'000, 1000, [&](index_t, index_t first, index_t last) { entries += last - first; });
  CHECK(entries == 2'000'000);
}

TEST_CASE("chunks of results end on pages, or on lines, if they stay even", "[cpu][parallel]") {
  using tessera::chunk_grain;
  CHECK(chunk_grain(100'000, 2, 128) == 32);  // 4 x 4 doubles: 32 in a page
  CHECK(chunk_grain(1000, 2, 128) == 1);      // lines, of which one has less than a result
  CHECK(chunk_grain(1000, 2, 72) == 8);       // 3 x 3 doubles: 9 lines
  CHECK(chunk_grain(100, 2, 72) == 1);        // 6 grains in a chunk
  CHECK(chunk_grain(1'000'000, 2, 72) == 512);
  CHECK(chunk_grain(100'000, 2, 8 * 72, 8) == 8 * 64);
  CHECK(chunk_grain(1000, 2, 8 * 72, 8) == 8);  // whole blocks of lanes
  CHECK(chunk_grain(1000, 2, 4096) == 1);
  CHECK(chunk_grain(1000, 2, 0) == 1);  // groups
  CHECK(chunk_grain(1000, 2, 8, std::numeric_limits<index_t>::max() / 2) == 1);
  CHECK(chunk_grain(0, 2, 8) == 1);
}

TEST_CASE("result chunks have every entry once, and begin on lines", "[cpu][parallel]") {
  for (const int threads : {1, 2, 5})
    for (const index_t count : {0, 1, 7, 1000, 100'003})
      for (const index_t bytes : {72, 128, 40}) {
        const threads_for_now set(threads);
        std::vector<std::atomic<int>> times(std::size_t(count) + 1);
        std::atomic<int> inside_lines = 0, chunks = 0;
        tessera::for_result_chunks(count, threads, bytes, 1, [&](index_t first, index_t last) {
          ++chunks;
          inside_lines += int(first * bytes % 64 != 0);
          for (index_t i = first; i < last; ++i) ++times[std::size_t(i)];
        });
        INFO(count << " entries on " << threads << " threads");
        index_t wrong = 0;
        for (index_t i = 0; i < count; ++i) wrong += times[std::size_t(i)] != 1;
        CHECK(wrong == 0);
        CHECK(chunks == threads);
        if (count >= 1000) CHECK(inside_lines == 0);
      }
}
