// SPDX-License-Identifier: BSD-3-Clause
// Files of blast that are whole or are not there.
#include "replacement.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "results.hpp"
#include "temporary_file.hpp"
#include "testing/catch.hpp"

using namespace tessera::blast;

namespace {

std::string first_line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

TEST_CASE("blast: a file stays what it was until the one that replaces it is whole", "[blast]") {
  const temporary_file file("earlier");
  const std::string unfinished = file.name() + ".part";
  {
    replacement made(file.name());
    made.out() << "half" << std::flush;
    CHECK(std::filesystem::exists(unfinished));
    CHECK(first_line_of(file.name()) == "earlier");
  }
  CHECK(!std::filesystem::exists(unfinished));
  CHECK(first_line_of(file.name()) == "earlier");
  const temporary_file link;
  std::filesystem::create_symlink(file.name(), link.name());
  {
    replacement made(link.name());
    made.out() << "whole";
    made.finish();
  }
  CHECK(!std::filesystem::exists(unfinished));
  CHECK(std::filesystem::is_symlink(link.name()));
  CHECK(first_line_of(file.name()) == "whole");
}

TEST_CASE("blast: a check whether a file can be written leaves none, and no earlier one changed", "[blast]") {
  const temporary_file none, earlier("text");
  check_replaceable("");
  check_replaceable(none.name());
  check_replaceable(earlier.name());
  CHECK(!std::filesystem::exists(none.name()));
  CHECK(!std::filesystem::exists(none.name() + ".part"));
  CHECK(first_line_of(earlier.name()) == "text");
  CHECK_THROWS_WITH(check_replaceable(none.name() + "/file"), "cannot write '" + none.name() + "/file'");
}

TEST_CASE("blast: what cannot be written whole is an error, and leaves no part of it", "[blast]") {
  if (!std::filesystem::exists("/dev/full")) return;
  replacement full("/dev/full", "the checkpoint ");  // no regular file: written itself
  full.out() << "text";
  CHECK_THROWS_WITH(full.finish(), "cannot write the checkpoint '/dev/full'");
  CHECK(std::filesystem::exists("/dev/full"));

  // Where the new one cannot be written, the earlier one stays.
  const simulation of({.problem_number = 2, .dim = 1});
  fields now(of);
  const temporary_file json("earlier");
  const std::string obstacle = json.name() + ".part";
  std::filesystem::create_directory(obstacle);
  CHECK_THROWS_WITH(write_json(json.name(), now, 0, 0), "cannot write '" + json.name() + "'");
  CHECK(first_line_of(json.name()) == "earlier");
  CHECK(std::filesystem::remove(obstacle));
  write_json(json.name(), now, 0, 0);
  CHECK(first_line_of(json.name()).find("\"schema\":1") != std::string::npos);
  CHECK(!std::filesystem::exists(obstacle));
}
