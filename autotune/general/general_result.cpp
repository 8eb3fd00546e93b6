// SPDX-License-Identifier: BSD-3-Clause
// Figures and tables.
#include "general/general_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "command/progress.hpp"
#include "measure/statistics.hpp"
#include "space/ranking.hpp"

namespace tessera::tune {

namespace {

using detail::general_by;

// Tensor cores' rates in other types by those in double, of data sheets of H100 and H200.
constexpr double tf32_by_f64 = 494.0 / 67, f16_by_f64 = 989.0 / 67, products_of_3xtf32 = 3;
constexpr int first_ten = 10;
constexpr double never = std::numeric_limits<double>::infinity();

template <class... Value>
std::string line_of(const char* format, Value... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

double roof_of(const detail::general_kind& kind, const general_limits& l) {
  switch (kind.by) {
    case general_by::mma_f64: return l.matrix_f64;
    case general_by::mma_tf32: return tf32_by_f64 * l.matrix_f64;
    case general_by::mma_3xtf32: return tf32_by_f64 / products_of_3xtf32 * l.matrix_f64;
    case general_by::mma_16: return f16_by_f64 * l.matrix_f64;
    case general_by::fma: break;
  }
  const bool is_double = kind.sum == scalar_type::f64 || kind.sum == scalar_type::c64;
  return is_double ? l.flops_f64 : l.flops_f32;
}

int drawn_tiles_of(const general_result& r) {
  int count = 0;
  for (int i = 0; i < int(r.tiles.size()); ++i) count += int(is_drawn(r, i));
  return count;
}

double time_of(const measured_tile& t) { return t.how == outcome::ok && t.seconds > 0 ? t.seconds : never; }

// 1,234,567 up to a million, else 1.23e+09.
std::string count_text(double count) {
  if (count >= 1e7) return line_of("%.3g", count);
  std::string digits = line_of("%.0f", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string percent(double share) { return share > 0 ? line_of("%5.1f %%", 100 * share) : "      -"; }

struct means {
  std::vector<double> fractions, first, ten, spearman;
};

void add_to(means& all, const general_result& r, const model_figures& f) {
  all.fractions.push_back(r.fraction());
  if (r.is_random) return;
  if (f.first > 0) all.first.push_back(f.first);
  if (f.ten > 0) all.ten.push_back(f.ten);
  if (f.measured >= 3) all.spearman.push_back(f.spearman);
}

std::string means_text(const means& all) {
  std::string text = line_of("geometric mean of %zu: %.0f%% of the bound", all.fractions.size(),
                             100 * bench::geometric_mean(all.fractions));
  if (!all.first.empty())
    text += line_of("; of the best measured tile the model's first choice reaches %.1f %%",
                    100 * bench::geometric_mean(all.first));
  if (!all.ten.empty()) text += line_of(", the best of its first ten %.1f %%", 100 * bench::geometric_mean(all.ten));
  if (!all.spearman.empty()) {
    double sum = 0;
    for (const double s : all.spearman) sum += s;
    text += line_of("; rank correlation %.2f in the mean", sum / double(all.spearman.size()));
  }
  return text + "\n";
}

// Of a random search that may end early.
std::string ending_text(const general_result& r) {
  if (!r.enough) return "";
  const bool is_over = are_enough(*r.rarity, *r.enough);
  const double expected = rarity_at(r.enough->within, *r.rarity).expected_tests;
  return line_of(
      "%s after %d of %d tiles: %.1f are expected until one is within %g %% of the best, and %g times as many "
      "are enough\n",
      is_over ? "enough" : "not enough", r.rarity->measured, drawn_tiles_of(r), expected, 100 * r.enough->within,
      r.enough->times);
}

}  // namespace

bool is_drawn(const general_result& r, int tile) { return r.is_random && tile > 0 && tile != r.present; }

double bound_of(const general_case& c, const general_limits& limits) {
  return std::max(c.bytes() / limits.bandwidth, c.flops / roof_of(c.kind, limits));
}

void take_times(general_result& result) {
  for (const tried& t : result.found.all) {
    measured_tile& of = result.tiles.at(std::size_t(t.candidate));
    of.how = t.how;
    of.reason = t.reason;
    of.seconds = t.how == outcome::ok && !t.seconds.empty() ? bench::median(t.seconds) : 0;
  }
}

model_figures figures_of(const general_result& r) {
  model_figures f;
  std::vector<double> predicted, measured;
  double best = never, best_of_ten = never;
  int place = 0;
  for (const measured_tile& t : r.tiles) {
    ++place;
    const double seconds = time_of(t);
    if (place <= r.ranked && t.rank <= first_ten) best_of_ten = std::min(best_of_ten, seconds);
    if (seconds == never) continue;
    ++f.measured;
    predicted.push_back(t.predicted);
    measured.push_back(seconds);
    if (seconds >= best) continue;
    best = seconds;
    f.rank = t.rank;
  }
  if (f.measured == 0) return f;
  const double first = time_of(r.tiles.front());
  f.first = first == never ? 0 : best / first;
  f.ten = best_of_ten == never ? 0 : best / best_of_ten;
  f.spearman = f.measured > 1 ? spearman(predicted, measured) : 0;
  return f;
}

std::string table_of(const std::vector<general_result>& results, const std::string& device) {
  std::size_t widest = 12;
  for (const general_result& r : results) widest = std::max(widest, name_of(r.of).size());
  std::string text = device + ", general contractions\n" +
                     line_of("%-*s %9s %9s %8s %8s %8s %7s %8s %9s  %s\n", int(widest), "contraction", "time",
                             "of bound", "best is", "first", "ten", "ranks", "measured", "compiled", "tile");
  means all;
  for (const general_result& r : results) {
    if (!r.has_winner()) {
      const std::string reason = r.tiles.empty() ? "there is none" : r.tiles.front().reason;
      text += line_of("%-*s no tile works: %.200s\n", int(widest), name_of(r.of).c_str(), reason.c_str());
      continue;
    }
    const model_figures f = figures_of(r);
    add_to(all, r, f);
    const std::string rank = r.is_random ? "drawn" : "no. " + std::to_string(f.rank);
    const std::string tile =
        general_tile_text(r.tiles[std::size_t(r.found.winner)].tile, r.of.form) + (r.found.tie ? " (tie)" : "");
    text += line_of("%-*s %9s %8.0f%% %8s %8s %8s %7.2f %8d %7.1f s  ", int(widest), name_of(r.of).c_str(),
                    time_text(r.found.median).c_str(), 100 * r.fraction(), rank.c_str(), percent(f.first).c_str(),
                    r.is_random ? "-" : percent(f.ten).c_str(), f.spearman, f.measured, r.compile_seconds) +
            tile + "\n";
  }
  if (!all.fractions.empty()) text += means_text(all);
  text +=
      "first, ten: the speed of the model's first choice, and of the best of its first ten, by that of the best "
      "measured tile; what else is measured is spread over the model's order\n";
  for (const general_result& r : results)
    if (r.rarity) text += "\n" + name_of(r.of) + ": random tiles\n" + text_of(*r.rarity) + ending_text(r);
  return text;
}

std::string rank_text(const measured_tile& t) { return t.rank > 0 ? std::to_string(t.rank) : "-"; }

std::string counts_text(const general_result& r) {
  const general_proposals& c = r.counts;
  const double tried = std::max(1.0, c.tried());
  std::string text = name_of(r.of) + ": " + count_text(c.enumerated) + " combinations, ";
  if (!r.is_random) text += count_text(c.by_rules) + " left out by rules; of " + count_text(c.tried()) + " others ";
  text += line_of("%.1f %% do not fit the GPU, ", 100 * c.by_hardware / tried);
  if (!r.is_random) text += line_of("%.2f %% are rated slow, ", 100 * c.by_model / tried);
  return text + count_text(c.left()) + " left; " + line_of("%.2f s", r.searching_seconds);
}

std::string model_text(const general_result& r) {
  std::string text = counts_text(r) + "\n" + line_of("  %5s %10s %9s  %s\n", "no.", "modelled", "by first", "tile");
  const double first = r.tiles.empty() ? 1 : r.tiles.front().predicted;
  for (std::size_t i = 0; i < r.tiles.size(); ++i) {
    const measured_tile& t = r.tiles[i];
    const std::string place = rank_text(t) + (int(i) == r.present ? "*" : "");
    text += line_of("  %5s %10s %9.3f  ", place.c_str(), time_text(t.predicted).c_str(), t.predicted / first) +
            general_tile_text(t.tile, r.of.form) + "\n";
  }
  return text;
}

recorded_space recorded_of(const general_result& r) {
  recorded_space s;
  s.of = key_of(r.of);
  s.incumbent = r.present;
  for (const tried& t : r.found.all) {
    const measured_tile& of = r.tiles.at(std::size_t(t.candidate));
    s.candidates.push_back({config_of(of.tile, r.of.form), of.predicted, t.how, t.reason, t.seconds});
  }
  return s;
}

}  // namespace tessera::tune
