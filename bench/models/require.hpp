// SPDX-License-Identifier: BSD-3-Clause
// Checks of the models' arguments: they throw a tessera::error that names the argument and its value.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include <tessera/error.hpp>

namespace tessera::bench::models {

[[noreturn]] inline void refuse(const char* model, const char* argument, double value, const char* expected) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  throw error(std::string(model) + ": " + argument + " is " + text + ", not " + expected);
}

inline void require_positive(const char* model, const char* argument, double value) {
  if (!(std::isfinite(value) && value > 0)) refuse(model, argument, value, "a positive number");
}

inline void require_not_negative(const char* model, const char* argument, double value) {
  if (!(std::isfinite(value) && value >= 0)) refuse(model, argument, value, "a number that is not negative");
}

inline void require_fraction(const char* model, const char* argument, double value) {
  if (!(value >= 0 && value <= 1)) refuse(model, argument, value, "between 0 and 1");
}

inline void require_count(const char* model, const char* argument, double value) {
  if (!(std::isfinite(value) && value >= 1)) refuse(model, argument, value, "at least 1");
}

}  // namespace tessera::bench::models
