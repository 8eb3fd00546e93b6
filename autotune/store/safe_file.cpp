// SPDX-License-Identifier: BSD-3-Clause
// Writes through a temporary file and a rename.
#include "store/safe_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

// Closes the file and removes it unless it was kept.
struct temporary {
  std::string name;
  int file;
  bool kept = false;

  explicit temporary(const std::string& path)
      : name(path + ".new." + std::to_string(getpid())),
        file(open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666)) {
    if (file < 0) fail(path, errno);
  }
  temporary(const temporary&) = delete;
  ~temporary() {
    if (file >= 0) close(file);
    if (!kept) unlink(name.c_str());
  }
};

// A rename is on the disk when its folder is. Some file systems cannot do that for folders: no harm.
void flush_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

void write_to_disk(int file, const std::string& content, const std::string& path) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t now = write(file, content.data() + done, content.size() - done);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) fail(path, now == 0 ? ENOSPC : errno);
    done += std::size_t(now);
  }
  // What cannot be flushed, such as a pipe, is no file on a disk.
  if (fsync(file) != 0 && errno != EINVAL) fail(path, errno);
}

void replace_file(const std::string& path, const std::string& content) {
  temporary next(path);
  write_to_disk(next.file, content, path);
  const int closed = close(next.file);
  next.file = -1;
  if (closed != 0) fail(path, errno);
  if (std::rename(next.name.c_str(), path.c_str()) != 0) fail(path, errno);
  next.kept = true;
  flush_folder(path);
}

}  // namespace tessera::tune
