// SPDX-License-Identifier: BSD-3-Clause
// A name for a file that no other test has, and that ends with the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::blast {

class temporary_file {
 public:
  temporary_file() {
    static int count = 0;
    const std::string name = "blast_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    name_ = (std::filesystem::temp_directory_path() / name).string();
  }
  explicit temporary_file(const std::string& text) : temporary_file() { std::ofstream(name_) << text; }
  /// Of that name.
  temporary_file(const std::string& name, const std::string& text) : name_(name) { std::ofstream(name_) << text; }
  ~temporary_file() { std::filesystem::remove(name_); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace tessera::blast
