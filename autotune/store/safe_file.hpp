// SPDX-License-Identifier: BSD-3-Clause
// Writes a file so that a full disk, a crash or a kill leaves the old one.
#pragma once

#include <string>

namespace tessera::tune {

/// What a path names in the end, behind symbolic links: there or not.
std::string followed(const std::string& path);

/// Writes a file beside `path`, waits until it is on the disk and renames it to `path`. A symbolic link stays one, and
/// the file that it names is replaced; the new file may be read and written by those who might the old one. Throws
/// tessera::error with what the system said and what to do; the old file, if there is one, is as it was.
void replace_file(const std::string& path, const std::string& content);

/// Throws as replace_file(path, ...) would, as far as that is known before: nothing is changed.
void check_replaceable(const std::string& path);

/// Removes what processes that were killed in replace_file(path, ...) left behind. For who holds the file's lock: it
/// takes what other processes are writing for left over, too.
void remove_leftovers(const std::string& path);

/// All of `content` into an open file, on the disk when this returns. Throws naming `path`.
void write_to_disk(int file, const std::string& content, const std::string& path);

}  // namespace tessera::tune
