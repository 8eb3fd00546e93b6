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

/// Nothing where the folder has no whole entry of that key: a file that was truncated or changed does not count.
std::optional<cached_code> read_code(const std::string& folder, const std::string& key);

/// Creates the folder where needed; the file appears whole or not at all. Returns what went wrong, or nothing.
std::string write_code(const std::string& folder, const std::string& key, const cached_code& code);

}  // namespace tessera::device
