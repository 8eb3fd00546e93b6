// SPDX-License-Identifier: BSD-3-Clause
// Reads from the environment whether decisions are printed.
#include "log.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::ceed {

void log_line(const std::string& text) {
  static const bool wanted = [] {
    const char* value = std::getenv("TESSERA_CEED_VERBOSE");
    return value != nullptr && *value != '\0' && std::string(value) != "0";
  }();
  if (wanted) std::fprintf(stderr, "tessera_ceed: %s\n", text.c_str());
}

}  // namespace tessera::ceed
