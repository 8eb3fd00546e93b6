// SPDX-License-Identifier: BSD-3-Clause
// Refuses the k-th of all allocations that a call makes, on any thread: those of operator new and of an allocator; or
// the k-th of its calls to a GPU's runtime.
#pragma once

#include <tessera/tessera.h>
#include <tessera/memory.hpp>

namespace tessera::faults {

enum class kind {
  once,          ///< the k-th allocation fails
  from_there_on  ///< it and all behind it
};

struct counted {
  long asked = 0, refused = 0;
  long writes = 0;  ///< that were noted before the first was refused
};

/// From now on allocations are counted; the k-th fails, with 0 none.
void arm(long k, kind how);
/// No more. What was counted since `arm`.
counted disarm();

/// Counts an allocation. True where it has to fail.
bool refuses();

/// A call that may have written to an output, where that is known.
void note_write();

/// What operator new, or a GPU's runtime, gave and did not get back.
long live_objects();

/// Memory for set_allocator that fails so.
allocator failing_allocator();
tessera_allocator failing_c_allocator();

}  // namespace tessera::faults
