// SPDX-License-Identifier: BSD-3-Clause
// Tests the folder of compiled candidates: what is kept, what is damaged, what cannot be written.
#include "work/object_cache.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "arranged_candidates.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "work/content_hash.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

std::string kept(const object_cache& cache, const std::string& text) {
  const std::string temporary = cache.temporary(".so");
  cache.write(temporary, text);
  return cache.keep("key", temporary);
}

}  // namespace

TEST_CASE("what was kept is found, and nothing else") {
  const tune::testing::temporary_folder folder;
  const object_cache cache(folder / "deep/er");
  CHECK(!cache.find("key"));
  const std::string path = kept(cache, "content");
  CHECK(cache.find("key") == path);
  CHECK(content_of(path) == "content");
  CHECK(!cache.find("other"));
  std::ptrdiff_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache.folder())) files += entry.exists() ? 1 : 0;
  CHECK(files == 2);  // no temporary is left
}

TEST_CASE("a truncated, changed or unlabelled object is not found, and can be kept anew") {
  const tune::testing::temporary_folder folder;
  const object_cache cache(folder.path());
  const std::string path = kept(cache, "content");
  for (const char* damaged : {"cont", "contemt", ""}) {
    std::ofstream(path) << damaged;
    CHECK(!cache.find("key"));
    kept(cache, "content");
    CHECK(cache.find("key"));
  }
  std::ofstream(folder / "key.json") << "{\"bytes\": 7, \"ha";
  CHECK(!cache.find("key"));
  std::filesystem::remove(folder / "key.json");
  CHECK(!cache.find("key"));
}

TEST_CASE("a FIFO in the place of an object or a manifest is none, and nobody waits for it") {
  const tune::testing::temporary_folder folder;
  const object_cache cache(folder.path());
  for (const char* name : {"key.json", "key.so"}) {
    kept(cache, "content");
    std::filesystem::remove(folder / name);
    REQUIRE(::mkfifo((folder / name).c_str(), 0600) == 0);
    CHECK(!cache.find("key"));
  }
  kept(cache, "content");
  CHECK(cache.find("key"));
}

TEST_CASE("what killed processes of this machine left goes, what others are writing stays") {
  const tune::testing::temporary_folder folder;
  const std::string name = std::filesystem::path(object_cache(folder.path()).temporary("")).filename().string();
  const std::string machine = name.substr(0, name.find("-" + std::to_string(::getpid()) + "-"));  // "writing-NAME"
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);  // nobody has that number now
  const std::string dead = std::to_string(child);
  for (const std::string& left : {machine + "-" + dead + "-0.so", "writing-elsewhere-" + dead + "-0.so",
                                  machine + "-" + std::to_string(::getppid()) + "-0.so"})
    std::ofstream(folder / left) << "half";
  const object_cache cache(folder.path());
  CHECK(!std::filesystem::exists(folder / (machine + "-" + dead + "-0.so")));
  CHECK(std::filesystem::exists(folder / ("writing-elsewhere-" + dead + "-0.so")));
  CHECK(std::filesystem::exists(folder / (machine + "-" + std::to_string(::getppid()) + "-0.so")));
}

TEST_CASE("a folder that cannot be made or written is an error that names it and what to do") {
  const tune::testing::temporary_folder folder;
  std::ofstream(folder / "file") << "not a folder";
  tessera::testing::check_failure(status::invalid_argument, {"file/cache", "TESSERA_CACHE", "Not a directory"},
                                  [&] { object_cache(folder / "file/cache"); });
  tessera::testing::check_failure(status::invalid_argument, {"proc", "TESSERA_CACHE"},
                                  [&] { object_cache("/proc/self"); });
}

TEST_CASE("a full disk is an error that says so, and the device that stands for one stays") {
  const tune::testing::temporary_folder folder;
  const object_cache cache(folder / "cache");
  const std::string full = folder / "full";
  // Through a link: were the target ever removed, it would be the link.
  std::filesystem::create_symlink("/dev/full", full);
  tessera::testing::check_failure(status::invalid_argument, {"No space left", "free some space"},
                                  [&] { cache.write(full, "text"); });
  CHECK(std::filesystem::is_symlink(full));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("the default folder follows the environment") {
  const char* before = std::getenv("TESSERA_CACHE");
  const std::string saved = before != nullptr ? before : "";
  setenv("TESSERA_CACHE", "somewhere", 1);
  CHECK(candidate_folder() == std::filesystem::path("somewhere/tune"));
  setenv("TESSERA_CACHE", saved.c_str(), 1);
}
