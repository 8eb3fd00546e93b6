// SPDX-License-Identifier: BSD-3-Clause
// TESSERA_TARGET for as long as a test needs it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace tessera::testing {

/// Sets TESSERA_TARGET, or with nullptr removes it, and puts back what was there.
class forced {
 public:
  explicit forced(const char* value) {
    if (const char* old = std::getenv(name)) before_ = old;
    if (value != nullptr)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  ~forced() {
    if (before_)
      setenv(name, before_->c_str(), 1);
    else
      unsetenv(name);
  }
  forced(const forced&) = delete;

 private:
  static constexpr const char* name = "TESSERA_TARGET";
  std::optional<std::string> before_;
};

}  // namespace tessera::testing
