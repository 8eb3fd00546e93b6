// SPDX-License-Identifier: BSD-3-Clause
// Running a batch on all threads. The OpenMP directives are inside the library: callers need no flags.
#pragma once

#include <tessera/core/types.hpp>

namespace tessera {

/// Work below this stays on the calling thread: an OpenMP region costs about half a microsecond.
inline constexpr double serial_flops = 5e4;

/// run(context, first, last) over [0, count) in contiguous chunks, one a thread. Inside a parallel region: one chunk.
/// Rethrows what one of them throws; the others are run to their ends.
void for_batch_chunks(index_t count, void (*run)(const void* context, index_t first, index_t last),
                      const void* context);

/// The same for anything that is called as f(first, last).
template <class F>
void for_batch_chunks(index_t count, const F& f) {
  for_batch_chunks(
      count, [](const void* context, index_t first, index_t last) { (*static_cast<const F*>(context))(first, last); },
      &f);
}

}  // namespace tessera
