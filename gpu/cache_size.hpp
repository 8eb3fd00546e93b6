// SPDX-License-Identifier: BSD-3-Clause
// How much compiled code is kept: TESSERA_CACHE_SIZE on disk, TESSERA_LOADED_SIZE in a process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::device {

/// "1500000", "500K", "64M", "2G" in bytes, of 1024 each step; else empty.
std::optional<std::uint64_t> bytes_in_text(std::string_view text);

struct cache_size {
  std::uint64_t bytes = 0;
  std::string problem;  // what is wrong with the variable; `bytes` is the default then
};

/// Of all files with code in a cache folder: TESSERA_CACHE_SIZE, by default 1 GiB.
cache_size disk_cache_size();

/// Of the machine code of loaded kernels, beyond which those that nobody holds go: TESSERA_LOADED_SIZE, by default 256
/// MiB.
cache_size loaded_code_size();

}  // namespace tessera::device
