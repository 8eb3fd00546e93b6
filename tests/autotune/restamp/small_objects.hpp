// SPDX-License-Identifier: BSD-3-Clause
// Objects compiled from a few lines, and archives of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sample_records.hpp"
#include "testing/catch.hpp"
#include "work/child_process.hpp"
#include "work/compiler_settings.hpp"

namespace tessera::tune::testing {

/// Its bytes.
inline std::string object_of(const std::string& source, const std::vector<std::string>& flags = {"-O1"}) {
  const scratch_folder folder;
  write_text((folder / "a.cpp").string(), source);
  std::vector<std::string> words = {compiler_settings::of_this_build().cxx, "-c", "-fPIC", "-fno-inline", "-fno-lto"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {(folder / "a.cpp").string(), "-o", (folder / "a.o").string()});
  const finished done = run({.words = words});
  INFO(done.output);
  REQUIRE(done.ok());
  return text_of_file((folder / "a.o").string());
}

/// As `ar` writes it, all names in the member "//".
inline std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) {
  const auto header = [](std::string name, std::size_t size) {
    name.resize(48, ' ');
    std::string digits = std::to_string(size);
    digits.resize(10, ' ');
    return name + digits + "`\n";
  };
  const auto even = [](const std::string& bytes) { return bytes + (bytes.size() % 2 == 0 ? "" : "\n"); };
  std::string names, rest;
  for (const auto& [name, bytes] : members) {
    rest += header("/" + std::to_string(names.size()), bytes.size()) + even(bytes);
    names += name + "/\n";
  }
  return "!<arch>\n" + header("//", names.size()) + even(names) + rest;
}

/// Kernels as a family has them: a table, a function that calls another, one that only a table calls.
inline std::string kernel_source(const std::string& name, const std::string& factor = "3.0",
                                 const std::string& called = "first") {
  return "namespace t { double first(double x) { return x + 1; }\n"
         "double second(double x) { return x * x; }\n"
         "double " +
         name + "(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += " + factor + " * " + called +
         "(x[i]); return s; }\n"
         "extern double (*const table[])(const double*, int);\n"
         "double (*const table[])(const double*, int) = {" +
         name + "}; }\n";
}

}  // namespace tessera::tune::testing
