// SPDX-License-Identifier: BSD-3-Clause
// Writes a file so that a full disk, a crash or a kill leaves the old one.
#pragma once

#include <string>

namespace tessera::tune {

/// Writes a file beside `path`, waits until it is on the disk and renames it to `path`. Throws tessera::error with what
/// the system said and what to do; the old file, if there is one, is as it was.
void replace_file(const std::string& path, const std::string& content);

/// All of `content` into an open file, on the disk when this returns. Throws naming `path`.
void write_to_disk(int file, const std::string& content, const std::string& path);

}  // namespace tessera::tune
