// SPDX-License-Identifier: BSD-3-Clause
// Compiling a source with the headers that the library carries: looked for on disk first, kept there afterwards.
#pragma once

#include <tessera/jit.hpp>

#include "jit_source.hpp"

namespace tessera::device {

/// Throws status::no_device where there is no NVRTC, naming what to install.
void require_nvrtc();

/// `architecture`, or the current device's where it is 0.
int architecture_or_own(int architecture);

/// What does not compile is in the code's own log.
jit_code compile(const jit_source& source, const std::string& cache_folder, int architecture);

}  // namespace tessera::device
