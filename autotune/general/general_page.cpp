// SPDX-License-Identifier: BSD-3-Clause
// Composes the page: plain HTML, pictures as SVG.
#include "general/general_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include <nlohmann/json.hpp>

#include <tessera/error.hpp>

#include "command/progress.hpp"
#include "general/general_json.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

namespace {

constexpr int side = 240, margin = 36;  // of a picture, in pixels

constexpr const char* style =
    "body{font:15px sans-serif;margin:2em;max-width:76em}table{border-collapse:collapse}"
    "td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid #ddd}td:last-child,th:last-child,"
    "td:first-child,th:first-child{text-align:left}tr.best{background:#fff3dc}pre{background:#f6f6f6;padding:1em;"
    "overflow-x:auto}.case{display:flex;gap:2em;align-items:flex-start}";

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) all += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return all;
}

std::string cell(const std::string& text) { return "<td>" + escaped(text) + "</td>"; }

std::string rounded(double value, const char* format = "%.2f") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

struct range {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void take(double seconds) {
    low = std::min(low, seconds);
    high = std::max(high, seconds);
  }
  // On a logarithmic scale from 0 to 1.
  double place(double seconds) const { return high > low ? std::log(seconds / low) / std::log(high / low) : 0.5; }
};

bool works(const measured_tile& t) { return t.how == outcome::ok && t.seconds > 0; }

// Measured over modelled time: on the line the model is right.
std::string picture(const general_result& r) {
  range both;
  for (const measured_tile& t : r.tiles)
    if (works(t)) both.take(t.seconds), both.take(t.predicted);
  if (both.high <= 0) return "";
  const auto x = [&](double s) { return rounded(margin + both.place(s) * side, "%.1f"); };
  const auto y = [&](double s) { return rounded(margin + (1 - both.place(s)) * side, "%.1f"); };
  const int whole = side + 2 * margin;
  std::string svg = "<svg width=\"" + std::to_string(whole) + "\" height=\"" + std::to_string(whole) +
                    "\" font-size=\"12\"><rect x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(margin) +
                    "\" width=\"" + std::to_string(side) + "\" height=\"" + std::to_string(side) +
                    "\" fill=\"none\" stroke=\"#999\"/><line x1=\"" + x(both.low) + "\" y1=\"" + y(both.low) +
                    "\" x2=\"" + x(both.high) + "\" y2=\"" + y(both.high) + "\" stroke=\"#bbb\"/>";
  for (std::size_t i = 0; i < r.tiles.size(); ++i) {
    const measured_tile& t = r.tiles[i];
    if (!works(t)) continue;
    svg += "<circle cx=\"" + x(t.predicted) + "\" cy=\"" + y(t.seconds) + "\" r=\"4\" fill=\"" +
           (int(i) == r.found.winner ? "#e07b00" : "#3566a8") + "\"><title>" +
           escaped(general_tile_text(t.tile, r.of.form)) + "</title></circle>";
  }
  return svg + "<text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(margin - 10) + "\">measured, up to " +
         time_text(both.high) + "</text><text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(whole - 12) +
         "\">modelled, from " + time_text(both.low) + "</text></svg>";
}

std::string tiles_table(const general_result& r) {
  std::string text =
      "<table><tr><th>no.</th><th>modelled</th><th>measured</th><th>of bound</th><th>compiled</th><th>tile</th></tr>";
  for (std::size_t i = 0; i < r.tiles.size(); ++i) {
    const measured_tile& t = r.tiles[i];
    text += (int(i) == r.found.winner ? "<tr class=\"best\">" : "<tr>") + cell(rank_text(t)) +
            cell(time_text(t.predicted)) + cell(works(t) ? time_text(t.seconds) : name_of(t.how)) +
            cell(works(t) ? rounded(100 * r.bound / t.seconds, "%.0f %%") : "-") +
            cell(t.compile_seconds > 0 ? rounded(t.compile_seconds) + " s" : "-") +
            cell(general_tile_text(t.tile, r.of.form) + (works(t) ? "" : ": " + t.reason)) + "</tr>\n";
  }
  return text + "</table>";
}

ordered_json data_of(const general_result& r) {
  const model_figures f = figures_of(r);
  ordered_json tiles = ordered_json::array();
  for (const measured_tile& t : r.tiles)
    tiles.push_back({{"tile", tile_json(t.tile, r.of.form)},
                     {"rank", t.rank > 0 ? ordered_json(t.rank) : ordered_json()},
                     {"modelled", t.predicted},
                     {"how", name_of(t.how)},
                     {"reason", t.reason},
                     {"seconds", works(t) ? ordered_json(t.seconds) : ordered_json()},
                     {"compile_seconds", t.compile_seconds}});
  ordered_json j{{"name", name_of(r.of)},
                 {"contraction", contraction_text(r.of)},
                 {"kind", general_kind_text(r.of.kind)},
                 {"search", r.is_random ? "random" : "model"},
                 {"enumerated", r.counts.enumerated},
                 {"by_rules", r.counts.by_rules},
                 {"by_hardware", r.counts.by_hardware},
                 {"by_model", r.counts.by_model},
                 {"enumeration_seconds", r.searching_seconds},
                 {"compile_seconds", r.compile_seconds},
                 {"bound_seconds", r.bound},
                 {"winner", r.found.winner},
                 {"seconds", r.has_winner() ? ordered_json(r.found.median) : ordered_json()},
                 {"rank", f.rank},
                 {"first_of_best", f.first},
                 {"ten_of_best", f.ten},
                 {"spearman", f.spearman},
                 {"tiles", std::move(tiles)}};
  return j;
}

}  // namespace

std::string general_page(const std::vector<general_result>& results, const tuning_records& facts) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     escaped(facts.device) + ": general contractions</title><style>" + style +
                     "</style></head><body>\n<h1>General contractions on " + escaped(facts.device) + "</h1>\n<p>" +
                     escaped(facts.compiler + ", driver " + facts.driver + ", Tessera " + facts.tessera +
                             ", kernel sources " + facts.source_hash) +
                     "</p>\n<pre>" + escaped(table_of(results, facts.device)) + "</pre>\n";
  for (const general_result& r : results)
    page += "<h2>" + escaped(name_of(r.of)) + "</h2>\n<p>" + escaped(contraction_text(r.of)) + ". " +
            escaped(counts_text(r)) + ". Compiled in " + rounded(r.compile_seconds) +
            " s. Bound: " + escaped(time_text(r.bound)) + ".</p>\n<div class=\"case\">" + picture(r) + tiles_table(r) +
            "</div>\n";
  return page + "</body></html>\n";
}

void write_general_report(const std::vector<general_result>& results, const tuning_records& facts,
                          const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw error("the report's folder " + folder + " cannot be made: " + failed.message() +
                "; name another one with --output");
  ordered_json data{{"schema", 1}, {"device", facts.device}, {"source_hash", facts.source_hash}};
  data["contractions"] = ordered_json::array();
  for (const general_result& r : results) data["contractions"].push_back(data_of(r));
  const fs::path in(folder);
  replace_file((in / "data.json").string(), data.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  replace_file((in / "table.txt").string(), table_of(results, facts.device));
  replace_file((in / "index.html").string(), general_page(results, facts));
}

}  // namespace tessera::tune
