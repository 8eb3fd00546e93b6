// SPDX-License-Identifier: BSD-3-Clause
// Texts of QFunctions with the files that they include.
#include "source_text.hpp"

#include "failure.hpp"
#include "testing/catch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using tessera::ceed::source_text;

// A folder with files, which goes with it.
class folder {
 public:
  folder() : at_(fs::temp_directory_path() / ("tessera_source_text_" + std::to_string(getpid()))) {}
  ~folder() {
    std::error_code none;
    fs::remove_all(at_, none);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((at_ / name).parent_path());
    std::ofstream(at_ / name) << text;
    return at_ / name;
  }
  source_text reader() const { return source_text({.ceed = at_ / "root", .others = {at_ / "mine"}}); }

 private:
  fs::path at_;
};

}  // namespace

TEST_CASE("included files are put in the places of their lines") {
  const folder f;
  const fs::path top =
      f.write("user/top.h", "first\n#include \"sub/beside.h\"\n  #  include\t<given.h>  // of the program\nlast");
  f.write("user/sub/beside.h", "beside\n#include \"other.h\"\n");
  f.write("user/sub/other.h", "other\n#define includes 1\n");
  f.write("mine/given.h", "given\n#include <ceed/types.h>\n");
  f.write("root/ceed/types.h", "types\n");
  CHECK(f.reader().of(top) == "first\nbeside\nother\n#define includes 1\ngiven\ntypes\nlast\n");
}

TEST_CASE("headers of the system and of libCEED's host interface are left out") {
  const folder f;
  const fs::path top =
      f.write("top.h", "#include <ceed.h>\n#include <math.h>\n#include <ceed/backend.h>\n#include \"ceed.h\"\na\n");
  f.write("root/math.h", "not for devices\n");
  f.write("root/ceed.h", "not for devices\n");
  f.write("root/ceed/backend.h", "not for devices\n");
  CHECK(f.reader().of(top) == "a\n");
}

TEST_CASE("a file with #pragma once has a guard, the same in all texts") {
  const folder f;
  const fs::path top = f.write("top.h", "#include \"a.h\"\n#include \"b.h\"\n#include \"a.h\"\n");
  const fs::path b = f.write("b.h", "#pragma once\nb\n");
  f.write("a.h", "# pragma once\na\n");
  const std::string a_text = "#ifndef TESSERA_CEED_ONCE_0\n#define TESSERA_CEED_ONCE_0\na\n#endif\n";
  const std::string b_text = "#ifndef TESSERA_CEED_ONCE_1\n#define TESSERA_CEED_ONCE_1\nb\n#endif\n";
  source_text reader = f.reader();
  CHECK(reader.of(top) == a_text + b_text + a_text);
  CHECK(reader.of(b) == b_text);
}

TEST_CASE("a file in quotes that is nowhere is an error of the compiler") {
  const folder f;
  const fs::path top = f.write("top.h", "#ifdef A\n#include \"none.h\"\n#endif\na\n");
  CHECK(f.reader().of(top) ==
        "#ifdef A\n#error none.h is not found beside " + (top.parent_path() / "").string() + "\n#endif\na\n");
}

TEST_CASE("files that include others again and again are too long") {
  const folder f;
  const auto name = [](int i) { return std::to_string(i) + ".h"; };
  for (int i = 0; i < 20; ++i) f.write(name(i), "#include \"" + name(i + 1) + "\"\n#include \"" + name(i + 1) + "\"\n");
  const fs::path last = f.write(name(20), std::string(100, 'a'));
  CHECK_THROWS_AS(f.reader().of(last.parent_path() / name(0)), tessera::ceed::not_taken);
}

TEST_CASE("files that include each other end") {
  const folder f;
  const fs::path a = f.write("a.h", "a\n#include \"b.h\"\n");
  f.write("b.h", "b\n#include \"a.h\"\n");
  CHECK(f.reader().of(a) == "a\nb\n");
}

TEST_CASE("a file that cannot be read is none that the backend takes") {
  const folder f;
  CHECK_THROWS_AS(f.reader().of("nowhere/none.h"), tessera::ceed::not_taken);
}
