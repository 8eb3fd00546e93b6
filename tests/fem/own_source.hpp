// SPDX-License-Identifier: BSD-3-Clause
// The functions of own_functions.hpp as text, for the GPU's compiler.
#pragma once

#include <tessera/element/source_function.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace tessera::testing {

inline function_source own_source(const std::string& type) {
  std::ifstream file(TESSERA_SOURCE_DIR "/tests/fem/own_functions.hpp");
  return {"tessera::testing::" + type, std::string(std::istreambuf_iterator<char>(file), {})};
}

}  // namespace tessera::testing
