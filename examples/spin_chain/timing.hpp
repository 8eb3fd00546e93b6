// SPDX-License-Identifier: BSD-3-Clause
// Seconds of a call on a CPU or a GPU.
#pragma once

#include <chrono>

#include <tessera/space.hpp>
#include <tessera/stream.hpp>

namespace tessera::spin_chain {

inline void wait_for(space_kind where) {
  if (where == space_kind::gpu) stream_view{}.synchronize();
}

/// Adds the seconds of a call, on a GPU from the end of earlier work to the end of its own.
template <class Call>
void add_time(space_kind where, double& seconds, Call&& call) {
  wait_for(where);
  const auto start = std::chrono::steady_clock::now();
  call();
  wait_for(where);
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tessera::spin_chain
