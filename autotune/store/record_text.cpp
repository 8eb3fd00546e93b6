// SPDX-License-Identifier: BSD-3-Clause
// Writes a record a line, so that a changed record is a changed line.
#include "store/record_text.hpp"

#include "store/file_lock.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

std::string record_text(const ordered_json& head, const std::vector<ordered_json>& records) {
  const auto line = [](const ordered_json& j) {
    return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  std::string text = "{\n";
  for (const auto& [name, value] : head.items()) text += " \"" + name + "\": " + line(value) + ",\n";
  text += " \"records\": [";
  for (std::size_t i = 0; i < records.size(); ++i) text += (i == 0 ? "\n  " : ",\n  ") + line(records[i]);
  return text + "\n ]\n}\n";
}

std::string hash_beside(const std::string& of_record, const std::string& newer) {
  if (of_record == newer) return "";
  return of_record.empty() ? "unknown" : of_record;
}

void change_under_lock(const std::string& path, const std::function<void(const std::string&)>& say,
                       const std::function<std::string()>& change) {
  lock_wait how;
  how.say = say;
  const file_lock mine(followed(path), how);
  remove_leftovers(path);
  replace_file(path, change());
}

}  // namespace tessera::tune
