// SPDX-License-Identifier: BSD-3-Clause
// Journal lines from and to JSON.
#include "search/journal_lines.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <tessera/detail/record_figures.hpp>
#include <tessera/error.hpp>

#include "store/parsed_json.hpp"

namespace tessera::tune {

namespace {

using json = nlohmann::json;

// A reason has the output of a compiler or a crashed process, which may not be UTF-8.
std::string compact(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Null if the line is not JSON.
json parsed_line(const std::string& line) try { return parsed_json(line); } catch (const error&) {
  return nullptr;
}

std::string difference_text(const std::string& what, const json& there, const json& here) {
  return what + ": " + compact(there) + " there, " + compact(here) + " here";
}

}  // namespace

std::string text_of(const config& c) {
  const auto last = std::find_if(std::rbegin(c.value), std::rend(c.value), [](int v) { return v != 0; });
  return json(std::vector<int>(std::begin(c.value), last.base())).dump();
}

std::optional<outcome> outcome_named(const std::string& name) {
  for (const outcome o :
       {outcome::ok, outcome::wrong, outcome::crashed, outcome::timed_out, outcome::not_compiled, outcome::spilled})
    if (name == name_of(o)) return o;
  return std::nullopt;
}

std::string line_of(const journal_header& h) {
  return compact({{"tessera_journal", journal_header::schema},
                  {"device", h.device},
                  {"source_hash", h.source_hash},
                  {"facts", h.facts}});
}

std::string line_of(const std::string& of_case, const config& c, const sample& s) {
  json line{{"case", of_case}, {"config", json::parse(text_of(c))}, {"how", name_of(s.how)}};
  if (s.how == outcome::ok)
    line["seconds"] = s.seconds;
  else
    line["reason"] = s.reason;
  return compact(line);
}

std::optional<journal_entry> entry_of(const std::string& line) {
  const json j = parsed_line(line);
  if (!j.is_object()) return std::nullopt;
  journal_entry entry;
  entry.of_case = text_at(j, "case");
  const auto values = j.find("config");
  const std::optional<outcome> how = outcome_named(text_at(j, "how"));
  if (entry.of_case.empty() || values == j.end() || !values->is_array() || !how) return std::nullopt;
  entry.config_text = values->dump();
  entry.what.how = *how;
  entry.what.reason = text_at(j, "reason");
  if (*how == outcome::ok) {
    const auto seconds = j.find("seconds");
    if (seconds == j.end() || !seconds->is_number()) return std::nullopt;
    entry.what.seconds = seconds->get<double>();
    if (!is_time(entry.what.seconds)) return std::nullopt;
  }
  return entry;
}

std::string difference_of(const std::string& line, const journal_header& h) {
  const json there = parsed_line(line);
  if (!there.is_object() || !there.contains("tessera_journal")) return "its first line is not a journal's header";
  const json here = json::parse(line_of(h));
  for (const char* key : {"tessera_journal", "device", "source_hash"})
    if (there.value(key, json()) != here[key]) return difference_text(key, there.value(key, json()), here[key]);
  const json facts = there.value("facts", json::object());
  for (const auto& [name, value] : h.facts)
    if (text_at(facts, name.c_str()) != value) return difference_text(name, text_at(facts, name.c_str()), value);
  return facts.size() == h.facts.size() ? "" : "it names facts that are not known here";
}

}  // namespace tessera::tune
