// SPDX-License-Identifier: BSD-3-Clause
// Writes a record file, one record a line, and names it.
#include <cctype>

#include "record.hpp"
#include "store/record_json.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

std::string file_name_for(const record_file& f) {
  std::string name;
  for (const char c : f.device) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter))
      name += char(std::tolower(letter));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return (name.empty() ? "unknown" : name) + "-" + f.target + (f.family == "gemm" ? "" : "-" + f.family) + ".json";
}

void write_records(const record_file& f, const std::string& path) {
  const ordered_json head = {{"schema", tuning_records::schema},
                             {"device", f.device},
                             {"target", f.target},
                             {"compute_capability", f.compute_capability},
                             {"driver", f.driver},
                             {"toolkit", f.toolkit},
                             {"compiler", f.compiler},
                             {"flags", f.flags},
                             {"tessera", f.tessera},
                             {"source_hash", f.source_hash}};
  // Replaces invalid UTF-8, which names of devices may have: the file must be readable.
  const auto line = [](const ordered_json& j) {
    return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  std::string text = "{\n";
  for (const auto& [name, value] : head.items()) text += " \"" + name + "\": " + line(value) + ",\n";
  text += " \"records\": [";
  bool first = true;
  for (const record& r : f.records) {
    text += (first ? "\n  " : ",\n  ") + line(json_of(r));
    first = false;
  }
  replace_file(path, text + "\n ]\n}\n");
}

}  // namespace tessera::tune
