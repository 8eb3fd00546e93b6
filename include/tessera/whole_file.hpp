// SPDX-License-Identifier: BSD-3-Clause
// Reads a file as a whole, without ever waiting for what is no file: records, journals, recordings, cache entries.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tessera {

/// Larger files are refused: no record, journal or recording comes near.
inline constexpr std::size_t largest_whole_file = std::size_t(256) << 20;

/// What is at `path` where that is there and no regular file: "a folder", "a FIFO", "a socket", "a device"; else "".
/// Opens nothing.
std::string why_no_regular_file(const std::string& path);

/// The file's bytes. Nothing where there is none, it may not be read, it is no regular file or it is too large:
/// `why_not` then says so.
std::optional<std::string> read_whole_file(const std::string& path, std::string& why_not);

/// The same, and throws tessera::error "`what` `path`: why not" where there is nothing to read.
std::string whole_file(const std::string& what, const std::string& path);

}  // namespace tessera
