// SPDX-License-Identifier: BSD-3-Clause
// Running a batch on all threads. The OpenMP directives are inside the library: callers need no flags.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Work below this stays on the calling thread: an OpenMP region costs about half a microsecond.
inline constexpr double serial_flops = 5e4;

/// The number of threads for a request of `wanted`, 0 being OpenMP's default: at most OpenMP's thread limit, and at
/// most the number of processors or 16, whichever is larger. More would only wait for a processor, and OpenMP ends the
/// process if the system refuses more threads.
int useful_threads(int wanted = 0);

/// The number of chunks into which for_batch_chunks splits `count` entries: one per thread, at least 1. Inside a
/// parallel region 1, unless a number of threads is given.
index_t batch_chunks(index_t count, int wanted = 0);

/// After how many entries of a batch a chunk may end, so that the results of different chunks are on different pages,
/// or else on different lines of the cache, if the first result begins on one: `bytes` from one block of `lanes`
/// results to the next. 1 where chunks would differ by too much.
index_t chunk_grain(index_t count, index_t chunks, index_t bytes, index_t lanes = 1);

/// run(context, first, last) over [0, count) in contiguous chunks, one a thread. Inside a parallel region: one chunk.
/// Rethrows an exception of a chunk after the other chunks have finished.
void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context);

/// The same in `chunks` chunks, numbered from 0: run(context, chunk, first, last). Two chunks of one number never run
/// at the same time, so that memory for each of them can be allocated before. Always the same chunks, whatever the
/// number of threads.
void for_batch_chunks(index_t count, index_t chunks,
                      void (*run)(const void* context, index_t chunk, index_t first, index_t last),
                      const void* context);

/// run(context, first, last) over [0, count) in at most `chunks` chunks, which begin as chunk_grain allows.
void for_result_chunks(index_t count, index_t chunks, index_t bytes, index_t lanes,
                       void (*run)(const void* context, index_t first, index_t last), const void* context);

/// The same for anything that is called as f(first, last).
template <class F>
void for_result_chunks(index_t count, index_t chunks, index_t bytes, index_t lanes, const F& f) {
  for_result_chunks(
      count, chunks, bytes, lanes,
      [](const void* context, index_t first, index_t last) { (*static_cast<const F*>(context))(first, last); }, &f);
}
template <class F>
void for_batch_chunks(index_t count, const F& f) {
  for_batch_chunks(
      count, [](const void* context, index_t first, index_t last) { (*static_cast<const F*>(context))(first, last); },
      &f);
}

/// And as f(chunk, first, last): for_batch_chunks(count, batch_chunks(count), f).
template <class F>
void for_batch_chunks(index_t count, index_t chunks, const F& f) {
  for_batch_chunks(
      count, chunks,
      [](const void* context, index_t chunk, index_t first, index_t last) {
        (*static_cast<const F*>(context))(chunk, first, last);
      },
      &f);
}

}  // namespace tessera
