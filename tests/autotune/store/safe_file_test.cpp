// SPDX-License-Identifier: BSD-3-Clause
// A file that cannot be written leaves the old one, and the message says what to do.
#include "store/safe_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

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
  replace_file(folder.file("a"), "first");
  CHECK(text_in(folder.file("a")) == "first");
  replace_file(folder.file("a"), "second");
  CHECK(text_in(folder.file("a")) == "second");
  CHECK(folder.files() == 1);
}

TEST_CASE("a disk that fills up leaves the old file", "[store]") {
  const scratch_folder folder;
  const std::string path = folder.file("r.json");
  write_records(sample_file(), path);
  const std::string before = text_in(path);
  record_file larger = sample_file();
  for (int n = 9; n < 33; ++n) larger.records.push_back(sample_record(n));
  {
    const small_files limit(4096);
    check_failure(status::invalid_argument, {path.c_str(), "unchanged", "space"}, [&] { write_records(larger, path); });
  }
  CHECK(text_in(path) == before);
  CHECK(folder.files() == 1);
  write_records(larger, path);
  CHECK(read_records(path).records.size() == larger.records.size());
}

TEST_CASE("no space left on the device is said in these words", "[store]") {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) return;
  check_failure(status::invalid_argument, {"records.json", "No space left", "free some space"},
                [&] { write_to_disk(full, "text", "records.json"); });
  close(full);
}

TEST_CASE("a folder that is not there or not writable is named", "[store]") {
  const scratch_folder folder;
  check_failure(status::invalid_argument, {"nowhere/r.json", "make the folder"},
                [&] { replace_file(folder.file("nowhere/r.json"), "text"); });
  put(folder.file("file"), "");
  check_failure(status::invalid_argument, {"file/r.json"}, [&] { replace_file(folder.file("file/r.json"), "text"); });
  // For root every folder is writable.
  if (geteuid() == 0) return;
  chmod(folder.path.c_str(), 0555);
  check_failure(status::invalid_argument, {"may write to"}, [&] { replace_file(folder.file("r.json"), "text"); });
  chmod(folder.path.c_str(), 0755);
}
