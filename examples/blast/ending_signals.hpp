// SPDX-License-Identifier: BSD-3-Clause
// SIGINT and SIGTERM ask a run to end after its step; the second one ends it at once.
#pragma once

namespace tessera::blast {

/// As long as it lives. One at a time.
class ending_signals {
 public:
  ending_signals();
  ~ending_signals();
  ending_signals(const ending_signals&) = delete;
  ending_signals& operator=(const ending_signals&) = delete;

  /// The signal that came, or 0.
  int caught() const;
  /// "SIGINT" or "SIGTERM".
  static const char* name(int signal);
};

}  // namespace tessera::blast
