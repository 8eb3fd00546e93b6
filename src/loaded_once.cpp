// SPDX-License-Identifier: BSD-3-Clause
// Whether kernels may be compiled at run time.
#include "loaded_once.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

namespace tessera::detail {

std::string why_nothing_is_compiled() {
  const char* value = std::getenv("TESSERA_JIT");
  const std::string text = value == nullptr ? "" : value;
  const char* const no[] = {"off", "0", "no", "false"};
  if (std::ranges::any_of(no, [&](const char* word) { return strcasecmp(text.c_str(), word) == 0; }))
    return "TESSERA_JIT=" + text;
  return why_no_jit();
}

}  // namespace tessera::detail
