// SPDX-License-Identifier: BSD-3-Clause
// The journal's file: what a kill, a flipped bit, a full disk or another machine may do to it.
#include "search/journal.hpp"

#include <csignal>
#include <cstdlib>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing/catch.hpp"
#include "testing/failure.hpp"
#include "testing/scratch.hpp"
#include "testing/skip.hpp"

namespace tune = tessera::tune;
using namespace tessera::testing;

namespace {

const tune::journal_header here{"some CPU", "abc", {{"compiler", "g++ 12"}}};
const tune::config first_config{{1, 4, 4}}, second_config{{2, 4, 0, 1}};
const std::string case_name = "avx2 f64 cache 5x5x5";

tune::sample took(double seconds) { return {tune::outcome::ok, seconds, {}}; }

// A journal of three samples: two of config one, a failure of config two.
std::string filled(const scratch_folder& folder) {
  const std::string path = folder / "journal";
  tune::journal j(path, here);
  j.append(case_name, first_config, took(1.1e-9));
  j.append(case_name, second_config, {tune::outcome::crashed, 0, "signal 11, \"quoted\"\n\xff"});
  j.append(case_name, first_config, took(0.1 + 0.2));
  return path;
}

std::size_t line_start(const std::string& text, int line) {
  std::size_t at = 0;
  for (int i = 0; i < line; ++i) at = text.find('\n', at) + 1;
  return at;
}

}  // namespace

TEST_CASE("configs as text: no zeros at the end, so that new axes change nothing") {
  CHECK(tune::text_of(first_config) == "[1,4,4]");
  CHECK(tune::text_of(second_config) == "[2,4,0,1]");
  CHECK(tune::text_of(tune::config{}) == "[]");
}

TEST_CASE("what was written is read again, to the last bit") {
  const scratch_folder folder;
  const std::string path = filled(folder);
  const tune::journal j(path, here);
  CHECK(j.samples() == 3);
  CHECK(j.skipped_lines() == 0);
  CHECK(j.set_aside().empty());
  REQUIRE(j.recorded(case_name, first_config).size() == 2);
  CHECK(j.recorded(case_name, first_config)[0].seconds == 1.1e-9);
  CHECK(j.recorded(case_name, first_config)[1].seconds == 0.1 + 0.2);
  REQUIRE(j.recorded(case_name, second_config).size() == 1);
  CHECK(j.recorded(case_name, second_config)[0].how == tune::outcome::crashed);
  CHECK(j.recorded(case_name, second_config)[0].reason.find("signal 11, \"quoted\"\n") == 0);
  CHECK(j.recorded("avx2 f32 cache 5x5x5", first_config).empty());
}

TEST_CASE("a file cut anywhere loses its last line at most") {
  const scratch_folder folder;
  const std::string whole = text_of_file(filled(folder)), path = folder / "cut";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    INFO("cut after " << length << " of " << whole.size() << " bytes");
    write_text(path, whole.substr(0, length));
    long lines = 0;
    for (std::size_t i = 0; i < length; ++i) lines += whole[i] == '\n';
    {
      tune::journal j(path, here);
      CHECK(j.samples() == std::max(0L, lines - 1));
      CHECK(j.skipped_lines() == 0);
      CHECK(j.set_aside().empty());
      j.append(case_name, first_config, took(7));
    }
    const tune::journal again(path, here);
    CHECK(again.samples() == std::max(0L, lines - 1) + 1);
    CHECK(again.recorded(case_name, first_config).back().seconds == 7);
  }
}

TEST_CASE("a corrupt line in the middle is skipped and counted") {
  const scratch_folder folder;
  const std::string path = filled(folder), whole = text_of_file(path);
  const std::size_t begin = line_start(whole, 1), end = line_start(whole, 2);
  for (const char* garbage : {"{\"case\":\"avx2", "\x80\xfe garbage", "[]", "{}", "null", "",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok"})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":-1})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":0})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":1e-300})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":1e300})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":1e999})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":NaN})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"ok","seconds":"1e-9"})",
                              R"({"case":"avx2 f64 cache 5x5x5","case":"x","config":[],"how":"ok","seconds":1e-9})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":7,"how":"ok","seconds":1})",
                              R"({"case":5,"config":[1,4,4],"how":"ok","seconds":1})",
                              R"({"case":"avx2 f64 cache 5x5x5","config":[1,4,4],"how":"melted"})"}) {
    INFO(garbage);
    write_text(path, whole.substr(0, begin) + garbage + "\n" + whole.substr(end));
    const tune::journal j(path, here);
    CHECK(j.samples() == 2);
    CHECK(j.skipped_lines() == 1);
    CHECK(j.recorded(case_name, first_config).size() == 1);
    CHECK(j.recorded(case_name, second_config).size() == 1);
  }
}

TEST_CASE("a journal of another machine, source or compiler is set aside, whole") {
  const scratch_folder folder;
  const std::string path = filled(folder), whole = text_of_file(path);
  const tune::journal_header others[] = {{"another CPU", "abc", {{"compiler", "g++ 12"}}},
                                         {"some CPU", "abd", {{"compiler", "g++ 12"}}},
                                         {"some CPU", "abc", {{"compiler", "g++ 13"}}},
                                         {"some CPU", "abc", {}}};
  const char* words[] = {"another CPU", "source_hash", "compiler: \"g++ 12\" there, \"g++ 13\" here", "facts"};
  for (int i = 0; i < 4; ++i) {
    write_text(path, whole);
    const tune::journal j(path, others[i]);
    INFO(j.difference());
    CHECK(j.samples() == 0);
    CHECK(j.set_aside() == path + ".aside-" + std::to_string(i + 1));
    CHECK(j.difference().find(words[i]) != std::string::npos);
    CHECK(text_of_file(j.set_aside()) == whole);
  }
  write_text(path, "my shopping list\n");
  CHECK(!tune::journal(path, here).set_aside().empty());
}

TEST_CASE("a journal has one user at a time") {
  const scratch_folder folder;
  const tune::journal j(folder / "journal", here);
  const pid_t child = ::fork();
  if (child == 0) {
    const failure f = failure_of([&] { tune::journal(j.path(), here); });
    ::_exit(f.names("another run") && f.names(j.path()) ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("a full disk is an error that names the file, and the file stays whole") {
  const scratch_folder folder;
  const std::string path = filled(folder), whole = text_of_file(path);
  // A limit on the size of files stands for the end of the disk: the write comes back short.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const rlimit tight{rlim_t(whole.size() + 20), old.rlim_max};
  {
    tune::journal j(path, here);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    const failure f = failure_of([&] { j.append(case_name, first_config, took(3)); });
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
    INFO(f.text);
    CHECK(f.names(path));
    CHECK(f.names("3 samples in it are kept"));
    CHECK(j.recorded(case_name, first_config).size() == 2);
    CHECK(text_of_file(path) == whole);
    j.append(case_name, first_config, took(4));  // there is space again
  }
  std::signal(SIGXFSZ, old_handler);
  const tune::journal again(path, here);
  CHECK(again.samples() == 4);
  CHECK(again.recorded(case_name, first_config).back().seconds == 4);
}

TEST_CASE("a place that may not be written is an error that says what to do") {
  const scratch_folder folder;
  check_failure(tessera::status::invalid_argument, {"no_such/journal", "folder that exists"},
                [&] { tune::journal(folder / "no_such/journal", here); });
  check_failure(tessera::status::invalid_argument, {folder.path().string()},
                [&] { tune::journal(folder.path().string(), here); });
  if (::geteuid() == 0) return skip("root may write into a read-only folder");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  check_failure(tessera::status::invalid_argument, {"journal", "Permission denied", "may be written"},
                [&] { tune::journal(folder / "journal", here); });
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST_CASE("a journal is a regular file: others are named, and nobody waits for them") {
  const scratch_folder folder;
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  struct no_file {
    std::string path;
    const char* kind;
  };
  for (const no_file& f : {no_file{folder / "fifo", "it is a FIFO"},
                           {"/dev/full", "it is a device"},
                           {folder.path().string(), "it is a folder"}})
    check_failure(tessera::status::invalid_argument, {f.path, f.kind, "choose a file"},
                  [&] { tune::journal(f.path, here); });
  write_text(folder / "huge", "{");
  std::filesystem::resize_file(folder / "huge", (std::size_t(256) << 20) + 1);
  check_failure(tessera::status::invalid_argument, {"huge", "256 MiB", "move it away"},
                [&] { tune::journal(folder / "huge", here); });
}

TEST_CASE("a line of lists that are a million deep costs that line only") {
  const scratch_folder folder;
  const std::string path = filled(folder), whole = text_of_file(path);
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  write_text(path, whole + R"({"case":"c","config":)" + deep + R"(,"how":"ok","seconds":1e-9})" + "\n");
  const tune::journal j(path, here);
  CHECK(j.samples() == 3);
  CHECK(j.skipped_lines() == 1);
}

TEST_CASE("a new start keeps the samples of before under another name, unless they are in use") {
  const scratch_folder folder;
  const std::string path = filled(folder), whole = text_of_file(path);
  const auto anew = [&] { tune::journal(path, here, tune::journal_start::fresh); };
  {
    const tune::journal used(path, here);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(failure_of(anew).names("another run") ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(text_of_file(path) == whole);
  }
  anew();
  CHECK(text_of_file(path + ".old") == whole);
  CHECK(tune::journal(path, here).samples() == 0);
  anew();
  CHECK(text_of_file(path + ".old") == whole);
  CHECK(std::filesystem::exists(path + ".old-2"));
}
