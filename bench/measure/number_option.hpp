// SPDX-License-Identifier: BSD-3-Clause
// Checks of CLI11 for numeric options. CLI11's own accept nan (CLI::Range) and convert 0x10 and 010 to other numbers.
#pragma once

#include <CLI/CLI.hpp>

#include "measure/numbers.hpp"

namespace tessera::bench {

inline CLI::Validator real_between(double least, double most) {
  const auto check = [=](std::string& text) {
    return real_in(text, least, most) ? std::string() : why_no_real(text, least, most);
  };
  return CLI::Validator(check, "NUMBER", "real_between");
}

inline CLI::Validator integer_between(long long least, long long most) {
  const auto check = [=](std::string& text) {
    return integer_in(text, least, most) ? std::string() : why_no_integer(text, least, most);
  };
  return CLI::Validator(check, "INTEGER", "integer_between");
}

}  // namespace tessera::bench
