// SPDX-License-Identifier: BSD-3-Clause
// Recordings from and to JSON files.
#include "search/recording.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include <tessera/detail/record_figures.hpp>
#include <tessera/detail/whole_file.hpp>
#include <tessera/error.hpp>

#include "measure/statistics.hpp"
#include "search/journal_lines.hpp"
#include "store/parsed_json.hpp"
#include "store/record_json.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

namespace {

using json = nlohmann::json;

constexpr std::pair<present_row, std::string_view> present_rows[] = {{present_row::unknown, "unknown"},
                                                                     {present_row::none, "none"},
                                                                     {present_row::fails, "fails"},
                                                                     {present_row::runs, "runs"}};

present_row present_row_named(const std::string& name) {
  const auto* found = std::ranges::find(present_rows, name, &std::pair<present_row, std::string_view>::second);
  if (found == std::end(present_rows)) throw error("the present row is not '" + name + "'");
  return found->first;
}

json json_of(const recorded_candidate& c) {
  json j{{"config", json::parse(text_of(c.of))}, {"predicted", c.predicted}};
  if (!c.seconds.empty()) j["seconds"] = c.seconds;
  if (c.how != outcome::ok) {
    j["how"] = name_of(c.how);
    j["reason"] = c.reason;
  }
  return j;
}

const json& list_member(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) throw error(std::string("\"") + name + "\" must be a list");
  return *found;
}

// Files written by this program: impossible times are due to damage.
double time_of(const json& value) {
  if (!value.is_number() || !is_time(value.get<double>()))
    throw error("a sample is " + shown(value) + ", which no clock gives");
  return value.get<double>();
}

recorded_candidate candidate_of(const json& j) {
  if (!j.is_object()) throw error("a candidate must be an object, not " + shown(j));
  recorded_candidate c;
  const json& values = list_member(j, "config");
  if (values.size() > std::size(c.of.value))
    throw error("a config has more than " + std::to_string(max_axes) + " axes");
  constexpr long most = 1L << 30;
  for (std::size_t i = 0; i < values.size(); ++i)
    c.of.value[i] = int(integer_member(json{{"config", values[i]}}, "config", 0, most));
  c.predicted = number_member(j, "predicted", std::nan(""));
  if (!(c.predicted >= 0 && std::isfinite(c.predicted))) throw error("\"predicted\" is no time");
  const std::string how = text_member(j, "how", name_of(outcome::ok));
  const std::optional<outcome> known = outcome_named(how);
  if (!known) throw error("there is no outcome " + shown(how));
  c.how = *known;
  c.reason = text_member(j, "reason", "");
  if (j.contains("seconds"))
    for (const json& value : list_member(j, "seconds")) c.seconds.push_back(time_of(value));
  if (c.how == outcome::ok && c.seconds.empty()) throw error("a candidate that worked has no samples");
  return c;
}

recorded_space space_of(const json& j) {
  if (!j.is_object()) throw error("a space must be an object, not " + shown(j));
  recorded_space s;
  s.of = text_member(j, "case");
  for (const json& c : list_member(j, "candidates")) s.candidates.push_back(candidate_of(c));
  constexpr long many = 1L << 30;
  s.incumbent = int(integer_member(j, "incumbent", -1, many));
  s.present = present_row_named(text_member(j, "present", std::string(name_of(present_row::unknown))));
  s.present_seconds = number_member(j, "present_seconds", 0);
  s.suspect = flag_member(j, "suspect");
  if (s.present == present_row::runs && s.present_seconds <= 0)
    throw error("the present row of " + s.of + " runs in no time");
  if (s.present_seconds != 0 && !is_time(s.present_seconds))
    throw error("the present row of " + s.of + " runs in a time that no clock gives");
  if (s.incumbent < -1 || s.incumbent >= int(s.candidates.size()))
    throw error("the incumbent of " + s.of + " is not a candidate");
  return s;
}

recording recording_of(const json& j) {
  if (!j.is_object()) throw error("the file must hold an object");
  if (const long found = integer_member(j, "schema", 0, 1L << 30); found != recording::schema)
    throw error("its schema is " + std::to_string(found) + ", this program reads " + std::to_string(recording::schema) +
                ": record again");
  recording r;
  r.device = text_member(j, "device");
  const auto facts = j.find("facts");
  if (facts == j.end() || !facts->is_object()) throw error("\"facts\" must be an object");
  for (const auto& fact : facts->items()) r.facts[fact.key()] = text_member(*facts, fact.key().c_str());
  for (const json& each : list_member(j, "spaces")) r.spaces.push_back(space_of(each));
  return r;
}

}  // namespace

std::string_view name_of(present_row p) {
  return std::ranges::find(present_rows, p, &std::pair<present_row, std::string_view>::first)->second;
}

const recorded_space* space_in(const recording& r, const tuning_case& c) {
  const auto found = std::ranges::find(r.spaces, key_of(c), &recorded_space::of);
  return found == r.spaces.end() ? nullptr : &*found;
}

search_problem problem_of(const space& s) {
  search_problem p{int(s.candidates.size()), {}, s.initial, {}};
  for (const prediction& each : s.predicted) p.predicted.push_back(each.seconds);
  for (const config& c : s.candidates) p.points.emplace_back(std::begin(c.value), std::end(c.value));
  return p;
}

recorded_space recorded(const space& s, const search_result& measured) {
  recorded_space r;
  r.of = key_of(s.of);
  std::vector<const tried*> by_number(s.candidates.size(), nullptr);
  std::size_t rounds = std::numeric_limits<std::size_t>::max();
  for (const tried& t : measured.all) {
    by_number.at(std::size_t(t.candidate)) = &t;
    if (t.how == outcome::ok) rounds = std::min(rounds, t.seconds.size());
  }
  for (std::size_t i = 0; i < by_number.size(); ++i) {
    if (by_number[i] == nullptr) continue;
    if (int(i) == s.initial) r.incumbent = int(r.candidates.size());
    recorded_candidate c{s.candidates[i], s.predicted.at(i).seconds, by_number[i]->how, by_number[i]->reason,
                         by_number[i]->seconds};
    c.seconds.resize(std::min(rounds, c.seconds.size()));
    r.candidates.push_back(std::move(c));
  }
  return r;
}

search_problem problem_of(const recorded_space& s) {
  search_problem p{int(s.candidates.size()), {}, s.incumbent, {}};
  for (const recorded_candidate& c : s.candidates) {
    p.predicted.push_back(c.predicted);
    p.points.emplace_back(std::begin(c.of.value), std::end(c.of.value));
  }
  return p;
}

double true_seconds(const recorded_candidate& c) {
  return c.how == outcome::ok ? bench::median(c.seconds) : std::numeric_limits<double>::infinity();
}

recording read_recording(const std::string& path) {
  const std::string text = whole_file("the recording", path);
  try {
    return recording_of(parsed_json(text));
  } catch (const json::exception& e) {
    throw error("the recording " + path + " is not usable: " + e.what() + "; delete it and record again");
  } catch (const error& e) {
    throw error("the recording " + path + " is not usable: " + e.what() + "; delete it and record again");
  }
}

void write_recording(const recording& r, const std::string& path) {
  json spaces = json::array();
  for (const recorded_space& s : r.spaces) {
    json candidates = json::array();
    for (const recorded_candidate& c : s.candidates) candidates.push_back(json_of(c));
    spaces.push_back({{"case", s.of},
                      {"incumbent", s.incumbent},
                      {"present", name_of(s.present)},
                      {"present_seconds", s.present_seconds},
                      {"suspect", s.suspect},
                      {"candidates", std::move(candidates)}});
  }
  const json whole{
      {"schema", recording::schema}, {"device", r.device}, {"facts", r.facts}, {"spaces", std::move(spaces)}};
  replace_file(path, whole.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace tessera::tune
