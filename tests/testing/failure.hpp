// SPDX-License-Identifier: BSD-3-Clause
// How a test looks at an error: its status, and whether its text names what it should.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <tessera/error.hpp>

#include "testing/catch.hpp"

namespace tessera::testing {

/// What a call threw; status::ok where it threw nothing.
struct failure {
  status code = status::ok;
  std::string text;
  bool names(std::string_view word) const { return text.find(word) != std::string::npos; }
};

template <class Work>
failure failure_of(Work work) {
  try {
    work();
  } catch (const error& e) {
    return {e.code(), e.what()};
  }
  return {};
}

/// The call must throw that status, in a text that has all these words.
template <class Work>
void check_failure(status wanted, std::initializer_list<std::string_view> words, Work work) {
  const failure found = failure_of(work);
  INFO("text: " << found.text);
  CHECK(int(found.code) == int(wanted));
  for (std::string_view word : words) {
    INFO("must name: " << word);
    CHECK(found.names(word));
  }
}

}  // namespace tessera::testing
