// SPDX-License-Identifier: BSD-3-Clause
// An operand of a job whose batch entries have any addresses: for a group what `located` is for a batch.
#pragma once

#include <tessera/cpu/detail/job.hpp>

namespace tessera::simd {

/// Batch entry e starts at members[e].
template <class T, class Map>
struct grouped {
  T* const* members;
  Map map;
};

template <class Isa, class T, class Map>
[[gnu::always_inline]] inline T* start_of(const grouped<T, Map>& o, index_t e) {
  return o.members[e];
}

}  // namespace tessera::simd
