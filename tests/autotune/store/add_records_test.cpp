// SPDX-License-Identifier: BSD-3-Clause
// Tuners that write one record file at once: none loses what another found; a kill leaves a file that can be read.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

#include "sample_records.hpp"
#include "store/file_lock.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

constexpr int writers = 6, records_each = 5;
const auto silent = [](const std::string&) {};

// One of the sizes 1 .. 30: five a writer.
record_file one_record(int writer, int number) {
  record_file f = sample_file();
  f.records = {sample_record(1 + records_each * writer + number)};
  return f;
}

void write_all(const std::string& path, int writer) {
  for (int number = 0; number < records_each; ++number) add_records(path, one_record(writer, number), silent);
}

void check_all_there(const std::string& path) {
  const record_file f = read_records(path);
  REQUIRE(f.records.size() == std::size_t(writers * records_each));
  for (std::size_t i = 0; i < f.records.size(); ++i) CHECK(f.records[i].of.n == index_t(i + 1));
}

template <class Work>
pid_t in_child(Work work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    work();
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

int status_of(pid_t child) {
  int how = -1;
  ::waitpid(child, &how, 0);
  return how;
}

}  // namespace

TEST_CASE("six processes that write one record file lose nothing", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  std::vector<pid_t> children;
  for (int writer = 0; writer < writers; ++writer) children.push_back(in_child([&] { write_all(path, writer); }));
  for (const pid_t child : children) CHECK(status_of(child) == 0);
  check_all_there(path);
  CHECK(folder.files() == 1);  // no lock and no temporary file is left
}

TEST_CASE("six threads that write one record file lose nothing", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) threads.emplace_back([&, writer] { write_all(path, writer); });
  for (std::thread& t : threads) t.join();
  check_all_there(path);
  CHECK(folder.files() == 1);
}

TEST_CASE("a writer that is killed at any moment leaves a record file that can be read, and no lock", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  add_records(path, one_record(0, 0), silent);
  for (int kill_after = 0; kill_after < 40; ++kill_after) {
    const pid_t child = in_child([&] {
      for (int i = 0;; ++i) add_records(path, one_record(i % writers, i % records_each), silent);
    });
    ::usleep(useconds_t(500 + 137 * kill_after));
    ::kill(child, SIGKILL);
    status_of(child);
    CHECK(!read_records(path).records.empty());
  }
  // The next one is not held up, and clears what the killed ones left.
  for (int writer = 0; writer < writers; ++writer) write_all(path, writer);
  check_all_there(path);
  CHECK(folder.files() == 1);
}

TEST_CASE("who waits for a lock says for what, and gives up in the end", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  const file_lock held(path);
  std::vector<std::string> said;
  lock_wait how;
  how.say_after = std::chrono::milliseconds(10);
  how.give_up_after = std::chrono::milliseconds(300);
  how.say = [&](const std::string& text) { said.push_back(text); };
  check_failure(status::invalid_argument, {path, "another process", "r.json.lock"}, [&] { file_lock(path, how); });
  REQUIRE(said.size() == 1);
  CHECK(said[0].find(path) != std::string::npos);
  CHECK(said[0].find("waiting") != std::string::npos);
  const file_lock other(folder / "other.json", how);  // another file is free
}

TEST_CASE("a lock that is freed is taken, and no file of it stays", "[store]") {
  const scratch_folder folder;
  const std::string path = folder / "r.json";
  for (int i = 0; i < 3; ++i) const file_lock one(path);
  CHECK(folder.files() == 0);
  write_text(path + ".lock", "of a process that was killed");
  { const file_lock one(path); }
  CHECK(folder.files() == 0);
  check_failure(status::invalid_argument, {"nowhere", "lock", "folder that is there"},
                [&] { file_lock(folder / "nowhere/r.json"); });
  std::filesystem::create_directories(path + ".lock");
  check_failure(status::invalid_argument, {"r.json.lock is a folder"}, [&] { const file_lock one(path); });
}
