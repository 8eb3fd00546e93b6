// SPDX-License-Identifier: BSD-3-Clause
// A file that cannot be written leaves the old one, and the message says what to do.
#include "store/safe_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

// Files of this process cannot grow beyond some bytes: the nearest thing to a full disk that needs no privileges.
struct small_files {
  rlimit before{};
  explicit small_files(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit now{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  small_files(const small_files&) = delete;
  ~small_files() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
  }
};

}  // namespace

TEST_CASE("a file is replaced as a whole", "[store]") {
  const scratch_folder folder;
  replace_file(folder / "a", "first");
  CHECK(text_of_file(folder / "a") == "first");
  replace_file(folder / "a", "second");
  CHECK(text_of_file(folder / "a") == "second");
  CHECK(folder.files() == 1);
}

TEST_CASE("a disk that fills up leaves the old file", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  write_records(sample_file(), path);
  const std::string before = text_of_file(path);
  record_file larger = sample_file();
  for (int n = 9; n < 33; ++n) larger.records.push_back(sample_record(n));
  {
    const small_files limit(4096);
    check_failure(status::invalid_argument, {path.c_str(), "unchanged", "space"}, [&] { write_records(larger, path); });
  }
  CHECK(text_of_file(path) == before);
  CHECK(folder.files() == 1);
  write_records(larger, path);
  CHECK(read_records(path).records.size() == larger.records.size());
}

TEST_CASE("no space left on the device is reply in these words", "[store]") {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) return;
  check_failure(status::invalid_argument, {"records.json", "No space left", "free some space"},
                [&] { write_to_disk(full, "text", "records.json"); });
  close(full);
}

TEST_CASE("a folder that is not there or not writable is named", "[store]") {
  const scratch_folder folder;
  check_failure(status::invalid_argument, {"nowhere/r.json", "make the folder"},
                [&] { replace_file(folder / "nowhere/r.json", "text"); });
  write_text(folder / "file", "");
  check_failure(status::invalid_argument, {"file/r.json"}, [&] { replace_file(folder / "file/r.json", "text"); });
  // For root every folder is writable.
  if (geteuid() == 0) return;
  chmod(folder.path().c_str(), 0555);
  check_failure(status::invalid_argument, {"may write to"}, [&] { replace_file(folder / "r.json", "text"); });
  chmod(folder.path().c_str(), 0755);
}

TEST_CASE("a symbolic link stays one, and the file that it names is replaced", "[store]") {
  const scratch_folder folder;
  std::filesystem::create_directories(folder / "there");
  std::filesystem::create_symlink("there/file", folder / "link");
  std::filesystem::create_symlink("link", folder / "second");
  replace_file(folder / "second", "first");  // nothing is there yet
  CHECK(text_of_file(folder / "there/file") == "first");
  replace_file(folder / "link", "second");
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(std::filesystem::is_symlink(folder / "second"));
  CHECK(text_of_file(folder / "there/file") == "second");
  std::filesystem::create_symlink("round", folder / "round");
  check_failure(status::invalid_argument, {"round", "symbolic links"}, [&] { replace_file(folder / "round", "text"); });
}

TEST_CASE("only a regular file is replaced", "[store]") {
  const scratch_folder folder;
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  std::filesystem::create_symlink("/dev/null", folder / "null");
  const auto refuses = [](const std::string& path, const char* kind) {
    check_failure(status::invalid_argument, {path, kind}, [&] { replace_file(path, "text"); });
    check_failure(status::invalid_argument, {path, kind}, [&] { check_replaceable(path); });
  };
  refuses(folder / "fifo", "it is a FIFO");
  refuses(folder / "null", "it is a device");
  refuses(folder.path().string(), "it is a folder");
  CHECK(folder.files() == 2);
}

TEST_CASE("who may read and write a file is as before", "[store]") {
  const scratch_folder folder;
  const auto mode_of = [](const std::string& path) {
    struct stat is {};
    stat(path.c_str(), &is);
    return is.st_mode & 07777;
  };
  write_text(folder / "a", "first");
  for (const mode_t mode : {0600, 0664, 0640}) {
    chmod((folder / "a").c_str(), mode);
    replace_file(folder / "a", "second");
    CHECK(mode_of(folder / "a") == mode);
  }
  // Root may write to any file.
  if (geteuid() == 0) return;
  chmod((folder / "a").c_str(), 0444);
  check_failure(status::invalid_argument, {"Permission denied"}, [&] { replace_file(folder / "a", "third"); });
}

TEST_CASE("what is known before is reply before, and changes nothing", "[store]") {
  const scratch_folder folder;
  check_replaceable(folder / "a");
  CHECK(folder.files() == 0);
  write_text(folder / "a", "first");
  check_replaceable(folder / "a");
  CHECK(text_of_file(folder / "a") == "first");
  CHECK(folder.files() == 1);
  check_failure(status::invalid_argument, {"make the folder"}, [&] { check_replaceable(folder / "nowhere/a"); });
}

TEST_CASE("threads that replace a file at once leave one of the contents, whole", "[store]") {
  const scratch_folder folder;
  std::vector<std::thread> threads;
  for (const char letter : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 20; ++i) replace_file(folder / "file", std::string(10000, letter));
    });
  for (std::thread& t : threads) t.join();
  const std::string text = text_of_file(folder / "file");
  CHECK(text == std::string(10000, text.at(0)));
  CHECK(folder.files() == 1);
}

TEST_CASE("what killed writers left is removed", "[store]") {
  const scratch_folder folder;
  write_text(folder / "r.json", "text");
  write_text(folder / "r.json.new.4711", "half");
  write_text(folder / "r.json.new.host.12.3", "half");
  write_text(folder / "other.json.new.4711", "of another file");
  write_text(folder / "r.json.new.backup", "of a user");
  remove_leftovers(folder / "r.json");
  CHECK(folder.files() == 3);
  CHECK(text_of_file(folder / "r.json.new.backup") == "of a user");
  CHECK(text_of_file(folder / "r.json") == "text");
}
