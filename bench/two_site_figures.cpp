// SPDX-License-Identifier: BSD-3-Clause
// Compares two-site updates with libraries, and takes the means.
#include "two_site_figures.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "comparison.hpp"
#include "measure/statistics.hpp"

namespace tessera::bench {

namespace {

using nlohmann::json;

constexpr long long most_of_few = 16, many = 256;  // entries of an update
constexpr std::string_view graph_ending = " graph";

bool is_in_graph(std::string_view name) { return name.ends_with(graph_ending); }

bool is_library(std::string_view name) {
  for (const std::string_view ours : {"tessera", "staged", "direct"})
    if (name == ours || name == std::string(ours) + std::string(graph_ending)) return false;
  return true;
}

bool is_usable(const result& r) { return r.checked.correct() && r.suspect.empty(); }

const result* found_in(const case_results& c, const std::string& name) {
  for (const result& r : c.all)
    if (r.impl == name && is_usable(r)) return &r;
  return nullptr;
}

std::optional<part_of_library> of_best(const case_results& c, bool graphs) {
  const result* const ours = found_in(c, graphs ? graph_name("tessera") : "tessera");
  if (!ours) return std::nullopt;
  std::vector<const timing*> times;
  std::vector<std::string> names;
  for (const result& r : c.all) {
    if (!is_library(r.impl) || is_in_graph(r.impl) != graphs || !is_usable(r)) continue;
    times.push_back(&r.time);
    names.push_back(r.impl);
  }
  const std::optional<peer_comparison> best = compare_with_best(ours->time, times);
  if (!best) return std::nullopt;
  return part_of_library{1 / best->ratio, names[best->index]};
}

template <class... Value>
std::string figure_text(const char* format, Value... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// The values that cases have, with their labels.
struct figure_values {
  std::vector<double> all;
  std::vector<std::string> labels;

  void add(double value, const std::string& label) {
    all.push_back(value);
    labels.push_back(label);
  }
  std::size_t worst() const { return std::size_t(std::max_element(all.begin(), all.end()) - all.begin()); }
};

struct all_figures {
  figure_values called, in_graph, of_bound;
};

all_figures figures_of(const std::vector<two_site_parts>& cases) {
  all_figures made;
  for (const two_site_parts& c : cases) {
    if (c.called && c.count <= most_of_few) made.called.add(c.called->value, c.label);
    if (c.in_graph) made.in_graph.add(c.in_graph->value, c.label);
    if (c.of_bound && c.count == many) made.of_bound.add(*c.of_bound, c.label);
  }
  return made;
}

json part_json(const std::optional<part_of_library>& part) {
  return part ? json{{"of_best_library", part->value}, {"library", part->library}} : json(nullptr);
}

}  // namespace

std::string graph_name(const std::string& way) { return way + std::string(graph_ending); }

two_site_parts parts_of(const case_results& c) {
  two_site_parts made{c.facts.at("dp"), c.facts.at("chi"), c.facts.at("batch"), c.label};
  made.called = of_best(c, false);
  made.in_graph = of_best(c, true);
  if (const result* const ours = found_in(c, graph_name("tessera")))
    made.of_bound = c.limit.seconds / ours->time.seconds.median;
  return made;
}

std::string comparison_text(const two_site_parts& parts) {
  std::string text;
  if (parts.called) text += figure_text("  called %.2f of %s", parts.called->value, parts.called->library.c_str());
  if (parts.in_graph) text += figure_text("  graph %.2f of %s", parts.in_graph->value, parts.in_graph->library.c_str());
  return text;
}

std::vector<std::string> two_site_figures::lines() const {
  const all_figures f = figures_of(cases_);
  std::vector<std::string> lines;
  if (!f.called.all.empty())
    lines.push_back(figure_text("called, B <= %lld, %zu cases: our time over the best library's: geometric mean %.3f",
                                most_of_few, f.called.all.size(), geometric_mean(f.called.all)));
  if (!f.in_graph.all.empty()) {
    const std::size_t worst = f.in_graph.worst();
    lines.push_back(
        figure_text("in graphs, %zu cases: our time over the best library's: geometric mean %.3f, worst "
                    "%.3f (%s)",
                    f.in_graph.all.size(), geometric_mean(f.in_graph.all), f.in_graph.all[worst],
                    f.in_graph.labels[worst].c_str()));
  }
  if (!f.of_bound.all.empty())
    lines.push_back(figure_text("in graphs, B = %lld, %zu cases: part of the bound: geometric mean %.3f", many,
                                f.of_bound.all.size(), geometric_mean(f.of_bound.all)));
  return lines;
}

json two_site_figures::to_json() const {
  json cases = json::array();
  for (const two_site_parts& c : cases_)
    cases.push_back({{"dp", c.dp},
                     {"chi", c.chi},
                     {"batch", c.count},
                     {"called", part_json(c.called)},
                     {"graph", part_json(c.in_graph)},
                     {"graph_of_bound", c.of_bound ? json(*c.of_bound) : json(nullptr)}});
  const all_figures f = figures_of(cases_);
  json figures = json::object();
  if (!f.called.all.empty())
    figures["called_of_best_library"] = {
        {"most_entries", most_of_few}, {"cases", f.called.all.size()}, {"mean", geometric_mean(f.called.all)}};
  if (!f.in_graph.all.empty())
    figures["graph_of_best_library"] = {{"cases", f.in_graph.all.size()},
                                        {"mean", geometric_mean(f.in_graph.all)},
                                        {"worst", f.in_graph.all[f.in_graph.worst()]},
                                        {"worst_case", f.in_graph.labels[f.in_graph.worst()]}};
  if (!f.of_bound.all.empty())
    figures["graph_of_bound"] = {
        {"entries", many}, {"cases", f.of_bound.all.size()}, {"mean", geometric_mean(f.of_bound.all)}};
  return {{"cases", cases}, {"figures", figures}};
}

}  // namespace tessera::bench
