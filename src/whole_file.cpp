// SPDX-License-Identifier: BSD-3-Clause
// Checks the type of a path before opening it, and again afterwards: opening a FIFO waits for a writer, and opening a
// device may have side effects.
#include <tessera/detail/whole_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <tessera/error.hpp>

namespace tessera {

namespace {

const char* file_kind(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "no file";
}

std::string said_by_system(int code) { return std::string("the file cannot be read: ") + std::strerror(code); }

struct open_file {
  int number;
  explicit open_file(const std::string& path)
      // Does not block even if it became a FIFO since the check.
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  open_file(const open_file&) = delete;
  ~open_file() {
    if (number >= 0) ::close(number);
  }
};

// "" if a file of that kind and size can be read.
std::string why_not_readable(const struct stat& about) {
  if (const std::string kind = file_kind(about.st_mode); !kind.empty()) return "it is " + kind + ", not a regular file";
  if (std::size_t(about.st_size) > largest_whole_file)
    return "it has " + std::to_string(about.st_size) + " bytes, more than the " +
           std::to_string(largest_whole_file >> 20) + " MiB that such a file may have";
  return "";
}

// Files in /proc report no size before they are read.
std::string read_to_end(int file, std::size_t expected, std::string& why_not) {
  constexpr std::size_t step = std::size_t(1) << 16;
  std::string text(expected + 1, '\0');
  std::size_t done = 0;
  while (true) {
    if (done == text.size()) text.resize(std::min(text.size() + std::max(step, text.size()), largest_whole_file + 1));
    const ssize_t got = ::read(file, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) why_not = said_by_system(errno);
    if (got <= 0) break;
    done += std::size_t(got);
    if (done > largest_whole_file) {
      why_not = "it has more than the " + std::to_string(largest_whole_file >> 20) + " MiB that such a file may have";
      break;
    }
  }
  text.resize(done);
  return text;
}

}  // namespace

std::string why_no_regular_file(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? file_kind(about.st_mode) : "";
}

std::optional<std::string> read_whole_file(const std::string& path, std::string& why_not) {
  why_not.clear();
  struct stat about {};
  if (path.find('\0') != std::string::npos)
    why_not = "the name has a NUL byte";
  else if (::stat(path.c_str(), &about) != 0)
    why_not = said_by_system(errno);
  else
    why_not = why_not_readable(about);
  if (!why_not.empty()) return std::nullopt;
  const open_file file(path);
  if (file.number < 0 || ::fstat(file.number, &about) != 0)
    why_not = said_by_system(errno);
  else
    why_not = why_not_readable(about);
  if (!why_not.empty()) return std::nullopt;
  std::string text = read_to_end(file.number, std::size_t(about.st_size), why_not);
  if (!why_not.empty()) return std::nullopt;
  return text;
}

std::string whole_file(const std::string& what, const std::string& path) {
  std::string why_not;
  std::optional<std::string> text = read_whole_file(path, why_not);
  if (!text) throw error(what + " " + path.c_str() + ": " + why_not);  // a NUL would end the text
  return *std::move(text);
}

}  // namespace tessera
