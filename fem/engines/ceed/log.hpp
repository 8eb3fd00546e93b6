// SPDX-License-Identifier: BSD-3-Clause
// Lines about what the backend decides, for TESSERA_CEED_VERBOSE=1.
#pragma once

#include <string>

namespace tessera::ceed {

/// "tessera_ceed: " and the text to standard error, where the environment wants it.
void log_line(const std::string& text);

}  // namespace tessera::ceed
