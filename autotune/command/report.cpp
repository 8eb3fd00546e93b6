// SPDX-License-Identifier: BSD-3-Clause
// Collects the data from records and recorded timings, and starts the script that draws them.
#include "command/report.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include <tessera/error.hpp>

#include "command/progress.hpp"
#include "interrupt.hpp"
#include "search/simulate.hpp"
#include "store/safe_file.hpp"
#include "work/build_facts.hpp"
#include "work/child_process.hpp"
#include "work/compiler_settings.hpp"

namespace tessera::tune {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr int schema = 1;
constexpr double drawing_seconds = 600;

json values_of(const config& c, const family& tuned) { return std::vector<int>(c.value, c.value + tuned.axes.size()); }

json json_of(const recorded_candidate& c, const family& tuned) {
  const double seconds = true_seconds(c);
  return {{"values", values_of(c.of, tuned)},
          {"predicted", c.predicted},
          {"seconds", std::isfinite(seconds) ? json(seconds) : json()}};
}

json json_of(const record& r, const recording& timings, const family& tuned) {
  json candidates = json::array();
  const recorded_space* measured = space_in(timings, r.of);
  if (measured != nullptr)
    for (const recorded_candidate& c : measured->candidates) candidates.push_back(json_of(c, tuned));
  return {{"name", key_of(r.of)},
          {"type", name_of(r.of.type)},
          {"regime", name_of(r.of.in)},
          {"seconds", r.seconds},
          {"fraction", r.fraction},
          {"suspect", measured != nullptr && measured->suspect},
          {"tie", r.tie},
          {"winner", values_of(r.winner, tuned)},
          {"present", name_of(measured != nullptr ? measured->present : present_row::unknown)},
          {"present_seconds", measured != nullptr ? measured->present_seconds : 0},
          {"candidates", std::move(candidates)}};
}

json facts_of(const record_file& f) {
  json facts = json::object();
  for (const auto& [name, value] : {std::pair{"driver", f.driver},
                                    {"toolkit", f.toolkit},
                                    {"compiler", f.compiler},
                                    {"flags", f.flags},
                                    {"Tessera", f.tessera},
                                    {"kernel sources", f.source_hash}})
    if (!value.empty()) facts[name] = value;
  return facts;
}

// The rarity of good candidates, and the quality of the model's ranking, by type and regime, if there is a model.
std::string notes_on(const recording& timings) {
  std::string text = text_of(rarity_in(timings));
  for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
    for (const memory_regime in : {memory_regime::cache, memory_regime::stream}) {
      const std::string name = std::string(name_of(type)) + " " + name_of(in);
      recording one;
      for (const recorded_space& space : timings.spaces)
        if (space.of.find(" " + name + " ") != std::string::npos) one.spaces.push_back(space);
      const model_quality q = quality_of_model(one);
      if (q.spaces > 0) text += name + ": " + text_of(q);
    }
  return text;
}

json data_of(const record_file& f, const recording& timings, const family& tuned) {
  json axes = json::array(), cases = json::array();
  for (const named_axis& a : tuned.axes) axes.push_back(a.name);
  for (const record& r : f.records) cases.push_back(json_of(r, timings, tuned));
  return {{"schema", schema},           {"device", f.device},
          {"target", f.target},         {"facts", facts_of(f)},
          {"axes", std::move(axes)},    {"cases", std::move(cases)},
          {"notes", notes_on(timings)}, {"table", table_of(f, timings, tuned)}};
}

fs::path drawing_script() {
  const fs::path installed = program_folder().parent_path() / build::data_folder / "plot_report.py";
  return fs::exists(installed) ? installed : fs::path(build::plot_report);
}

finished drawn(const std::string& script, const std::string& folder) {
  const finished later{.output = "interrupted"};
  if (interrupted) return later;
  try {
    return run({.words = {build::python, script, folder}, .seconds = drawing_seconds});
  } catch (const interruption&) {
    return later;
  }
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

fs::path report_folder_for(const fs::path& record) {
  return record.parent_path() / (record.stem().string() + "-report");
}

std::string write_report(const record_file& f, const recording& timings, const family& tuned, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw error("the report's folder " + folder.string() + " cannot be made: " + failed.message() +
                "; name another one with --output");
  replace_file((folder / "data.json").string(),
               data_of(f, timings, tuned).dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  const std::string script = drawing_script().string();
  const finished drawing = drawn(script, folder.string());
  if (drawing.ok()) return "report: " + (folder / "index.html").string();
  const std::string why = drawing.timed_out ? "drawing took too long" : last_line(drawing.output);
  return "report: no pictures (" + why + "); later: " + build::python + " \"" + script + "\" \"" + folder.string() +
         "\"";
}

}  // namespace tessera::tune
