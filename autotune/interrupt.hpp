// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C: a flag that the command's signal handler sets, and that whatever waits looks at.
#pragma once

#include <csignal>
#include <stdexcept>

namespace tessera::tune {

inline volatile std::sig_atomic_t interrupted = 0;

/// Thrown out of what would take longer than a person waits.
struct interruption : std::runtime_error {
  interruption() : std::runtime_error("interrupted") {}
};

}  // namespace tessera::tune
