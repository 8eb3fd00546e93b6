// SPDX-License-Identifier: BSD-3-Clause
// How a fuzzer says that the library did wrong: it prints the case and stops, so that the input is kept.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fuzz {

[[noreturn]] inline void finding(const std::string& what, const std::string& the_case) {
  std::fprintf(stderr, "finding: %s\n%s\n", what.c_str(), the_case.c_str());
  std::abort();
}

/// Prints the case before the library sees it, where the environment has TESSERA_FUZZ_SHOW: for crashes and timeouts.
inline const std::string& text_of(const std::string& words) { return words; }
template <class Case>
void show(const Case& what) {
  static const bool wanted = std::getenv("TESSERA_FUZZ_SHOW") != nullptr;
  if (wanted) std::fprintf(stderr, "%s\n", text_of(what).c_str());
}

}  // namespace fuzz
