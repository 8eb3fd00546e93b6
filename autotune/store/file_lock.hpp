// SPDX-License-Identifier: BSD-3-Clause
// One process at a time changes a file: a lock on a file beside it, which a rename of the file itself does not lose.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tessera::tune {

struct lock_wait {
  std::chrono::milliseconds say_after{2000}, give_up_after{300000};
  /// Is told what the wait is for, or that this file system has no locks: once.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// Holds `path`.lock from construction to destruction, against other processes and other threads; its holder's death
/// frees it. Waits for its turn, and throws tessera::error where that does not come. A file system without locks holds
/// nobody up.
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
