// SPDX-License-Identifier: BSD-3-Clause
// Recordings from and to JSON files.
#include "search/recording.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include <tessera/error.hpp>

#include "search/journal_lines.hpp"
#include "statistics.hpp"
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

recorded_candidate candidate_of(const json& j) {
  recorded_candidate c;
  const auto values = j.at("config").get<std::vector<int>>();
  if (values.size() > std::size(c.of.value))
    throw error("a config has more than " + std::to_string(max_axes) + " axes");
  std::copy(values.begin(), values.end(), c.of.value);
  c.predicted = j.at("predicted").get<double>();
  const std::string how = j.value("how", std::string(name_of(outcome::ok)));
  const std::optional<outcome> known = outcome_named(how);
  if (!known) throw error("there is no outcome '" + how + "'");
  c.how = *known;
  c.reason = j.value("reason", std::string());
  c.seconds = j.value("seconds", std::vector<double>());
  if (c.how == outcome::ok && c.seconds.empty()) throw error("a candidate that worked has no samples");
  return c;
}

recording recording_of(const json& j) {
  if (const int found = j.at("schema").get<int>(); found != recording::schema)
    throw error("its schema is " + std::to_string(found) + ", this program reads " + std::to_string(recording::schema) +
                ": record again");
  recording r;
  r.device = j.at("device").get<std::string>();
  r.facts = j.at("facts").get<std::map<std::string, std::string>>();
  for (const json& each : j.at("spaces")) {
    recorded_space s;
    s.of = each.at("case").get<std::string>();
    s.incumbent = each.at("incumbent").get<int>();
    s.present = present_row_named(each.value("present", std::string(name_of(present_row::unknown))));
    s.present_seconds = each.value("present_seconds", 0.0);
    s.suspect = each.value("suspect", false);
    if (s.present == present_row::runs && s.present_seconds <= 0)
      throw error("the present row of " + s.of + " runs in no time");
    for (const json& c : each.at("candidates")) s.candidates.push_back(candidate_of(c));
    if (s.incumbent >= int(s.candidates.size())) throw error("the incumbent of " + s.of + " is not a candidate");
    r.spaces.push_back(std::move(s));
  }
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
  std::ifstream file(path);
  if (!file) throw error("cannot read the recording " + path + ": " + std::strerror(errno));
  try {
    return recording_of(json::parse(file));
  } catch (const json::exception& e) {
    throw error("the recording " + path + " is not readable: " + e.what() + "; delete it and record again");
  } catch (const error& e) {
    throw error("the recording " + path + " is not usable: " + e.what());
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
