// SPDX-License-Identifier: BSD-3-Clause
// Hashes of texts and files: keys of the cache of compiled candidates, and detection of damaged entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tune {

/// FNV-1a with 64 bits: against accidents, not attackers. `seed` continues an earlier hash.
inline constexpr std::uint64_t hash_start = 0xcbf29ce484222325u;
std::uint64_t hash_of(std::string_view text, std::uint64_t seed = hash_start);

/// 16 hexadecimal digits.
std::string hexadecimal(std::uint64_t hash);

/// The whole file; empty if it cannot be read.
std::optional<std::string> content_of(const std::string& path);

/// Hash over the contents of these headers ("tessera/...") and of all headers that they include with <tessera/...>,
/// looked up in the directories. Headers that are in none of them are skipped.
std::uint64_t hash_of_headers(std::vector<std::string> names, const std::vector<std::string>& directories);

}  // namespace tessera::tune
