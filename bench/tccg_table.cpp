// SPDX-License-Identifier: BSD-3-Clause
// Lines and means of the suite tccg.
#include "tccg_table.hpp"

#include <algorithm>
#include <cstdio>

#include "measure/statistics.hpp"

namespace tessera::bench {

namespace {

template <class... Value>
std::string text_of(const char* format, Value... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

constexpr std::size_t least_width = 9;

std::size_t width_of(const std::string& peer) { return std::max(least_width, peer.size() + 2); }

}  // namespace

std::string tccg_table::heading() const {
  std::string line =
      text_of("%-22s %10s %10s %8s %8s %6s %-9s", "row", "time", "predicted", "GB/s", "TFLOP/s", "bound", "by");
  for (const std::string& name : peers_) line += padded(name, width_of(name));
  return line + "  kernel";
}

std::string tccg_table::add(const case_results& c) {
  const result& ours = c.all.front();
  const double seconds = ours.time.seconds.median;
  row made{c.label, c.place.groups.empty() ? "" : c.place.groups.front(), c.limit.seconds / seconds, {}};
  std::string briefs;
  for (const result& r : c.all) {
    if (&r == &ours || !r.checked.correct()) continue;
    if (r.suspect.empty()) made.ratios[r.impl] = r.time.seconds.median / seconds;
    if (!r.brief.empty()) briefs += "  " + r.impl + ": " + r.brief;
  }
  std::string line = text_of("%-22s %10s %10s %8.1f %8.3f %5.1f%% %-9s", c.label.c_str(), duration(seconds).c_str(),
                             c.predicted ? duration(c.predicted->seconds).c_str() : "-", c.bytes / seconds * 1e-9,
                             c.flops / seconds * 1e-12, 100 * made.fraction, c.limit.by);
  for (const std::string& name : peers_) {
    const auto found = made.ratios.find(name);
    line += padded(found == made.ratios.end() ? "-" : text_of("%.2f", found->second), width_of(name));
  }
  line += "  " + c.row + briefs + (ours.checked.correct() ? "" : "  WRONG") + mark_of(ours);
  if (ours.checked.correct() && ours.suspect.empty()) rows_.push_back(std::move(made));
  return line;
}

std::vector<tccg_table::group> tccg_table::groups() const {
  std::vector<std::string> names;
  for (const row& r : rows_)
    if (std::find(names.begin(), names.end(), r.group) == names.end()) names.push_back(r.group);
  if (names.size() != 1) names.emplace_back("all");
  std::vector<group> all;
  for (const std::string& name : names) {
    const bool everything = name == "all";
    const auto mean_of = [&](auto value) {  // value(row): empty where it does not count
      mean m;
      std::vector<double> values;
      for (const row& r : rows_) {
        const std::optional<double> one = everything || r.group == name ? value(r) : std::nullopt;
        if (!one) continue;
        if (values.empty() || *one < m.worst) {
          m.worst = *one;
          m.worst_row = r.label.substr(0, r.label.find(' '));
        }
        values.push_back(*one);
      }
      m.rows = values.size();
      if (values.empty()) return m;
      m.value = geometric_mean(values);
      for (double& one : values) one = std::max(1.0, one);
      m.faster = geometric_mean(values);
      return m;
    };
    group made{name, mean_of([](const row& r) { return std::optional(r.fraction); }), {}};
    for (const std::string& peer : peers_)
      made.peers[peer] = mean_of([&](const row& r) -> std::optional<double> {
        const auto found = r.ratios.find(peer);
        return found == r.ratios.end() ? std::nullopt : std::optional(found->second);
      });
    all.push_back(std::move(made));
  }
  return all;
}

std::vector<std::string> tccg_table::means() const {
  if (rows_.empty()) return {};
  const auto ratio = [](const mean& m) {
    return m.rows == 0 ? "-" : text_of("%.2f, %.2f, %.2f", m.value, m.faster, m.worst) + " (" + m.worst_row + ")";
  };
  constexpr std::size_t column = 20, column_of_peer = 26;
  std::string heading = text_of("%-18s %5s", "mean, worst (row)", "rows") + padded("bound", column);
  for (const std::string& name : peers_) heading += padded(name, column_of_peer);
  std::vector<std::string> lines{heading};
  for (const group& g : groups()) {
    std::string line = text_of("%-18s %5zu", g.name.c_str(), g.fraction.rows);
    line += padded(
        text_of("%.1f%%, %.1f%%", 100 * g.fraction.value, 100 * g.fraction.worst) + " (" + g.fraction.worst_row + ")",
        column);
    for (const std::string& name : peers_) line += padded(ratio(g.peers.at(name)), column_of_peer);
    lines.push_back(line);
  }
  if (!peers_.empty())
    lines.emplace_back("of a peer GM_1, GM_2, worst: means of its time over ours, and of max(1, that)");
  return lines;
}

nlohmann::json tccg_table::means_as_json() const {
  const auto of_mean = [](const mean& m) {
    return nlohmann::json{{"mean", m.value}, {"worst", m.worst}, {"worst_row", m.worst_row}, {"rows", m.rows}};
  };
  nlohmann::json all = nlohmann::json::array();
  if (rows_.empty()) return all;
  for (const group& g : groups()) {
    nlohmann::json peers = nlohmann::json::object();
    for (const auto& [name, m] : g.peers)
      if (m.rows > 0) {
        peers[name] = of_mean(m);
        peers[name]["gm_2"] = m.faster;
      }
    all.push_back({{"group", g.name}, {"rows", g.fraction.rows}, {"fraction", of_mean(g.fraction)}, {"peers", peers}});
  }
  return all;
}

}  // namespace tessera::bench
