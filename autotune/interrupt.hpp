// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C: a flag that the command's signal handler sets, and that waiting code checks.
#pragma once

#include <csignal>
#include <stdexcept>

namespace tessera::tune {

inline volatile std::sig_atomic_t interrupted = 0;

/// Thrown from operations that take longer than a user would wait.
struct interruption : std::runtime_error {
  interruption() : std::runtime_error("interrupted") {}
};

}  // namespace tessera::tune
