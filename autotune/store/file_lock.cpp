// SPDX-License-Identifier: BSD-3-Clause
// Locks with flock: unlike those of fcntl, its locks also exclude other threads of the process.
#include "store/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

// Whether the name still refers to the open file: the former holder may have removed it.
bool is_file_of_name(int file, const std::string& name) {
  struct stat there {};
  struct stat here {};
  return ::fstat(file, &here) == 0 && ::lstat(name.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

}  // namespace

file_lock::file_lock(const std::string& path, const lock_wait& how) : path_(path), name_(path + ".lock") {
  using clock = std::chrono::steady_clock;
  const clock::time_point start = clock::now();
  bool announced = false;
  while (!try_to_lock()) {
    const auto waited = clock::now() - start;
    if (waited >= how.give_up_after)
      throw error("cannot write " + path_ + ": another process has held the lock for " +
                  std::to_string(std::chrono::duration_cast<std::chrono::seconds>(waited).count()) +
                  " s; wait for its end, or end it, and run again (the lock is " + name_ + ")");
    if (waited >= how.say_after && !std::exchange(announced, true))
      how.say("waiting for another process that is writing " + path_ + " (the lock is " + name_ + ") ...");
    std::this_thread::sleep_for(std::chrono::milliseconds(announced ? 100 : 5));
  }
  if (!none_.empty()) how.say("no lock for " + path_ + " (" + none_ + "): let one process write to it at a time");
}

file_lock::~file_lock() {
  if (file_ < 0) return;
  ::unlink(name_.c_str());  // while it is held, so that no other process can have locked this file and be writing
  ::close(file_);
}

bool file_lock::try_to_lock() {
  if (const std::string kind = why_no_regular_file(name_); !kind.empty())
    throw error("cannot write " + path_ + ": its lock " + name_ + " is " + kind + ", not a regular file; remove it");
  file_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
  if (file_ < 0)
    throw error("cannot write " + path_ + ": its lock " + name_ + " cannot be made: " + std::strerror(errno) +
                "; name a file in a folder that is there and that you may write to");
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
    if (is_file_of_name(file_, name_)) return true;
  } else if (errno != EWOULDBLOCK && errno != EINTR) {
    none_ = std::strerror(errno);
    return true;
  }
  ::close(file_);
  file_ = -1;
  return false;
}

}  // namespace tessera::tune
