// SPDX-License-Identifier: BSD-3-Clause
// Running a batch on all threads. The OpenMP directives are inside the library: callers need no flags.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Work below this stays on the calling thread: an OpenMP region costs about half a microsecond.
inline constexpr double serial_flops = 5e4;

/// How many threads are taken where `wanted` are asked for, 0 being as many as OpenMP would take: no more than OpenMP's
/// thread limit, and than 16 or the processors of the machine, whichever is more. Others would only wait for a
/// processor, and OpenMP ends a process that the system gives no more threads.
int useful_threads(int wanted = 0);

/// Into how many chunks for_batch_chunks splits `count` entries now: one a thread, at least 1. Inside a parallel region
/// 1, unless a number of threads is wanted.
index_t batch_chunks(index_t count, int wanted = 0);

/// run(context, first, last) over [0, count) in contiguous chunks, one a thread. Inside a parallel region: one chunk.
/// Rethrows what one of them throws; the others are run to their ends.
void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context);

/// The same in so many chunks, with the number of each, from 0 on: run(context, chunk, first, last). Chunks of one
/// number never run at the same time, so that memory for `chunks` of them can be allocated before. Always the same
/// chunks, whatever the number of threads.
void for_batch_chunks(index_t count, index_t chunks,
                      void (*run)(const void* context, index_t chunk, index_t first, index_t last),
                      const void* context);

/// The same for anything that is called as f(first, last).
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
