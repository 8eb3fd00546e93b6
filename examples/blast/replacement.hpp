// SPDX-License-Identifier: BSD-3-Clause
// A file that is written beside the one that it replaces, so that no run that ends leaves half a file.
#pragma once

#include <fstream>
#include <string>

namespace tessera::blast {

/// Written as FILE.part, which is removed where it is not finished. What is no regular file, such as a pipe, is written
/// itself. `what` is the file's name in errors: "the checkpoint ".
class replacement {
 public:
  /// Throws where it cannot be written.
  explicit replacement(const std::string& file, const std::string& what = "");
  ~replacement();
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;

  std::ostream& out() { return out_; }
  /// Puts it in the place of the other; throws where not all could be written.
  void finish();

 private:
  std::string what_, target_, unfinished_;
  std::ofstream out_;
};

/// Throws where a file cannot be written, before there is work to lose, and leaves none. An empty name is no file.
void check_replaceable(const std::string& file);

}  // namespace tessera::blast
