// SPDX-License-Identifier: BSD-3-Clause
// Folders and files of tests.
#include "scratch.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <stdlib.h>

namespace tessera::testing {

scratch_folder::scratch_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test's files: " + name);
  path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace tessera::testing
