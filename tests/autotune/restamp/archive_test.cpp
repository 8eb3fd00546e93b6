// SPDX-License-Identifier: BSD-3-Clause
// Archives are read as `ar` writes them, and refused where they are broken.
#include "restamp/archive.hpp"

#include "small_objects.hpp"
#include "testing/catch.hpp"
#include "testing/failure.hpp"

using namespace tessera;
using namespace tessera::tune;
using namespace tessera::tune::testing;
using tessera::testing::check_failure;

TEST_CASE("archives: members with long and short names, of odd sizes", "[tune][restamp]") {
  const std::string archive = archive_of({{"rows_avx2_f64_0.cpp.o", "odd"}, {"x.o", "even"}, {"none.o", ""}});
  const auto members = members_of(archive);
  REQUIRE(members.size() == 3);
  CHECK((members[0].name == "rows_avx2_f64_0.cpp.o" && members[0].bytes == "odd"));
  CHECK((members[1].name == "x.o" && members[1].bytes == "even"));
  CHECK((members[2].name == "none.o" && members[2].bytes.empty()));
  std::string short_name = "a.o/", size = "2";
  short_name.resize(48, ' ');
  size.resize(10, ' ');
  const std::string small = "!<arch>\n" + short_name + size + "`\nhi";
  REQUIRE(members_of(small).size() == 1);
  CHECK(members_of(small)[0].name == "a.o");
}

TEST_CASE("archives: broken ones are refused", "[tune][restamp]") {
  const std::string whole = archive_of({{"rows_avx2_f64_0.cpp.o", "some bytes"}});
  check_failure(status::invalid_argument, {"no archive"}, [] {
    members_of(
        "\x7f"
        "ELF");
  });
  check_failure(status::invalid_argument, {"thin archive"}, [] { members_of("!<thin>\n"); });
  check_failure(status::invalid_argument, {"ends within a member"},
                [&] { members_of(whole.substr(0, whole.size() - 4)); });
  check_failure(status::invalid_argument, {"no header at byte 8"}, [&] { members_of(whole.substr(0, 40)); });
  std::string wrong = whole;
  wrong.replace(wrong.find("/0 "), 3, "/99");
  check_failure(status::invalid_argument, {"name is missing"}, [&] { members_of(wrong); });
  wrong = whole;
  wrong.replace(wrong.rfind("10 "), 3, "ten");
  check_failure(status::invalid_argument, {"'ten' is no number"}, [&] { members_of(wrong); });
}
