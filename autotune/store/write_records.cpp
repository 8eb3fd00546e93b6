// SPDX-License-Identifier: BSD-3-Clause
// Writes a record file, one record a line, and names it.
#include <cctype>
#include <string>
#include <vector>

#include "record.hpp"
#include "store/record_text.hpp"
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

std::string records_text(const record_file& f) {
  std::vector<ordered_json> records;
  for (const record& r : f.records) records.push_back(json_of(r));
  return record_text(head_json(f, f.target), records);
}

void write_records(const record_file& f, const std::string& path) { replace_file(path, records_text(f)); }

}  // namespace tessera::tune
