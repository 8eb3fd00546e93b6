// SPDX-License-Identifier: BSD-3-Clause
// Compiled code on disk, one file an entry, named by a hash of everything that it depends on.
#pragma once

#include <cstdint>
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

/// Empty if the folder has no valid entry of that key: a truncated or modified file is ignored. Sets the file's time,
/// by which `keep_newest` sees that it was used.
std::optional<cached_code> read_code(const std::string& folder, const std::string& key);

/// Creates the folder if needed; the file is written atomically. Returns the error text, or "".
std::string write_code(const std::string& folder, const std::string& key, const cached_code& code);

/// Removes the entries that were not used for the longest time until all of the folder's have at most `bytes` bytes;
/// the entry `but` stays. Other files stay, except for parts of entries whose writer ended a day ago or earlier.
/// Several processes may do this, and read and write entries, at the same time: a reader that has opened a file has all
/// of it, and one that has not finds none and compiles. Ignores what it cannot read or remove. Returns the bytes that
/// are left.
std::uint64_t keep_newest(const std::string& folder, std::uint64_t bytes, const std::string& but);

}  // namespace tessera::device
