// SPDX-License-Identifier: BSD-3-Clause
// Tests compiling candidates: groups, the cache on disk, the guilty ones, and errors that are nobody's candidate.
#include "work/cpu_compiler.hpp"

#include <set>

#include "arranged_candidates.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

namespace {

std::string numbered_loops(const candidate& c, const std::string& name) {
  return loops(name, "static volatile int number = " + std::to_string(number_of(c)) + "; number = number;",
               right_result);
}

std::vector<candidate> numbered(int count) { return candidates_of(case_of_threes(), numbered_configs(count)); }

}  // namespace

TEST_CASE("candidates share an object, the second time nothing compiles, and damage is repaired") {
  const temporary_folder folder;
  const compiler_settings settings = settings_in(folder.path());
  std::string object;
  {
    cpu_compiler compiler(settings, numbered_loops);
    const std::vector<compiled> done = compiler.compile(numbered(20));
    CHECK(compiler.compilations() == 1);
    for (int i = 0; i < 20; ++i) {
      const compiled& one = done[std::size_t(i)];
      CHECK((one.how == outcome::ok && one.index == i && one.object == done[0].object));
    }
    object = done[0].object;
    CHECK(compiler.compile({numbered(20)[7]})[0].index == 7);
    CHECK(compiler.compilations() == 1);
  }
  {
    cpu_compiler again(settings, numbered_loops);
    CHECK(again.compile(numbered(20))[3].object == object);
    CHECK(again.compilations() == 0);
  }
  const auto whole = std::filesystem::file_size(object);
  std::filesystem::resize_file(object, whole / 2);
  cpu_compiler repairing(settings, numbered_loops);
  CHECK(repairing.compile(numbered(20))[3].how == outcome::ok);
  CHECK(repairing.compilations() == 1);
  CHECK(std::filesystem::file_size(object) == whole);
}

TEST_CASE("groups are as large as asked for, of one type each, over sizes and regimes") {
  const temporary_folder folder;
  compiler_settings settings = settings_in(folder.path());
  settings.cxx =
      fake_compiler(folder, "case $1 in --version) echo fake;; *) for last; do :; done; echo > $last;; esac");
  settings.group = 20;
  cpu_compiler compiler(settings, [](const candidate& c, const std::string& name) {
    return numbered_loops(c, name) + "// " + std::to_string(c.of.m) + "\n";
  });
  std::vector<candidate> all = numbered(30);
  tuning_case other = case_of_threes(memory_regime::stream);
  for (const candidate& c : candidates_of(other, numbered_configs(30))) all.push_back(c);  // the same kernels
  other.m = 4;
  for (const candidate& c : candidates_of(other, numbered_configs(15))) all.push_back(c);
  other.type = scalar_type::f32;
  for (const candidate& c : candidates_of(other, numbered_configs(3))) all.push_back(c);
  const std::vector<compiled> done = compiler.compile(all);
  CHECK(compiler.compilations() == 3);
  std::set<std::string> objects;
  for (const compiled& c : done) objects.insert(c.object);
  CHECK(objects.size() == 3);
  CHECK(done[5].object == done[35].object);
  CHECK(done[5].index == done[35].index);
}

TEST_CASE("what does not compile is found, with the compiler's words, and costs nobody else") {
  const temporary_folder folder;
  cpu_compiler compiler(settings_in(folder.path()), [](const candidate& c, const std::string& name) {
    return number_of(c) == 2 ? "this is no C++;\n" : numbered_loops(c, name);
  });
  const std::vector<compiled> done = compiler.compile(numbered(4));
  for (const int i : {0, 1, 3}) CHECK(done[std::size_t(i)].how == outcome::ok);
  CHECK(done[2].how == outcome::not_compiled);
  CHECK(done[2].reason.starts_with("error:"));
  const int before = compiler.compilations();
  CHECK(compiler.compile({numbered(4)[2]})[0].how == outcome::not_compiled);
  CHECK(compiler.compilations() == before);
}

TEST_CASE("a compilation that takes too long is given up") {
  const temporary_folder folder;
  compiler_settings settings = settings_in(folder.path());
  settings.cxx =
      fake_compiler(folder, "case $* in *--version*) echo fake;; *-fsyntax-only*) ;; *) exec sleep 60;; esac");
  settings.seconds = 0.3;
  cpu_compiler compiler(settings, numbered_loops);
  const compiled late = compiler.compile(numbered(1))[0];
  CHECK(late.how == outcome::not_compiled);
  CHECK(late.reason.find("more than") != std::string::npos);
}

TEST_CASE("no compiler, no headers, a full disk, unusable headers: errors that say what to do") {
  const temporary_folder folder;
  const compiler_settings good = settings_in(folder.path());
  compiler_settings s = good;
  s.cxx = "no-such-compiler";
  check_failure(status::invalid_argument, {"no C++ compiler", "no-such-compiler", "install", "TESSERA_TUNE_CXX"},
                [&] { cpu_compiler compiler(s); });
  s = good;
  s.directories = {folder.path().string()};
  check_failure(status::invalid_argument, {"headers are missing", "TESSERA_TUNE_INCLUDE"},
                [&] { cpu_compiler compiler(s); });
  s = good;
  s.cxx = fake_compiler(folder, "[ $1 = --version ] && exit 0; echo 'x: No space left on device'; exit 1");
  check_failure(status::invalid_argument, {"No space left", "free some space"},
                [&] { cpu_compiler(s, numbered_loops).compile(numbered(2)); });
  s.cxx = fake_compiler(folder, "[ $1 = --version ] && exit 0; echo 'x.hpp:1: error: what is this'; exit 1");
  check_failure(status::invalid_argument, {"cannot compile the kernels' headers", "what is this", "TESSERA_TUNE_CXX"},
                [&] { cpu_compiler(s, numbered_loops).compile(numbered(2)); });
  s = good;
  s.of_target.clear();
  check_failure(status::no_target, {name_of(default_cpu_target())},
                [&] { cpu_compiler(s, numbered_loops).compile(numbered(1)); });
}

TEST_CASE("another compiler, other flags or other headers are another entry of the cache") {
  const temporary_folder folder;
  compiler_settings s = settings_in(folder / "cache");
  const auto object_of = [&] { return cpu_compiler(s, numbered_loops).compile(numbered(1))[0].object; };
  const std::string body = "*) for last; do :; done; echo > $last;; esac";
  s.cxx = fake_compiler(folder, "case $1 in --version) echo 1.0;; " + body);
  const std::string first = object_of();
  CHECK(object_of() == first);
  s.cxx = fake_compiler(folder, "case $1 in --version) echo 1.1;; " + body);
  const std::string newer = object_of();
  s.flags.push_back("-g");
  const std::string flagged = object_of();
  const std::filesystem::path headers = folder / "headers/tessera/cpu/detail";
  std::filesystem::create_directories(headers);
  std::ofstream(headers / "specialised.hpp") << "int a;\n";
  s.directories = {(folder / "headers").string()};
  const std::string elsewhere = object_of();
  std::ofstream(headers / "specialised.hpp") << "int b;\n";
  CHECK(std::set<std::string>{first, newer, flagged, elsewhere, object_of()}.size() == 5);
}
