// SPDX-License-Identifier: BSD-3-Clause
// Reads, merges and writes a record file under a lock.
#include "record.hpp"
#include "store/file_lock.hpp"
#include "store/safe_file.hpp"

#include <filesystem>

namespace tessera::tune {

record_file add_records(const std::string& path, const record_file& newer,
                        const std::function<void(const std::string&)>& say) {
  lock_wait how;
  how.say = say;
  const file_lock mine(followed(path), how);
  remove_leftovers(path);
  record_file all = std::filesystem::exists(path) ? merged(read_records(path), newer) : newer;
  write_records(all, path);
  return all;
}

}  // namespace tessera::tune
