// SPDX-License-Identifier: BSD-3-Clause
// Prints the table and writes the JSON file.
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include <tessera/error.hpp>

#include "build_facts.hpp"
#include "comparison.hpp"
#include "disclosure.hpp"
#include "result_json.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

constexpr double seconds_between_writes = 5;

}  // namespace

std::string mark_of(const result& r) { return r.suspect.empty() ? "" : "  SUSPECT"; }

std::string duration(double seconds) {
  const struct {
    double unit;
    const char* name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, "ns"}};
  char text[32];
  for (const auto& u : units) {
    if (seconds < u.unit) continue;
    std::snprintf(text, sizeof text, "%.2f %s", seconds / (u.unit > 0 ? u.unit : 1e-9), u.name);
    break;
  }
  return text;
}

report::report(const options& o, const std::vector<peer>& peers) : options_(o) {
  file_ = {{"schema", 1},
           {"complete", false},
           {"tessera", {{"version", build::version}, {"git", build::git}}},
           {"platform", disclose(o, peers)},
           {"limits", json::array()},
           {"results", json::array()}};
}

void report::note(const std::string& line) const {
  if (options_.quiet) return;
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void report::add(const limit& l) {
  file_["limits"].push_back({{"what", l.what},
                             {"where", l.where},
                             {"type", l.type.empty() ? json(nullptr) : json(l.type)},
                             {"threads", l.threads},
                             {"unit", l.unit},
                             {"median", l.value.median},
                             {"mad", l.value.mad},
                             {"min", l.value.min},
                             {"max", l.value.max},
                             {"reps", l.value.reps}});
  if (options_.quiet || options_.suite != "limits") return;
  if (!std::exchange(heading_, true))
    std::printf("%-8s %-26s %-4s %7s %10s %10s %10s  %s\n", "where", "what", "type", "threads", "min", "median", "max",
                "unit");
  std::printf("%-8s %-26s %-4s %7d %10.1f %10.1f %10.1f  %s\n", l.where.c_str(), l.what.c_str(), l.type.c_str(),
              l.threads, l.value.min, l.value.median, l.value.max, l.unit.c_str());
  std::fflush(stdout);
}

void report::predict(case_results& c) const {
  // The loops that run functions, other pairs and integers on a CPU are not limited by multiply-adds.
  const bool by_plain_loops = c.row.starts_with("general ") && c.row.find(" plain loops") != std::string::npos;
  if (!model_ || c.predicted || by_plain_loops) return;
  try {
    c.predicted = bench::predict(model_->level_for(c.bytes), c.limit.peak, c.flops, c.bytes);
  } catch (const error&) {
    // Beside the case there is no memory to measure the level in: then it has no prediction.
  }
}

void report::keep(case_results c) {
  predict(c);
  keep(c, "", std::nullopt);
}

void report::keep(const case_results& c, const std::string& best_peer, std::optional<double> ratio) {
  if (const result& ours = c.all.front(); !ours.suspect.empty())
    suspects_.push_back(c.label + ": " + ours.suspect + ", measured " + std::to_string(c.measured) + " times");
  if (const result& ours = c.all.front(); ours.suspect.empty() && ours.time.seconds.median > 0) {
    if (c.predicted) predicted_.push_back(c.predicted->seconds / ours.time.seconds.median);
    if (ours.time.joules > 0) energy_.push_back({ours.time.seconds.median, ours.time.joules, c.flops, c.bytes});
  }
  for (const result& r : c.all) {
    file_["results"].push_back(to_json(c, r, options_));
    const bool is_ours = &r == &c.all.front();
    file_["results"].back()["best_peer"] = is_ours && ratio ? json(best_peer) : json(nullptr);
    file_["results"].back()["ratio"] = is_ours && ratio ? json(*ratio) : json(nullptr);
    if (!r.checked.correct()) refuse(c.label, r.impl, r.checked);
  }
  if (since_write_.seconds() >= seconds_between_writes) write();
}

// A file is whole at any time; a pipe gets all at the end.
void report::write() {
  const std::string& name = options_.json_file;
  std::error_code ignored;
  const bool is_pipe = std::filesystem::exists(name, ignored) && !std::filesystem::is_regular_file(name, ignored);
  if (name.empty() || (is_pipe && !file_["complete"])) return;
  const std::string part = is_pipe ? name : name + ".part";
  std::ofstream out(part);
  out << file_.dump(1) << '\n';
  out.close();
  if (!out || (!is_pipe && std::rename(part.c_str(), name.c_str()) != 0))
    throw error("json: cannot write '" + name + "'");
  since_write_ = {};
}

void report::refuse(const std::string& label, const std::string& impl, const verdict& v) {
  wrong_ = true;
  std::fprintf(stderr, "tessera-bench: %s: %s is wrong: error %.3g, bound %.3g\n", label.c_str(), impl.c_str(), v.error,
               v.bound);
}

void report::add(case_results c, bool with_line) {
  predict(c);
  const result& ours = c.all.front();
  std::vector<const timing*> times;
  std::vector<std::string> names;
  for (const result& r : c.all) {
    if (&r == &ours || !r.is_peer || !r.checked.correct() || !r.suspect.empty()) continue;
    times.push_back(&r.time);
    names.push_back(r.impl);
  }
  const std::optional<peer_comparison> best = compare_with_best(ours.time, times);
  const std::string name = best ? names[best->index] : "-";
  const std::optional<double> ratio = best ? std::optional(best->ratio) : std::nullopt;
  keep(c, name, ratio);
  const double seconds = ours.time.seconds.median;
  if (ours.suspect.empty()) summary_.add({c.label, c.place, ratio, c.limit.seconds / seconds, seconds / c.flops});
  if (!options_.quiet && with_line) print(c, name, ratio);
}

void report::print(const case_results& c, const std::string& best_peer, std::optional<double> ratio) {
  if (!std::exchange(heading_, true))
    std::printf("%-22s %10s %10s %8s %8s %6s %-9s %-18s %6s  %s\n", "case", "time", "predicted", "GFLOP/s", "GB/s",
                "bound", "by", "best peer", "ratio", "row");
  const timing& t = c.all.front().time;
  char peer_ratio[16] = "-";
  if (ratio) std::snprintf(peer_ratio, sizeof peer_ratio, "%.2f", *ratio);
  std::printf("%-22s %10s %10s %8.1f %8.1f %5.1f%% %-9s %-18s %6s  %s%s%s\n", c.label.c_str(),
              duration(t.seconds.median).c_str(), c.predicted ? duration(c.predicted->seconds).c_str() : "-",
              c.flops / t.seconds.median * 1e-9, c.bytes / t.seconds.median * 1e-9,
              100 * c.limit.seconds / t.seconds.median, c.limit.by, best_peer.c_str(), peer_ratio, c.row.c_str(),
              c.all.front().checked.correct() ? "" : "  WRONG", mark_of(c.all.front()).c_str());
  std::fflush(stdout);
}

// With fewer runs, or more alike, base power cannot be told from flops and bytes.
void report::fit_energy_of_results() {
  constexpr std::size_t fewest = 4;
  if (energy_.size() < fewest) return;
  const std::optional<models::energy_model> fitted = models::fit_energy(energy_);
  if (!fitted) return;
  file_["models"]["energy"] = {{"base_watts", fitted->base_watts},
                               {"joules_per_flop", fitted->joules_per_flop},
                               {"joules_per_byte", fitted->joules_per_byte},
                               {"worst_fit", fitted->worst_fit},
                               {"runs", energy_.size()}};
  char text[160];
  std::snprintf(text, sizeof text,
                "energy model: %.0f W + %.2f pJ a flop + %.2f pJ a byte, fitted to %zu cases, off by at most %.0f%%",
                fitted->base_watts, 1e12 * fitted->joules_per_flop, 1e12 * fitted->joules_per_byte, energy_.size(),
                100 * fitted->worst_fit);
  note(text);
}

int report::finish() {
  for (const std::string& line : summary_.of_groups()) note(line);
  if (const std::string steps = summary_.of_steps(); !steps.empty()) note(steps);
  if (!predicted_.empty()) {
    const auto [least, most] = std::minmax_element(predicted_.begin(), predicted_.end());
    char text[128];
    std::snprintf(text, sizeof text, "predicted / measured time: geometric mean %.3f, from %.3f to %.3f",
                  geometric_mean(predicted_), *least, *most);
    note(text);
  }
  fit_energy_of_results();
  if (model_) file_["models"]["memory"] = model_->to_json();
  if (!suspects_.empty()) {
    note("SUSPECT: the measurement is not trustworthy, most likely because the machine was busy");
    for (const std::string& s : suspects_) note("  " + s);
  }
  const std::string summary = summary_.empty() ? "" : summary_.of_all() + "; ";
  const std::string left_out = suspects_.empty() ? "" : std::to_string(suspects_.size()) + " SUSPECT, left out; ";
  if (options_.suite != "limits" && options_.suite != "models")
    note(summary + left_out + (wrong_ ? "SOME RESULTS ARE WRONG" : "all results right"));
  file_["complete"] = true;
  write();
  return wrong_ ? 1 : suspects_.empty() ? 0 : 3;
}

}  // namespace tessera::bench
