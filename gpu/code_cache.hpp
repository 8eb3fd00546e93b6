// SPDX-License-Identifier: BSD-3-Clause
// Compiled code on disk, one file an entry, named by a hash of everything that it depends on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::device {

/// 32 hexadecimal digits.
std::string hash_of(std::string_view text);

struct cached_code {
  std::vector<std::string> entries;  // names of its kernels
  std::string machine_code;
};

/// Empty if the folder has no valid entry of that key: a truncated or modified file is ignored.
std::optional<cached_code> read_code(const std::string& folder, const std::string& key);

/// Creates the folder if needed; the file is written atomically. Returns the error text, or "".
std::string write_code(const std::string& folder, const std::string& key, const cached_code& code);

}  // namespace tessera::device
