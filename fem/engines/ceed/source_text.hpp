// SPDX-License-Identifier: BSD-3-Clause
// The source of a QFunction as one text, for a compiler that reads no files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tessera::ceed {

/// Where files that are included by name are.
struct include_folders {
  std::filesystem::path ceed;                 ///< the folder of "ceed/types.h"
  std::vector<std::filesystem::path> others;  ///< of the program
};

class source_text {
 public:
  explicit source_text(include_folders folders) : folders_(std::move(folders)) {}

  /// The file with those that it includes in their places: in quotes ones beside it, and by either form those in the
  /// folders. Includes of others are left out, such as <math.h> and libCEED's host interface <ceed.h>. A file with
  /// `#pragma once` is compiled once in all texts together. A file in quotes that is nowhere is an error of the
  /// compiler, if the line is compiled. Throws not_taken where the file cannot be read or the text becomes too long.
  std::string of(const std::filesystem::path& file);

 private:
  std::string with_includes(const std::string& line, const std::filesystem::path& beside);

  include_folders folders_;
  std::vector<std::filesystem::path> once_, open_;  // with that pragma; being read
};

}  // namespace tessera::ceed
