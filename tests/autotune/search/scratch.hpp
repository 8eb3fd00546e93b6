// SPDX-License-Identifier: BSD-3-Clause
// A folder of a test's own, and whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::testing {

class scratch_folder {
 public:
  scratch_folder();
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string text_of_file(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace tessera::testing
