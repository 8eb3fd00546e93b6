// SPDX-License-Identifier: BSD-3-Clause
// Finds, checks and replaces entries of the folder of compiled candidates.
#include "work/object_cache.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <nlohmann/json.hpp>

#include <tessera/detail/jit.hpp>
#include <tessera/error.hpp>

#include "work/content_hash.hpp"

namespace tessera::tune {

namespace fs = std::filesystem;

namespace {

std::string object_name(const std::string& key) { return key + ".so"; }
std::string manifest_name(const std::string& key) { return key + ".json"; }

// Machines with equal process numbers may use the same folder.
std::string machine_name() {
  char name[65] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

nlohmann::json manifest_of(const std::string& object) {
  return {{"bytes", object.size()}, {"hash", hexadecimal(hash_of(object))}};
}

}  // namespace

fs::path candidate_folder() {
  const std::string cache = default_cache_folder();
  return cache.empty() ? fs::temp_directory_path() / "tessera-tune" : fs::path(cache) / "tune";
}

object_cache::object_cache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) fail("make the folder", failed.value());
  // Only a write can tell: root may write anywhere, but not to a read-only or full file system.
  remove_leftovers();
  const std::string probe = temporary(".probe");
  write(probe, "probe");
  fs::remove(probe, failed);
}

// Temporary files of killed processes of this machine.
void object_cache::remove_leftovers() const {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    int process = 0;
    const std::string start = "writing-" + machine_name() + "-";
    if (!name.starts_with(start) || std::sscanf(name.c_str() + start.size(), "%d-", &process) != 1) continue;
    if (process <= 0 || process == getpid()) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), ignored);
  }
}

std::optional<std::string> object_cache::find(const std::string& key) const {
  const std::optional<std::string> manifest = content_of(folder_ / manifest_name(key));
  const std::string path = folder_ / object_name(key);
  if (!manifest) return std::nullopt;
  const std::optional<std::string> object = content_of(path);
  // Not `!=`, which is false for invalid JSON.
  if (!object || !(nlohmann::json::parse(*manifest, nullptr, false) == manifest_of(*object))) return std::nullopt;
  return path;
}

std::string object_cache::temporary(const std::string& ending) const {
  static std::atomic<long> number{0};
  return folder_ /
         ("writing-" + machine_name() + "-" + std::to_string(getpid()) + "-" + std::to_string(number++) + ending);
}

void object_cache::write(const std::string& path, const std::string& text) const {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail("write to the folder", errno);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int number = errno;
      // Removes a partly written file, but never a device.
      struct stat is {};
      if (fstat(file, &is) == 0 && S_ISREG(is.st_mode)) unlink(path.c_str());
      close(file);
      fail("write to the folder", number);
    }
    done += std::size_t(count);
  }
  if (close(file) != 0) fail("write to the folder", errno);
}

std::string object_cache::keep(const std::string& key, const std::string& temporary_object) const {
  const std::optional<std::string> object = content_of(temporary_object);
  if (!object) fail("read back from the folder", errno);
  const std::string temporary_manifest = temporary(".json");
  write(temporary_manifest, manifest_of(*object).dump());
  const std::string path = folder_ / object_name(key);
  rename(temporary_object, path);
  rename(temporary_manifest, folder_ / manifest_name(key));
  return path;
}

void object_cache::rename(const std::string& from, const std::string& to) const {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("write to the folder", errno);
}

void object_cache::fail(const std::string& what, int number) const {
  const std::string remedy = number == ENOSPC || number == EDQUOT ? "free some space there or name another folder"
                                                                  : "name a folder that you may write to";
  throw error("cannot " + what + " for compiled candidates, " + folder_.string() + ": " + std::strerror(number) + "; " +
              remedy + " (TESSERA_CACHE sets the default)");
}

}  // namespace tessera::tune
