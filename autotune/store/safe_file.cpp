// SPDX-License-Identifier: BSD-3-Clause
// Writes through a temporary file and a rename.
#include "store/safe_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

namespace tessera::tune {

namespace {

std::string advice(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "free some space or name a file on another disk";
    case EACCES:
    case EPERM:
    case EROFS: return "name a file in a folder that you may write to";
    case ENOENT:
    case ENOTDIR: return "make the folder first";
    default: return "name another file";
  }
}

[[noreturn]] void fail(const std::string& path, int code) {
  throw error("cannot write " + path + ": " + std::strerror(code) + "; what was there before is unchanged; " +
              advice(code));
}

namespace fs = std::filesystem;

std::string temporary_start(const std::string& to) { return to + ".new."; }
// The pattern of temporary files' names.
bool ends_in_number(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string::npos && dot + 1 < name.size() &&
         name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
}

// Throws if the path is not a regular file or not writable: a rename would succeed nevertheless.
void check_old(const std::string& path, const std::string& to) {
  if (const std::string kind = why_no_regular_file(to); !kind.empty())
    throw error("cannot write " + path + ": it is " + kind + ", not a regular file; name another file");
  if (::access(to.c_str(), W_OK) != 0 && errno != ENOENT) fail(path, errno);
}

// Closes the file, and removes it unless keep() was called.
struct temporary {
  std::string name;
  int file;
  bool kept = false;

  // Processes on other machines may have the same number, and threads of this one do.
  temporary(const std::string& path, const std::string& to) {
    static std::atomic<long> number{0};
    char machine[65] = "";
    ::gethostname(machine, sizeof machine - 1);
    do {
      name = temporary_start(to) + machine + "." + std::to_string(::getpid()) + "." + std::to_string(number++);
      file = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    } while (file < 0 && errno == EEXIST);
    if (file < 0) fail(path, errno);
  }
  temporary(const temporary&) = delete;
  ~temporary() {
    if (file >= 0) close(file);
    if (!kept) unlink(name.c_str());
  }
};

// Keeps the permissions and the owner, as far as this user may set them.
void take_permissions(int file, const std::string& old) {
  struct stat was {};
  if (::stat(old.c_str(), &was) != 0) return;
  [[maybe_unused]] const int owned = ::fchown(file, uid_t(-1), was.st_gid);
  [[maybe_unused]] const int permitted = ::fchmod(file, was.st_mode & 07777);
}

// A rename is on disk once its folder is synced. Some file systems cannot sync folders: harmless.
void flush_folder(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

std::string followed(const std::string& path) {
  fs::path at = path;
  constexpr int most_links = 40;
  std::error_code failed;
  for (int links = 0; fs::is_symlink(at, failed); ++links) {
    if (links == most_links) fail(path, ELOOP);
    const fs::path next = fs::read_symlink(at, failed);
    if (failed) fail(path, failed.value());
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

void write_to_disk(int file, const std::string& content, const std::string& path) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t now = write(file, content.data() + done, content.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) fail(path, now == 0 ? ENOSPC : errno);
    done += std::size_t(now);
  }
  // Files that cannot be synced, such as pipes, are not on a disk.
  if (fsync(file) != 0 && errno != EINVAL) fail(path, errno);
}

void replace_file(const std::string& path, const std::string& content) {
  const std::string to = followed(path);
  check_old(path, to);
  temporary next(path, to);
  take_permissions(next.file, to);
  write_to_disk(next.file, content, path);
  const int closed = close(next.file);
  next.file = -1;
  if (closed != 0) fail(path, errno);
  if (std::rename(next.name.c_str(), to.c_str()) != 0) fail(path, errno);
  next.kept = true;
  flush_folder(to);
}

void check_replaceable(const std::string& path) {
  const std::string to = followed(path);
  check_old(path, to);
  const temporary probe(path, to);
}

void remove_leftovers(const std::string& path) {
  const fs::path start = temporary_start(followed(path));
  const fs::path folder = start.parent_path().empty() ? fs::path(".") : start.parent_path();
  const std::string name = start.filename().string();
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (const std::string own = entry.path().filename().string(); own.starts_with(name) && ends_in_number(own))
      fs::remove(entry.path(), ignored);
}

}  // namespace tessera::tune
