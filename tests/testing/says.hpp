// SPDX-License-Identifier: BSD-3-Clause
// Whether a text has a word.
#pragma once

#include <string>
#include <string_view>

namespace tessera::testing {

inline bool says(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

}  // namespace tessera::testing
