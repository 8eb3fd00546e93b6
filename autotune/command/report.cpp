// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together from records and recorded timings.
#include "command/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "command/progress.hpp"
#include "command/svg.hpp"
#include "search/simulate.hpp"
#include "store/safe_file.hpp"

namespace tessera::tune {

namespace {

using points = picture::points;

struct series {
  scalar_type type;
  memory_regime in;
  std::string name;
};

std::vector<series> all_series() {
  std::vector<series> all;
  for (const scalar_type type : {scalar_type::f64, scalar_type::f32})
    for (const memory_regime in : {memory_regime::cache, memory_regime::stream})
      all.push_back({type, in, std::string(name_of(type)) + " " + name_of(in)});
  return all;
}

std::string before_and_after(const record_file& f) {
  std::string page;
  for (const series& s : all_series()) {
    points before, after;
    double most = 0, last = 2;
    for (const record& r : f.records) {
      if (r.of.element || r.of.lies != packed_lies{} || r.of.type != s.type || r.of.in != s.in || r.of.m != r.of.n ||
          r.of.n != r.of.k)
        continue;
      const double n = double(r.of.n);
      after.emplace_back(n, r.fraction);
      if (r.initial_seconds > 0) before.emplace_back(n, r.fraction * r.seconds / r.initial_seconds);
      most = std::max(most, r.fraction);
      last = std::max(last, n);
    }
    if (after.empty()) continue;
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    picture p("Before and after: " + s.name, {.label = "n", .low = 0, .high = last + 1},
              {.label = "fraction of the bound", .low = 0, .high = std::max(1.0, most)});
    p.line(before, 5, "default");
    p.dots(before, 5);
    p.line(after, 0, "tuned");
    p.dots(after, 0);
    page += p.svg();
  }
  return page;
}

std::vector<double> working_times(const recorded_space& s) {
  std::vector<double> times;
  for (const recorded_candidate& c : s.candidates)
    if (const double t = true_seconds(c); std::isfinite(t)) times.push_back(t);
  std::sort(times.begin(), times.end());
  return times;
}

// The best speed for each pair of values of the two axes that vary most.
std::string landscape(const recorded_space& s, const family& gemm) {
  std::vector<std::pair<std::size_t, std::size_t>> axes;  // distinct values, axis
  const auto values_of = [&](std::size_t axis) {
    std::vector<int> values;
    for (const recorded_candidate& c : s.candidates) values.push_back(c.of.value[axis]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  };
  for (std::size_t a = 0; a < gemm.axes.size(); ++a) axes.emplace_back(values_of(a).size(), a);
  std::stable_sort(axes.begin(), axes.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  const std::vector<double> times = working_times(s);
  if (axes.size() < 2 || axes[1].first < 2 || times.empty()) return {};
  const std::vector<int> xs = values_of(axes[0].second), ys = values_of(axes[1].second);
  picture p("Landscape of " + s.of + ": best speed, % of the winner's",
            {.label = gemm.axes[axes[0].second].name + ", by rank of its values", .low = 0, .high = double(xs.size())},
            {.label = gemm.axes[axes[1].second].name, .low = 0, .high = double(ys.size())});
  for (std::size_t x = 0; x < xs.size(); ++x)
    for (std::size_t y = 0; y < ys.size(); ++y) {
      double best = std::numeric_limits<double>::infinity();
      for (const recorded_candidate& c : s.candidates)
        if (c.of.value[axes[0].second] == xs[x] && c.of.value[axes[1].second] == ys[y])
          best = std::min(best, true_seconds(c));
      if (!std::isfinite(best)) continue;
      const double speed = times.front() / best;
      p.box(double(x), double(y), double(x + 1), double(y + 1), speed, std::to_string(int(std::lround(100 * speed))));
    }
  return p.svg();
}

std::string distribution(const recording& r) {
  picture p("How rare good candidates are", {.label = "speed, relative to the case's best", .low = 0, .high = 1},
            {.label = "share of measured candidates below", .low = 0, .high = 1});
  points together;
  std::vector<double> all;
  for (const recorded_space& s : r.spaces) {
    const std::vector<double> times = working_times(s);
    if (times.empty()) continue;
    points one;
    const double failed = double(s.candidates.size() - times.size());
    for (std::size_t i = times.size(); i-- > 0;) {
      const double speed = times.front() / times[i];
      all.push_back(speed);
      one.emplace_back(speed, (failed + double(times.size() - 1 - i)) / double(s.candidates.size()));
    }
    p.line(one, 0);
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) together.emplace_back(all[i], double(i) / double(all.size()));
  p.line(together, 1, "all cases together");
  return p.svg() + "<pre>" + text_of(rarity_in(r)) + "</pre>\n";
}

std::string model_and_measurement(const recording& r) {
  points at;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const recorded_space& s : r.spaces)
    for (const recorded_candidate& c : s.candidates) {
      const double t = true_seconds(c);
      if (!std::isfinite(t) || c.predicted <= 0) continue;
      at.emplace_back(c.predicted, t);
      low = std::min({low, t, c.predicted});
      high = std::max({high, t, c.predicted});
    }
  if (at.empty() || high <= low) return {};
  picture p("Model against measurement",
            {.label = "predicted seconds a product", .low = low, .high = high, .logarithmic = true},
            {.label = "measured", .low = low, .high = high, .logarithmic = true});
  p.dots(at, 0);
  p.line({{low, low}, {high, high}}, 1, "equal");
  std::string text = p.svg();
  for (const series& s : all_series()) {
    recording one;
    for (const recorded_space& space : r.spaces)
      if (space.of.find(" " + s.name + " ") != std::string::npos) one.spaces.push_back(space);
    const model_quality q = quality_of_model(one);
    if (q.spaces > 0) text += "<p>gemm " + s.name + ": " + text_of(q) + "</p>\n";
  }
  return text;
}

std::string facts_of(const record_file& f) {
  std::string text = "<p>";
  for (const auto& [name, value] : {std::pair{"device", f.device},
                                    {"target", f.target},
                                    {"driver", f.driver},
                                    {"toolkit", f.toolkit},
                                    {"compiler", f.compiler},
                                    {"flags", f.flags},
                                    {"Tessera", f.tessera},
                                    {"kernel sources", f.source_hash}})
    if (!value.empty()) text += "<b>" + std::string(name) + "</b> " + escaped(value) + " &nbsp; ";
  return text + "</p>\n";
}

}  // namespace

void write_report(const record_file& f, const recording& timings, const family& gemm, const std::string& path) {
  std::string page =
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Tuning of " + escaped(f.device) +
      "</title><style>body{font-family:sans-serif;max-width:1100px;margin:1em auto}pre{overflow-x:auto;font-size:12px}"
      "</style></head><body>\n<h1>Tuning of " +
      escaped(f.device) + ", " + escaped(f.target) + "</h1>\n" + facts_of(f);
  if (const std::string pictures = before_and_after(f); !pictures.empty())
    page += "<h2>Before and after</h2>\n" + pictures;
  page += "<h2>Landscapes</h2>\n";
  std::vector<const recorded_space*> largest;
  for (const recorded_space& s : timings.spaces) largest.push_back(&s);
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto* a, const auto* b) { return a->candidates.size() > b->candidates.size(); });
  for (std::size_t i = 0; i < std::min<std::size_t>(4, largest.size()); ++i) page += landscape(*largest[i], gemm);
  page += "<h2>Distribution</h2>\n" + distribution(timings);
  if (const std::string pictures = model_and_measurement(timings); !pictures.empty())
    page += "<h2>Model</h2>\n" + pictures;
  page += "<h2>All records</h2>\n<pre>" + escaped(table_of(f, gemm)) + "</pre>\n</body></html>\n";
  replace_file(path, page);
}

}  // namespace tessera::tune
