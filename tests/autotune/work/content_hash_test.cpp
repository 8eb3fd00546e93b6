// SPDX-License-Identifier: BSD-3-Clause
// Tests hashes of texts and of headers that include each other.
#include "work/content_hash.hpp"

#include "arranged_candidates.hpp"
#include "testing/catch.hpp"

using namespace tessera::tune;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("hashes are those of FNV-1a") {
  CHECK(hexadecimal(hash_of("")) == "cbf29ce484222325");
  CHECK(hexadecimal(hash_of("a")) == "af63dc4c8601ec8c");
  CHECK(hash_of("b", hash_of("a")) == hash_of("ab"));
}

TEST_CASE("the hash of headers sees those that are reached, in any of the directories, and no others") {
  const testing::temporary_folder folder;
  write(folder / "one/tessera/a.hpp", "#include <vector>\n#include <tessera/sub/b.hpp>\n");
  write(folder / "two/tessera/sub/b.hpp", "#include <tessera/a.hpp>\nint b;\n");
  write(folder / "two/tessera/unused.hpp", "int unused;\n");
  const std::vector<std::string> directories{(folder / "one").string(), (folder / "two").string()};
  const auto hash = [&] { return hash_of_headers({"tessera/a.hpp"}, directories); };
  const auto before = hash();
  write(folder / "two/tessera/unused.hpp", "int other;\n");
  CHECK(hash() == before);
  write(folder / "two/tessera/sub/b.hpp", "#include <tessera/a.hpp>\nint c;\n");
  CHECK(hash() != before);
  CHECK(!content_of((folder / "none").string()).has_value());
}
