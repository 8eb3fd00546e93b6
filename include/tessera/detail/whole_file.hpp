// SPDX-License-Identifier: BSD-3-Clause
// Reads a whole file, and never blocks on a FIFO or device: records, journals, recordings, cache entries.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tessera {

/// Larger files are rejected: records, journals and recordings are much smaller.
inline constexpr std::size_t largest_whole_file = std::size_t(256) << 20;

/// What is at `path` if it exists and is not a regular file: "a folder", "a FIFO", "a socket", "a device"; else "".
/// Opens nothing.
std::string why_no_regular_file(const std::string& path);

/// The file's bytes. Empty if the file does not exist, is not readable, not regular or too large: `why_not` has the
/// reason.
std::optional<std::string> read_whole_file(const std::string& path, std::string& why_not);

/// The same, but throws tessera::error "`what` `path`: reason" if it cannot be read.
std::string whole_file(const std::string& what, const std::string& path);

}  // namespace tessera
