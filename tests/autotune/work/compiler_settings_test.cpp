// SPDX-License-Identifier: BSD-3-Clause
// Tests what candidates are compiled with: the build's flags, and the environment's last word.
#include "work/compiler_settings.hpp"

#include <algorithm>
#include <cstdlib>

#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;

namespace {

// A variable of the environment for the length of a scope.
class environment_variable {
 public:
  environment_variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  environment_variable(const environment_variable&) = delete;
  environment_variable& operator=(const environment_variable&) = delete;
  ~environment_variable() { unsetenv(name_); }

 private:
  const char* name_;
};

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

TEST_CASE("candidates get the flags of the library's own translation units") {
  const compiler_settings s = compiler_settings::of_this_build();
  CHECK(!s.cxx.empty());
  CHECK(s.jobs >= 1);
  CHECK(s.group >= 20);
  for (const char* flag : {"-std=c++20", "-O3", "-DNDEBUG", "-fPIC", "-shared"}) CHECK(has(s.flags, flag));
  for (const isa_flags& each : s.of_target) CHECK(has(each.flags, "-fno-lto"));
  for (const isa_flags& each : s.of_target)
    if (each.on == target::avx2) CHECK((has(each.flags, "-mavx2") && has(each.flags, "-mfma")));
  tessera::testing::check_failure(status::no_target, {"cuda"}, [&] { s.flags_for(target::cuda); });
}

TEST_CASE("the environment names another compiler, other headers, another worker") {
  const environment_variable compiler("TESSERA_TUNE_CXX", "some-compiler"), headers("TESSERA_TUNE_INCLUDE", "a:b/c"),
      worker("TESSERA_TUNE_WORKER", "some-worker");
  const compiler_settings s = compiler_settings::of_this_build();
  CHECK(s.cxx == "some-compiler");
  REQUIRE(s.directories.size() >= 2);
  CHECK(std::vector(s.directories.end() - 2, s.directories.end()) == std::vector<std::string>{"a", "b/c"});
  CHECK(default_worker_program() == "some-worker");
}
