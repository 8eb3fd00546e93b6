// SPDX-License-Identifier: BSD-3-Clause
// Reads, merges and writes a record file under a lock.
#include <filesystem>

#include "record.hpp"
#include "store/record_text.hpp"

namespace tessera::tune {

record_file add_records(const std::string& path, const record_file& newer,
                        const std::function<void(const std::string&)>& say) {
  record_file all;
  change_under_lock(path, say, [&] {
    all = std::filesystem::exists(path) ? merged(read_records(path), newer) : newer;
    return records_text(all);
  });
  return all;
}

}  // namespace tessera::tune
