// SPDX-License-Identifier: BSD-3-Clause
// Reads a record file: what it accepts is right, what it refuses it names.
#include <set>

#include <tessera/error.hpp>
#include <tessera/whole_file.hpp>

#include "record.hpp"
#include "store/parsed_json.hpp"
#include "store/record_json.hpp"

namespace tessera::tune {

namespace {

using nlohmann::json;

target target_of(const std::string& name) {
  std::string known;
  for (const target t : all_targets) {
    if (t == target::reference) continue;
    if (name == name_of(t)) return t;
    known += (known.empty() ? "" : ", ") + std::string(name_of(t));
  }
  throw error("\"target\" is " + shown(name) + "; known: " + known);
}

void read_head(record_file& f, const json& j) {
  if (!j.is_object()) throw error("the file must hold an object with \"schema\", \"device\", \"target\", \"records\"");
  const long schema = integer_member(j, "schema", 0, 1L << 30);
  if (schema != record_file::schema)
    throw error("\"schema\" is " + std::to_string(schema) + ", but this program knows schema " +
                std::to_string(record_file::schema) + " only; tune again, or take the version that wrote the file");
  f.device = text_member(j, "device");
  f.target = text_member(j, "target");
  if (f.device.empty()) throw error("\"device\" is empty");
  f.compute_capability = text_member(j, "compute_capability", "");
  f.driver = text_member(j, "driver", "");
  f.toolkit = text_member(j, "toolkit", "");
  f.compiler = text_member(j, "compiler", "");
  f.flags = text_member(j, "flags", "");
  f.source_hash = text_member(j, "source_hash", "");
  f.tessera = text_member(j, "tessera", "");
}

void read_list(record_file& f, const json& j) {
  const auto list = j.find("records");
  if (list == j.end() || !list->is_array()) throw error("\"records\" must be a list");
  const target on = target_of(f.target);
  const std::vector<axis_start> axes = axes_of_target(on);
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const json& one : *list) {
    try {
      f.records.push_back(record_of(one, on, axes));
    } catch (const error& wrong) {
      throw error("record " + std::to_string(number) + ": " + wrong.what());
    }
    const std::string key = key_of(f.records.back().of);
    if (!seen.insert(key).second) throw error("record " + std::to_string(number) + ": a second one for " + key);
    if (f.records.back().of.element) f.family = "element";
    ++number;
  }
}

}  // namespace

record_file read_records(const std::string& path) {
  const std::string text = whole_file("records", path);
  try {
    const json j = parsed_json(text);
    record_file f;
    read_head(f, j);
    read_list(f, j);
    return f;
  } catch (const json::exception& wrong) {
    throw error("records " + path + ": not a record file: " + wrong.what());
  } catch (const error& wrong) {
    throw error("records " + path + ": " + wrong.what());
  }
}

}  // namespace tessera::tune
