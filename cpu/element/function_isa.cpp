// SPDX-License-Identifier: BSD-3-Clause
// Says which instruction set a user's function was compiled for, and how to get a wider one.
#include "function_isa.hpp"

namespace tessera::detail {

std::string function_isa_text(std::optional<target> function_isa, target best) {
  if (!function_isa) return {};
  std::string text =
      std::string("; the function was compiled for ") + name_of(*function_isa) + ", by the flags of its own file";
  if (best <= *function_isa) return text;
  return text + "; this CPU has " + name_of(best) + ": tessera_target_isa(TARGET native) in CMake, else -march=native";
}

}  // namespace tessera::detail
