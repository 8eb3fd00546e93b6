// SPDX-License-Identifier: BSD-3-Clause
// Means and worst cases as text.
#include "summary.hpp"

#include <algorithm>
#include <cstdio>

#include "measure/statistics.hpp"

namespace tessera::bench {

namespace {

struct labelled {
  std::string label;
  double value;
};

std::string mean_and_worst(const char* what, const std::vector<labelled>& all) {
  if (all.empty()) return std::string(what) + ": none";
  std::vector<double> values;
  for (const labelled& one : all) values.push_back(one.value);
  const auto worst =
      std::min_element(all.begin(), all.end(), [](const labelled& a, const labelled& b) { return a.value < b.value; });
  char text[160];
  std::snprintf(text, sizeof text, "%s: geometric mean %.3f, worst %.3f (%s)", what, geometric_mean(values),
                worst->value, worst->label.c_str());
  return text;
}

std::string line_of(const std::vector<case_figures>& cases) {
  std::vector<labelled> ratios, fractions;
  for (const case_figures& c : cases) {
    if (c.ratio) ratios.push_back({c.label, *c.ratio});
    fractions.push_back({c.label, c.fraction});
  }
  return mean_and_worst("peer time / our time", ratios) + "; " + mean_and_worst("fraction of the bound", fractions);
}

bool is_in(const case_figures& c, const std::string& group) {
  return std::find(c.place.groups.begin(), c.place.groups.end(), group) != c.place.groups.end();
}

}  // namespace

std::string summary_lines::of_all() const { return line_of(all_); }

std::vector<std::string> summary_lines::of_groups() const {
  std::vector<std::string> groups, lines;
  for (const case_figures& c : all_)
    for (const std::string& group : c.place.groups)
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  for (const std::string& group : groups) {
    std::vector<case_figures> cases;
    for (const case_figures& c : all_)
      if (is_in(c, group)) cases.push_back(c);
    if (cases.size() > 1) lines.push_back(group + ", " + std::to_string(cases.size()) + " cases: " + line_of(cases));
  }
  return lines;
}

std::string summary_lines::of_steps() const {
  const auto at = [&](const case_figures& c, int step) -> const case_figures* {
    for (const case_figures& other : all_)
      if (other.place.series == c.place.series && other.place.position == c.place.position + step) return &other;
    return nullptr;
  };
  int count = 0;
  labelled worst{"", 0};
  for (const case_figures& c : all_) {
    const case_figures *const below = at(c, -1), *const above = at(c, 1);
    if (c.place.series.empty() || below == nullptr || above == nullptr) continue;
    ++count;
    const double step = c.seconds_per_flop / std::max(below->seconds_per_flop, above->seconds_per_flop);
    if (step > worst.value) worst = {c.label, step};
  }
  if (count == 0) return "";
  char text[160];
  std::snprintf(text, sizeof text, "time per flop over the larger of its neighbours': worst %.3f (%s), of %d cases",
                worst.value, worst.label.c_str(), count);
  return text;
}

}  // namespace tessera::bench
