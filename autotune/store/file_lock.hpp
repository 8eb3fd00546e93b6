// SPDX-License-Identifier: BSD-3-Clause
// A lock so that one process at a time changes a file: on a file beside it, since the file itself is renamed.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tessera::tune {

struct lock_wait {
  std::chrono::milliseconds say_after{2000}, give_up_after{300000};
  /// Called once with the reason of a wait, or if the file system has no locks.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// Holds `path`.lock from construction to destruction, against other processes and threads; the death of its holder
/// frees it. Waits for the lock, and throws tessera::error after a time limit. On a file system without locks it does
/// nothing.
class file_lock {
 public:
  explicit file_lock(const std::string& path, const lock_wait& how = {});
  ~file_lock();
  file_lock(const file_lock&) = delete;

 private:
  bool try_to_lock();  // whether the wait is over

  std::string path_;  // of the file to be changed
  std::string name_;  // of the lock's file
  std::string none_;  // why there are no locks here
  int file_ = -1;
};

}  // namespace tessera::tune
