// SPDX-License-Identifier: BSD-3-Clause
// A variable of the environment, such as TESSERA_TARGET, for as long as a test needs it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace tessera::testing {

/// Sets the variable, or with nullptr removes it, and puts back what was there.
class forced {
 public:
  explicit forced(const char* value, const char* name = "TESSERA_TARGET") : name_(name) {
    if (const char* old = std::getenv(name)) before_ = old;
    if (value != nullptr)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  ~forced() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  forced(const forced&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace tessera::testing
