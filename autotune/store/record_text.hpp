// SPDX-License-Identifier: BSD-3-Clause
// What record files of all families have in common: their text, how they are changed, and what old records keep.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/record_json.hpp"

namespace tessera::tune {

/// The members before the records, of a record_file or of tuning_records.
template <class File>
ordered_json head_json(const File& f, std::string_view target) {
  return {{"schema", tuning_records::schema},
          {"device", f.device},
          {"target", target},
          {"compute_capability", f.compute_capability},
          {"driver", f.driver},
          {"toolkit", f.toolkit},
          {"compiler", f.compiler},
          {"flags", f.flags},
          {"tessera", f.tessera},
          {"source_hash", f.source_hash}};
}

/// The text of a file, a record a line. Invalid UTF-8, which names of devices may have, is replaced: the file must be
/// readable.
std::string record_text(const ordered_json& head, const std::vector<ordered_json>& records);

/// What a record with that hash of its kernels has beside records of a file with the hash `newer`: nothing if it is the
/// same, "unknown" if the record has none.
std::string hash_beside(const std::string& of_record, const std::string& newer);

/// Replaces the file by the text that change() returns, under the file's lock; `say` is called if that takes long. Of a
/// kill or a full disk the old file is left.
void change_under_lock(const std::string& path, const std::function<void(const std::string&)>& say,
                       const std::function<std::string()>& change);

}  // namespace tessera::tune
