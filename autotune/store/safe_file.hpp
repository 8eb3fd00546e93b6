// SPDX-License-Identifier: BSD-3-Clause
// Writes a file so that a full disk, a crash or a kill leaves the old one.
#pragma once

#include <string>

namespace tessera::tune {

/// The target of a path after symbolic links, which need not exist.
std::string followed(const std::string& path);

/// Writes a file beside `path`, waits until it is on the disk and renames it to `path`. A symbolic link stays one, and
/// the file that it names is replaced; the new file has the permissions of the old one. Throws tessera::error with the
/// system's error and a remedy, and leaves an old file unchanged.
void replace_file(const std::string& path, const std::string& content);

/// Throws the errors of replace_file(path, ...) that can be known in advance, and changes nothing.
void check_replaceable(const std::string& path);

/// Removes temporary files of processes that were killed in replace_file(path, ...). Only for the holder of the file's
/// lock: it would also remove files that other processes are writing.
void remove_leftovers(const std::string& path);

/// Writes all of `content` to an open file and syncs it. Throws naming `path`.
void write_to_disk(int file, const std::string& content, const std::string& path);

}  // namespace tessera::tune
