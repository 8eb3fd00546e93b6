// SPDX-License-Identifier: BSD-3-Clause
// The journal's file: one write per line, truncated to whole lines if a write or a run was interrupted.
#include "search/journal.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

#include "search/journal_lines.hpp"

namespace tessera::tune {

namespace {

constexpr std::chrono::seconds longest_unsynced{1};

std::string key_of(const std::string& of_case, const std::string& config_text) { return of_case + "\n" + config_text; }

[[noreturn]] void fail(const std::string& what, const std::string& path, const std::string& advice) {
  throw error("cannot " + what + " the journal " + path + ": " + std::strerror(errno) + "; " + advice);
}

std::string text_of_file(int file, const std::string& path, long long size) {
  std::string text(std::size_t(size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::pread(file, text.data() + done, text.size() - done, off_t(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, "move it away to start again");
    if (got == 0) break;
    done += std::size_t(got);
  }
  text.resize(done);
  return text;
}

// That name, or with a number appended if such a file exists.
std::string free_name(const std::string& name) {
  std::string free = name;
  for (int n = 2; std::filesystem::exists(free); ++n) free = name + "-" + std::to_string(n);
  return free;
}

}  // namespace

journal::journal(std::string path, const journal_header& header, journal_start how) : path_(std::move(path)) {
  open_file();
  try {
    struct stat about {};
    if (how == journal_start::fresh && ::fstat(file_, &about) == 0 && about.st_size > 0)
      move_to(free_name(path_ + ".old"), "set aside, as --fresh wants,");
    read_file(header);
  } catch (...) {
    if (file_ >= 0) ::close(file_);
    throw;
  }
}

journal::~journal() {
  ::fsync(file_);
  ::close(file_);
}

void journal::open_file() {
  constexpr const char* advice = "choose a file in a folder that exists and may be written";
  do {
    if (const std::string kind = why_no_regular_file(path_); !kind.empty())
      throw error("cannot open the journal " + path_ + ": it is " + kind + ", not a regular file; " + advice);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (file_ < 0) fail("open", path_, advice);
  } while (!lock_file());
}

bool journal::lock_file() {
  // Unlike that of flock, this lock is not inherited: a worker that outlives its killed parent does not hold it.
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
    const int why = errno;
    ::close(file_);
    file_ = -1;
    errno = why;
    fail("lock", path_, "another run is using it: wait for its end or give this one a journal of its own");
  }
  // The former holder of the lock may have renamed the file between our opening and locking it.
  struct stat there {};
  struct stat here {};
  if (::fstat(file_, &here) == 0 && ::stat(path_.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
      here.st_dev == there.st_dev)
    return true;
  ::close(file_);
  file_ = -1;
  return false;
}

void journal::read_file(const journal_header& header) {
  struct stat about {};
  if (::fstat(file_, &about) != 0 || !S_ISREG(about.st_mode) || std::size_t(about.st_size) > largest_whole_file)
    throw error("cannot read the journal " + path_ + ": it is no regular file of at most " +
                std::to_string(largest_whole_file >> 20) + " MiB; move it away to start again");
  const std::string text = text_of_file(file_, path_, about.st_size);
  size_ = (long long)(text.rfind('\n') + 1);
  if (size_ == 0) return start_file(header);
  std::size_t end = text.find('\n');
  difference_ = difference_of(text.substr(0, end), header);
  if (!difference_.empty()) {
    move_aside();
    return start_file(header);
  }
  for (std::size_t begin = end + 1; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (end == std::string::npos) break;
    read_sample(text.substr(begin, end - begin));
  }
  if (about.st_size > size_ && ::ftruncate(file_, off_t(size_)) != 0)
    fail("cut the unfinished last line off", path_, "make the file writable or delete it");
}

void journal::read_sample(const std::string& line) {
  std::optional<journal_entry> entry = entry_of(line);
  if (!entry) {
    ++skipped_;
    return;
  }
  known_[key_of(entry->of_case, entry->config_text)].push_back(std::move(entry->what));
  ++samples_;
}

void journal::move_aside() {
  for (int n = 1;; ++n) {
    aside_ = path_ + ".aside-" + std::to_string(n);
    if (!std::filesystem::exists(aside_)) break;
  }
  move_to(aside_, "set aside, since it belongs to another machine or version (" + difference_ + "),");
}

void journal::move_to(const std::string& name, const std::string& why) {
  if (::rename(path_.c_str(), name.c_str()) != 0) fail(why, path_, "rename or delete it");
  ::close(file_);
  file_ = -1;
  open_file();
}

void journal::start_file(const journal_header& header) {
  size_ = 0;
  if (::ftruncate(file_, 0) != 0) fail("empty", path_, "make the file writable or delete it");
  write_line(line_of(header));
}

const std::vector<sample>& journal::recorded(const std::string& of_case, const config& c) const {
  static const std::vector<sample> none;
  const auto found = known_.find(key_of(of_case, text_of(c)));
  return found == known_.end() ? none : found->second;
}

void journal::append(const std::string& of_case, const config& c, const sample& s) {
  write_line(line_of(of_case, c, s));
  known_[key_of(of_case, text_of(c))].push_back(s);
  ++samples_;
}

std::string journal::disk_advice() const {
  return "free space or choose another place and run again: the " + std::to_string(samples_) +
         " samples in it are kept";
}

void journal::write_line(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = ::pwrite(file_, text.data() + done, text.size() - done, off_t(size_) + off_t(done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      const int why = put < 0 ? errno : ENOSPC;
      // If even this fails half a line remains; the next run removes it.
      [[maybe_unused]] const int cut = ::ftruncate(file_, off_t(size_));
      errno = why;
      fail("write to", path_, disk_advice());
    }
    done += std::size_t(put);
  }
  size_ += (long long)(text.size());
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < longest_unsynced) return;
  synced_ = now;
  // Some systems report a full disk only now; a device that cannot sync at all is not an error.
  if (::fsync(file_) != 0 && errno != EINVAL) fail("write to", path_, disk_advice());
}

}  // namespace tessera::tune
